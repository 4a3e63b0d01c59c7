"""What can go wrong."""
from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .results import Run


class Status(enum.IntEnum):
    """As spindrift_status.def has them."""

    OK = 0
    FAILED = 1
    BAD_INPUT = 2
    BODIES_FAILED = 3
    NO_MEMORY = 4
    IO = 5
    INTERRUPTED = 6
    DEVICE = 7
    NOT_SAVED = 8
    CRASHED = 9


class Error(Exception):
    """What the library refuses or fails at; the message is that of the command line.  `run` has the methods that were done by
    then, where there are some."""

    def __init__(self, status: int, message: str, run: Optional["Run"] = None):
        super().__init__(message)
        self.status: int = Status(status) if status in set(Status) else status  # a newer library may know more
        self.message = message
        self.run = run


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run.  `run` has the methods that were done by then."""

    def __init__(self, message: str, run: Optional["Run"]):
        super().__init__(message)
        self.run = run


class Notice(UserWarning):
    """A run that is done but should not pass unnoticed: members failed, a checkpoint was not saved."""
