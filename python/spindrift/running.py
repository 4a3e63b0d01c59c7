"""Runs: the library works in a thread of its own while the caller's waits, shows progress and can be interrupted."""
from __future__ import annotations

import ctypes
import inspect
import os
import signal
import threading
import warnings
from typing import Any, Optional

from . import library as _c
from .errors import Error, Interrupted, Notice, Status
from .library import decoded, library
from .listing import options
from .plan import Plan
from .progress import Bar, Progress, Show, bar
from .results import Run

_WITH_RESULT = (Status.OK, Status.BODIES_FAILED, Status.INTERRUPTED, Status.NOT_SAVED)
_REDRAWN_EVERY = 0.2  # seconds


class _Job:
    """sd_run on a thread of its own; ctypes releases the interpreter's lock while it is in the library."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.result = ctypes.c_void_p()
        self.status: int = Status.FAILED
        self.latest: Optional[Progress] = None
        self.done = threading.Event()
        self._tell = _c.ProgressFunction(self._told)  # lives as long as the library may call it
        library.sd_plan_on_progress(plan.pointer, self._tell, None)
        self.thread = threading.Thread(target=self._work, name="spindrift", daemon=True)

    def _told(self, _: Any, report: Any) -> int:
        r = report.contents
        self.latest = Progress(decoded(r.method), r.done, r.body_steps_per_second, r.worst_error, r.failed, decoded(r.trouble))
        return 0

    def _work(self) -> None:
        try:
            self.status = library.sd_run(self.plan.pointer, ctypes.byref(self.result))
        finally:
            self.done.set()

    def wait(self, shown: Optional[Bar]) -> None:
        last = None
        while not self.done.wait(_REDRAWN_EVERY):
            if shown and self.latest and self.latest is not last:
                last = self.latest
                shown.draw(last)

    def wait_to_the_end(self) -> None:
        """Whatever is pressed meanwhile: the library is still using what this process would free."""
        self.plan.stop()
        while not self.done.is_set():
            try:
                self.done.wait()
            except KeyboardInterrupt:
                pass

    def go(self, shown: Optional[Bar]) -> Optional[BaseException]:
        """What came from outside while it ran: Ctrl-C, or an exception of the progress function."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the thread is there, or it is not
        self.thread.start()
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            self.wait(shown)
        except BaseException as error:
            self.wait_to_the_end()
            return error
        finally:
            if shown:
                shown.close()
        return None


def _claim(plan: Plan) -> ctypes.c_void_p:
    """The files that the plan is about to write are looked at before it runs."""
    message, claim = _c.Message(), ctypes.c_void_p()
    status = library.sd_claim_files(plan.alone, 1, None, ctypes.byref(claim), message)
    if status:
        raise Error(status, decoded(message.value))
    return claim


def _notice(job: _Job, run: Run) -> None:
    if job.status == Status.BODIES_FAILED:
        failed = ", ".join(f"{m.failed} of {m.members} under {m.name}" for m in run if m.failed)
        warnings.warn(f"members failed: {failed}; their states are where they were frozen", Notice, stacklevel=4)
    elif job.status in (Status.NOT_SAVED, Status.INTERRUPTED):
        warnings.warn(decoded(library.sd_plan_message(job.plan.pointer)), Notice, stacklevel=4)


def _save(run: Optional[Run], path: str) -> Optional[Error]:
    """What went wrong, if something did: not the last word, as the run is there."""
    try:
        if run and path:
            run.save(path)
    except Error as error:
        return error
    return None


def _execute(plan: Plan, progress: Show) -> Run:
    plan.check(library.sd_plan_resolve(plan.pointer))
    claim = _claim(plan)
    try:
        job = _Job(plan)
        outside = job.go(bar(progress))
        said = decoded(library.sd_plan_message(plan.pointer))
        run = Run._of(job.result) if job.result else None
        unsaved = _save(run, plan.get("output") if run else "")
    finally:
        library.sd_claim_release(claim)
    failed = job.status not in _WITH_RESULT or not run
    text = "; ".join(filter(None, (said if failed or job.status else "", unsaved.message if unsaved else "")))
    if isinstance(outside, KeyboardInterrupt):
        raise Interrupted(text or "the run was interrupted", run) from None
    if outside:
        raise outside from Error(job.status, text, run)
    if failed or unsaved:
        raise Error(job.status if failed or not unsaved else unsaved.status, text, run)
    assert run
    _notice(job, run)
    return run


def run(problem: Any = None, method: Any = None, *, progress: Show = None, **options: Any) -> Run:
    plan = Plan({**({} if problem is None else {"problem": problem}), **({} if method is None else {"method": method}), **options})
    return _execute(plan, progress)


def rerun(path: "os.PathLike[str] | str", member: Optional[int] = None, *, progress: Show = None, **options: Any) -> Run:
    """Repeats the run of a result file, with other options if some are given.

    member: one of its members alone, by its number, with its final state and its trajectory; it has the bits that it had among the others."""
    plan = Plan.of_file(path)
    if member is not None:
        plan.single_out(member)
        plan.give({"final": 1, "trajectories": 1})
    plan.give(options)
    return _execute(plan, progress)


def _describe() -> None:
    """The options of the library are the keywords: the signature and the documentation of `run` have them."""
    listed = options()
    lines = [f"    {o.keyword}: {o.text}" + (f" ({o.default})" if o.default else "") for o in listed]
    run.__doc__ = "\n".join([
        "Integrates an ensemble with one or several methods and returns a Run.", "",
        "Keywords are the options of the command line, with _ for -.  Several methods, impulses or parameters are a list, or a",
        "dict of parameters: method=[\"eln\", \"vlv\"], param={\"alpha\": 0.3, \"J\": (2, 2, 4)}.  A problem may be an sd.Problem.", "",
        "    starts: rows of numbers, a start for each of the first members",
        "    progress: True, False, a function of sd.Progress; None: on a terminal and in notebooks", *lines, "",
        "The interpreter's lock is free while it runs.  Ctrl-C ends it with sd.Interrupted, whose .run has the methods that were",
        "done.  Members that failed are a warning, sd.Notice; what is refused, or fails, is sd.Error."])
    kind = inspect.Parameter
    first = [kind("problem", kind.POSITIONAL_OR_KEYWORD, default=None), kind("method", kind.POSITIONAL_OR_KEYWORD, default=None)]
    rest = [o.keyword for o in listed if o.keyword not in ("problem", "method", "starts")]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        first + [kind(name, kind.KEYWORD_ONLY, default=None) for name in (*rest, "starts", "progress")], return_annotation=Run)


_describe()


def open_all(path: "os.PathLike[str] | str") -> list[Run]:
    """All runs of a result file."""
    message, results, count = _c.Message(), ctypes.POINTER(ctypes.c_void_p)(), ctypes.c_size_t()
    status = library.sd_results_read(os.fsencode(path), ctypes.byref(results), ctypes.byref(count), message)
    if status:
        raise Error(status, decoded(message.value))
    try:
        return [Run._of(ctypes.c_void_p(results[i])) for i in range(count.value)]
    finally:
        library.sd_free(ctypes.cast(results, ctypes.c_void_p))


def open(path: "os.PathLike[str] | str") -> Run:
    """The run of a result file, every number with the bits that it had."""
    runs = open_all(path)
    if len(runs) != 1:
        raise ValueError(f"{os.fspath(path)} has {len(runs)} runs: open_all() gives them as a list")
    return runs[0]
