"""The shared library: its structs and functions, as spindrift.h declares them.

Structs that the library fills begin with their size; of those that it hands out by pointer only the beginning is here,
which later versions leave as it is.  A test holds all of this against the header."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Iterator, Type, TypeVar


class Sized(Structure):
    """A struct that says how much room it has."""

    size: int

    def __init__(self) -> None:
        super().__init__()
        self.size = ctypes.sizeof(self)


def _texts(*names: str) -> list[tuple[str, Any]]:
    return [(name, c_char_p) for name in names]


class FamilyInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("id", "title", "plural", "methods", "method_set", "fit", "reference", "order_steps"),
                ("order_time", c_double), ("rounding", c_double), ("impulses", c_int), ("units", c_char_p), ("systems", c_int)]


class ArrayInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("id", "name", "units", "text"), ("per_body", c_int), ("rows", c_int), ("columns", c_int)]


class StartInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("name", "units", "text"), ("count", c_int), ("option", c_char_p),
                ("deviation", c_double), ("wide", c_char_p), ("rotation", c_int)]


class TraitInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("id", "text"), ("letter", c_char)]


class MethodInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("id", "title", "doi", "family"), ("order", c_int), ("traits", c_uint64)]


class ProblemInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("id", "title", "doi", "family"), ("step", c_double), ("time", c_double)]


class ParameterInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("name", "text"), ("count", c_int), ("value", POINTER(c_double)),
                ("low", c_double), ("high", c_double)]


class OptionInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("key", "synonym"), ("kind", c_int), ("about", c_int), ("listed", c_int),
                ("group", c_int), ("low", c_uint64), ("high", c_uint64), ("multiple", c_uint64),
                *_texts("words", "value", "placeholder"), ("text", c_char * 160), ("otherwise", c_char * 160)]


class StatisticInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("name", "units", "text"), ("place", c_char * 64)]


class QuantityInfo(Sized):
    _fields_ = [("size", c_size_t), *_texts("name", "dataset", "units", "text"), ("whole", c_int), ("count", c_size_t),
                ("level", POINTER(c_double))]


class Report(Structure):
    _fields_ = [("size", c_size_t), ("method", c_char_p), ("done", c_double), ("body_steps", c_double),
                ("body_steps_total", c_double), ("body_steps_per_second", c_double), ("worst_error", c_double),
                ("failed", c_size_t), ("trouble", c_char_p), ("time", c_double), ("neighbour_rebuilds", c_double),
                ("neighbour_share", c_double)]


class Control(Structure):
    _fields_ = [("stop", c_int), ("save", c_int)]


class AxisInfo(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("low", c_double), ("high", c_double), ("count", c_size_t),
                ("equal_factors", c_int)]


class View(Sized):
    _fields_ = [("size", c_size_t), ("data", c_void_p), ("rank", c_int), ("shape", c_size_t * 4), ("stride", c_size_t * 4),
                *_texts("id", "name", "units", "text"), ("whole", c_void_p), ("small", c_void_p)]


class Summary(Structure):
    _fields_ = [("method", c_char * 32), ("problem", c_char_p), ("step", c_double), ("time", c_double), ("members", c_size_t),
                ("failed", c_size_t), ("verdict", c_int), ("reason", c_int), ("because", c_char * 96),
                ("seconds", c_double), ("ns_per_body_step", c_double), ("digest", c_char * 33)]


ProgressFunction = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Report))
Message = c_char * 512
_pointers = POINTER(c_void_p)
_size = POINTER(c_size_t)
_text = POINTER(c_char_p)

# Result, arguments; opaque structs are plain pointers.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "sd_status_text": (c_char_p, [c_int]),
    "sd_version": (c_char_p, []),
    "sd_list_family": (c_int, [c_size_t, POINTER(FamilyInfo)]),
    "sd_list_array": (c_int, [c_size_t, c_size_t, POINTER(ArrayInfo)]),
    "sd_list_start": (c_int, [c_size_t, c_size_t, POINTER(StartInfo)]),
    "sd_list_trait": (c_int, [c_size_t, POINTER(TraitInfo)]),
    "sd_list_method": (c_int, [c_size_t, POINTER(MethodInfo)]),
    "sd_list_problem": (c_int, [c_size_t, POINTER(ProblemInfo)]),
    "sd_list_problem_parameter": (c_int, [c_size_t, c_size_t, POINTER(ParameterInfo)]),
    "sd_list_method_parameter": (c_int, [c_size_t, c_size_t, POINTER(ParameterInfo)]),
    "sd_list_option": (c_int, [c_size_t, POINTER(OptionInfo)]),
    "sd_list_statistic": (c_int, [c_size_t, c_size_t, POINTER(StatisticInfo)]),
    "sd_list_quantity": (c_int, [c_size_t, POINTER(QuantityInfo)]),
    "sd_list_member_status": (c_char_p, [c_size_t]),
    "sd_plan_create": (c_int, [_pointers]),
    "sd_plan_destroy": (None, [c_void_p]),
    "sd_plan_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "sd_plan_set_starts": (c_int, [c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    "sd_plan_resolve": (c_int, [c_void_p]),
    "sd_plan_get": (c_int, [c_void_p, c_char_p, _text]),
    "sd_plan_message": (c_char_p, [c_void_p]),
    "sd_plan_on_progress": (None, [c_void_p, ProgressFunction, c_void_p]),
    "sd_plan_control": (None, [c_void_p, POINTER(Control)]),
    "sd_control_stop": (None, [POINTER(Control)]),
    "sd_claim_files": (c_int, [_pointers, c_size_t, c_char_p, _pointers, c_char_p]),
    "sd_claim_release": (None, [c_void_p]),
    "sd_run": (c_int, [c_void_p, _pointers]),
    "sd_result_destroy": (None, [c_void_p]),
    "sd_result_count": (c_size_t, [c_void_p]),
    "sd_result_complete": (c_int, [c_void_p]),
    "sd_result_family": (c_char_p, [c_void_p]),
    "sd_result_plan": (c_int, [c_void_p, _pointers]),
    "sd_result_summary": (POINTER(Summary), [c_void_p, c_size_t]),
    "sd_result_statistic": (c_int, [c_void_p, c_size_t, c_char_p, POINTER(c_double)]),
    "sd_result_series_count": (c_size_t, [c_void_p]),
    "sd_result_series_at": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(View)]),
    "sd_result_array_count": (c_size_t, [c_void_p]),
    "sd_result_final_count": (c_size_t, [c_void_p]),
    "sd_result_final": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(View)]),
    "sd_result_final_statuses": (c_int, [c_void_p, c_size_t, POINTER(View)]),
    "sd_result_trajectory_count": (c_size_t, [c_void_p]),
    "sd_result_trajectory_samples": (c_size_t, [c_void_p]),
    "sd_result_trajectory": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(View)]),
    "sd_result_trajectory_time": (c_double, [c_void_p, c_size_t]),
    "sd_result_elements": (c_int, [c_void_p, c_size_t, c_size_t, c_size_t, POINTER(c_double)]),
    "sd_result_digest": (c_char_p, [c_void_p]),
    "sd_verdict_text": (c_char_p, [c_int]),
    "sd_result_points": (c_size_t, [c_void_p]),
    "sd_result_axis": (c_int, [c_void_p, c_size_t, POINTER(AxisInfo)]),
    "sd_result_axis_value": (c_double, [c_void_p, c_size_t, c_size_t]),
    "sd_result_point": (c_int, [c_void_p, c_size_t, c_char_p, POINTER(View)]),
    "sd_result_columns": (c_size_t, [c_void_p]),
    "sd_result_column": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(View)]),
    "sd_result_at": (c_int, [c_void_p, c_size_t, c_char_p, POINTER(View)]),
    "sd_result_events": (c_int, [c_void_p, c_size_t, c_char_p, POINTER(View)]),
    "sd_plans_repeat": (c_int, [c_char_p, POINTER(_pointers), _size, c_char_p]),
    "sd_plans_destroy": (None, [_pointers, c_size_t]),
    "sd_plan_single_out": (c_int, [c_void_p, c_char_p]),
    "sd_result_note": (c_char_p, [c_void_p]),
    "sd_result_why": (c_char_p, [c_void_p]),
    "sd_result_trouble": (c_char_p, [c_void_p]),
    "sd_result_write_table": (c_int, [c_void_p, c_void_p]),
    "sd_results_json": (c_int, [_pointers, c_size_t, _pointers, _size]),
    "sd_results_save": (c_int, [_pointers, c_size_t, c_char_p, c_char_p]),
    "sd_free": (None, [c_void_p]),
    "sd_results_read": (c_int, [c_char_p, POINTER(_pointers), _size, c_char_p]),
}


def _load() -> ctypes.CDLL:
    here = pathlib.Path(__file__).parent
    path = os.environ.get("SPINDRIFT_LIBRARY") or str(here / "libspindrift.so")
    if (here / "kernels").is_dir():  # what a problem of one's own is compiled against
        os.environ.setdefault("SPINDRIFT_KERNELS", str(here / "kernels"))
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"spindrift's library cannot be loaded: {error}; `pip install .` builds it beside the package, "
                          "SPINDRIFT_LIBRARY names another") from error
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError as error:
            raise ImportError(f"{path} is not the library of this package: it has no {name}") from error
        function.restype = result
        function.argtypes = arguments
    return library


library = _load()

Info = TypeVar("Info", bound=Sized)


def entries(function: Callable[..., int], kind: Type[Info], *of: Any) -> Iterator[Info]:
    """What a list of the library has, of the entry `of` of another list."""
    index = 0
    while True:
        info = kind()
        if not function(*of, index, ctypes.byref(info)):
            return
        yield info
        index += 1


def decoded(text: bytes | None) -> str:
    return (text or b"").decode(errors="replace")


def take_text(pointer: c_void_p) -> str:
    """A text that is ours to free."""
    try:
        return ctypes.string_at(pointer.value or 0).decode(errors="replace") if pointer.value else ""
    finally:
        library.sd_free(pointer)
