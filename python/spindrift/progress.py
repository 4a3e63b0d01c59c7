"""How far a run is, on a terminal or in a notebook."""
from __future__ import annotations

import dataclasses
import sys
import time
from typing import Any, Callable, Optional, Union


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a run is."""

    method: str
    done: float  # of all the methods' work, 0 to 1
    body_steps_per_second: float
    worst_error: float  # largest |E - E0| at the last sample
    failed: int
    trouble: str  # why the checkpoint could not be saved when that was last tried


Show = Union[None, bool, Callable[[Progress], Any]]


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Bar:
    """One line that is drawn again and again."""

    WIDTH = 20

    def __init__(self) -> None:
        self.start = time.monotonic()

    def line(self, p: Progress) -> str:
        filled = int(self.WIDTH * p.done)
        left = (time.monotonic() - self.start) * (1 / p.done - 1) if p.done > 0 else 0
        text = (f"{p.method} [{'#' * filled}{'.' * (self.WIDTH - filled)}] {100 * p.done:.0f} %  "
                f"{p.body_steps_per_second:.2g} body-steps/s  {_clock(left)} left  |E-E0| {p.worst_error:.1e}")
        return text + (f"  {p.failed} failed" if p.failed else "") + (f"  checkpoint: {p.trouble}" if p.trouble else "")

    def draw(self, p: Progress) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class TerminalBar(Bar):
    def draw(self, p: Progress) -> None:
        sys.stderr.write("\r\x1b[K" + self.line(p))
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class NotebookBar(Bar):
    def __init__(self) -> None:
        from IPython.display import display

        super().__init__()
        self.handle = display({"text/plain": ""}, raw=True, display_id=True)

    def draw(self, p: Progress) -> None:
        self.handle.update({"text/plain": self.line(p)}, raw=True)

    def close(self) -> None:
        self.handle.update({"text/plain": ""}, raw=True)


class FunctionBar(Bar):
    """A function of the user's."""

    def __init__(self, function: Callable[[Progress], Any]):
        super().__init__()
        self.function = function

    def draw(self, p: Progress) -> None:
        self.function(p)

    def close(self) -> None:
        pass


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def bar(show: Show) -> Optional[Bar]:
    """None: on a terminal and in a notebook, and nowhere else."""
    if callable(show):
        return FunctionBar(show)
    if show is False:
        return None
    if _in_notebook():
        return NotebookBar()
    return TerminalBar() if show or (hasattr(sys.stderr, "isatty") and sys.stderr.isatty()) else None
