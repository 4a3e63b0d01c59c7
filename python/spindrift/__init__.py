"""spindrift - ensembles of rigid bodies by geometric methods, to the same bits on every machine.

    import spindrift as sd
    run = sd.run(problem="stress", method=["eln", "vlv"], members=256, step=0.125, time=500)
    run                          a table
    run["eln"].verdict           what became of the energy
    run["eln"].final.Q           attitudes of all members at the end, a view of the result's memory
"""
from .errors import Error, Interrupted, Notice, Status
from .library import decoded as _decoded, library as _library
from .listing import BuiltIn, Listing, Method, Option, Parameter, methods, options, problems
from .progress import Progress
from .results import MethodResult, Run
from .running import open, open_all, run

__version__ = _decoded(_library.sd_version())

__all__ = ["BuiltIn", "Error", "Interrupted", "Listing", "Method", "MethodResult", "Notice", "Option", "Parameter", "Progress", "Run",
           "Status", "methods", "open", "open_all", "options", "problems", "run"]
