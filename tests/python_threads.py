"""Several threads run plans at once, and save and open what they got: the same digests as one after the other.

SPINDRIFT_LIBRARY names the shared library, SOURCE the source tree; the thread sanitizer looks on where it was built with it.
With an argument, two threads set one plan at once, which they may not, until the sanitizer says so and ends the program: the proof that
it looks."""
import ctypes
import os
import pathlib
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE"], "python")))
import spindrift as sd  # noqa: E402
from spindrift.library import library  # noqa: E402

PLANS = [{"method": "eln,vlv"}, {"problem": "orbit-elliptic", "method": "verlet,rk4"}, {"method": "vlv", "trajectories": 3}]
SMALL = {"members": 24, "steps": 60, "seed": 7, "threads": 2}
ROUNDS = 4
PATIENCE = 120  # seconds for two threads to be within one call at the same time: a few thousandths are usual


def at_once(works):
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def work(plan, found):
    with tempfile.TemporaryDirectory() as place:
        for _ in range(ROUNDS):
            run = sd.run(**plan, **SMALL)
            run.save(f"{place}/run.h5")
            again = sd.open(f"{place}/run.h5")
            assert again[0].final.energy_error.tobytes() == run[0].final.energy_error.tobytes()
            assert again.plan == run.plan and repr(run)
            found.append(again.digest)


def race():
    plan = ctypes.c_void_p()
    library.sd_plan_create(ctypes.byref(plan))

    end = time.monotonic() + PATIENCE

    def change():
        while time.monotonic() < end:
            library.sd_plan_set(plan, b"step", b"0.5")
    at_once([change, change])
    sys.exit(f"two threads set one plan for {PATIENCE} seconds, and nobody minded")


if len(sys.argv) > 1:
    race()
else:
    wanted = [sd.run(**plan, **SMALL).digest for plan in PLANS]
    found = [[] for _ in PLANS]
    at_once([lambda plan=plan, to=to: work(plan, to) for plan, to in zip(PLANS, found)])
    if found != [[digest] * ROUNDS for digest in wanted]:
        sys.exit(f"{found} in place of {wanted}")
    print("the same digests")
