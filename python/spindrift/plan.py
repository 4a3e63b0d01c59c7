"""A plan: what `run` was given, as the library's settings."""
from __future__ import annotations

import ctypes
import difflib
import numbers
import os
from typing import Any, Iterator, Mapping, Optional

import numpy as np

from .errors import Error
from .library import Control, decoded, library
from .listing import Option, options

# Kinds of options, and what a list of values means: spindrift.h numbers them.
WHOLE = (4, 5, 6)
CHOICE, PARAMETER = 7, 10
JOINED, REPEATED, RUNS = 1, 2, 3


def _number(value: numbers.Real, whole: bool) -> str:
    if isinstance(value, numbers.Integral):
        return str(int(value))
    real = float(value)
    return str(int(real)) if whole and real.is_integer() else repr(real)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _word(option: Option, value: Any) -> str:
    """One value, as the command line has it."""
    if isinstance(value, (bool, np.bool_)) and {"yes", "no"} <= set(option.words):
        return "yes" if value else "no"
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        return _number(value, option.kind in WHOLE)
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_joined(option, part)}" for key, part in value.items())
    raise TypeError(f"{option.keyword}: {value!r} is neither a number nor a text")


def _joined(option: Option, value: Any, between: str = ",") -> str:
    return between.join(_word(option, part) for part in value) if _is_list(value) else _word(option, value)


def words(option: Option, value: Any) -> Iterator[str]:
    """The values that the library is given for an option, one after the other."""
    if option.placeholder.startswith("NAME=") and isinstance(value, Mapping):  # a setting for each name
        for name, part in value.items():
            yield f"{name}={_joined(option, part, ':' if ':' in option.placeholder else ',')}"
    elif not _is_list(value):
        yield _word(option, value)
    elif option.listed == REPEATED or option.kind == PARAMETER or (not option.listed and "," not in option.placeholder):
        for part in value:  # one after the other, as pieces of a text
            yield _word(option, part)
    elif option.listed == RUNS:
        raise TypeError(f"{option.keyword} has one value in a run; several are several runs: "
                        f"[sd.run({option.keyword}=value, ...) for value in values]")
    else:
        yield _joined(option, value)


def find(known: Mapping[str, Option], keyword: str) -> Option:
    if keyword in known:
        return known[keyword]
    near = difflib.get_close_matches(keyword, known, 1)
    raise TypeError(f"run() got an unexpected keyword argument '{keyword}'"
                    + (f"; did you mean '{near[0]}'?" if near else "; sd.options() lists them"))


def keywords() -> dict[str, Option]:
    """Options by keyword, other names included."""
    known = {option.keyword: option for option in options()}
    known.update({option.synonym.replace("-", "_"): option for option in options() if option.synonym})
    return known


class Plan:
    """The library's plan, which lives as long as this does."""

    def __init__(self, given: Mapping[str, Any]):
        known = keywords()
        chosen = {keyword: find(known, keyword) if keyword != "starts" or "starts" in known else None for keyword in given}
        self.pointer = ctypes.c_void_p()
        self.control = Control()
        self.check(library.sd_plan_create(ctypes.byref(self.pointer)))
        self.alone = (ctypes.c_void_p * 1)(self.pointer)  # a list of plans, which whoever claims its files goes on using
        library.sd_plan_control(self.pointer, ctypes.byref(self.control))
        for keyword, value in given.items():
            option = chosen[keyword]
            if value is None:
                continue
            if keyword == "starts" and not isinstance(value, (str, os.PathLike)):
                self._set_starts(value, given.get("members", given.get("bodies")))
            elif option:
                self._give(option, value)
        if given.get("final") is None and "final" in known:  # all members; the library makes it as many as there are
            self.set("final", str(known["final"].high))

    _list: Any = None  # that it came in, and what is destroyed

    @classmethod
    def of_file(cls, path: "os.PathLike[str] | str") -> "Plan":
        """The plan that repeats the one run of a result file."""
        message, plans, count = ctypes.create_string_buffer(512), ctypes.POINTER(ctypes.c_void_p)(), ctypes.c_size_t()
        status = library.sd_plans_repeat(os.fsencode(path), ctypes.byref(plans), ctypes.byref(count), message)
        if status:
            raise Error(status, decoded(message.value))
        plan = object.__new__(cls)
        plan._list = (plans, count)
        if count.value != 1:
            raise ValueError(f"{os.fspath(path)} has {count.value} runs: it is for a file of one")
        plan.pointer = ctypes.c_void_p(plans[0])
        plan.control = Control()
        plan.alone = (ctypes.c_void_p * 1)(plan.pointer)
        library.sd_plan_control(plan.pointer, ctypes.byref(plan.control))
        return plan

    def __del__(self) -> None:
        if self._list:
            library.sd_plans_destroy(*self._list)
        elif getattr(self, "pointer", None):
            library.sd_plan_destroy(self.pointer)

    def single_out(self, member: int) -> None:
        self.check(library.sd_plan_single_out(self.pointer, str(int(member)).encode()))

    def give(self, options: Mapping[str, Any]) -> None:
        known = keywords()
        for keyword, value in options.items():
            self._give(find(known, keyword), value)

    def check(self, status: int) -> None:
        if status:
            message = decoded(library.sd_plan_message(self.pointer)) if self.pointer else ""
            raise Error(status, message or decoded(library.sd_status_text(status)))

    def set(self, key: str, value: str) -> None:
        if "\0" in value:
            raise ValueError(f"{key}: a text with a zero byte in it")
        self.check(library.sd_plan_set(self.pointer, key.encode(), os.fsencode(value)))

    def _give(self, option: Option, value: Any) -> None:
        for word in words(option, value):
            self.set(option.key, word)

    def get(self, key: str) -> str:
        value = ctypes.c_char_p()
        self.check(library.sd_plan_get(self.pointer, key.encode(), ctypes.byref(value)))
        return os.fsdecode(value.value or b"")

    def stop(self) -> None:
        library.sd_control_stop(ctypes.byref(self.control))

    def _set_starts(self, starts: Any, members: Optional[Any]) -> None:
        """A row for each of the first members."""
        rows = np.ascontiguousarray(starts, dtype=np.float64)
        if rows.ndim != 2 or not rows.size:
            raise ValueError(f"starts: a row of numbers for each member, not an array of shape {rows.shape}")
        self.check(library.sd_plan_set_starts(self.pointer, 0, rows.shape[0], rows.ctypes.data, rows.shape[1]))
        if members is None:
            self.set("members", str(rows.shape[0]))
