"""spindrift - ensembles of rigid bodies by geometric methods, to the same bits on every machine.

    import spindrift as sd
    run = sd.run(problem="stress", method=["eln", "vlv"], members=256, step=0.125, time=500)
    run                          a table
    run["eln"].verdict           what became of the energy
    run["eln"].final.Q           attitudes of all members at the end, a view of the result's memory
"""
import typing as _typing

from .errors import Error, Interrupted, Notice, Status
from .library import decoded as _decoded, library as _library
from .listing import BuiltIn, Listing, Method, Option, Parameter, methods, options, problems
from .progress import Progress
from .results import MethodResult, Run
from .running import open, open_all, rerun, run

__version__ = _decoded(_library.sd_version())

__all__ = ["BuiltIn", "Error", "Interrupted", "Listing", "Method", "MethodResult", "Notice", "Option", "Parameter", "Problem",
           "Progress", "Run", "Status", "methods", "open", "open_all", "options", "problems", "rerun", "rotation", "run"]

if _typing.TYPE_CHECKING:
    from .symbolic import Problem, rotation


def __getattr__(name: str) -> _typing.Any:
    """What needs SymPy is loaded when it is first wanted."""
    if name not in ("Problem", "rotation"):
        raise AttributeError(f"module 'spindrift' has no attribute '{name}'")
    try:
        from . import symbolic
    except ModuleNotFoundError as error:
        if error.name != "sympy":
            raise
        raise ImportError(f"sd.{name} needs SymPy: pip install sympy") from None
    return getattr(symbolic, name)
