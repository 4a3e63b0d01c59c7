"""Results: a run, what each of its methods did, arrays that are views of the library's memory."""
from __future__ import annotations

import ctypes
import json
import os
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import library as _c
from .errors import Error, Notice
from .library import decoded, entries, library, take_text

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure
    import pandas
    import xarray

    from .members import Points, Table


class Handle:
    """The library's result, which is destroyed when nothing refers to it any more, arrays included."""

    def __init__(self, pointer: ctypes.c_void_p):
        self.pointer = pointer
        weakref.finalize(self, library.sd_result_destroy, pointer).atexit = False  # the process's end frees it


class _Memory:
    """Numbers of a result, for numpy: it keeps this as the base of its view, and this the result."""

    __slots__ = ("handle", "__array_interface__")

    def __init__(self, handle: Handle, view: _c.View):
        self.handle = handle
        data, kind = (view.data, "<f8") if view.data else (view.whole, "<u8") if view.whole else (view.small, "|u1")
        width = int(kind[2])
        self.__array_interface__ = {"version": 3, "typestr": kind, "data": (data or 0, True), "shape": tuple(view.shape[:view.rank]),
                                    "strides": tuple(width * stride for stride in view.stride[:view.rank])}


def array_of(handle: Handle, view: _c.View) -> NDArray[Any]:
    """Without a copy, and not to be written to."""
    if not all(view.shape[:view.rank]):
        empty = np.empty(tuple(view.shape[:view.rank]))
        empty.flags.writeable = False
        return empty
    return np.asarray(_Memory(handle, view))


class Group:
    """Numbers by name, some of them in groups of their own."""

    def __init__(self, numbers: Mapping[str, Any]):
        self.__dict__.update(numbers)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no '{name}' here, but {', '.join(self.__dict__)}")

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {value!r}" if not isinstance(value, Group) else f"{name}:\n  " + repr(value).replace("\n", "\n  ")
                         for name, value in self.__dict__.items())


def _grouped(places: Mapping[str, float]) -> Group:
    """Of names such as energy.slope.mean: groups; where the last part is a number, a tuple."""
    tree: dict[str, Any] = {}
    for place, value in places.items():
        *path, last = place.split(".")
        branch = tree
        for part in path:
            branch = branch.setdefault(part, {})
        branch[last] = value

    def made(branch: Any) -> Any:
        if not isinstance(branch, dict):
            return branch
        if all(key.isdigit() for key in branch):
            return tuple(branch[key] for key in sorted(branch, key=int))
        return Group({key: made(value) for key, value in branch.items()})

    return Group({key: made(value) for key, value in tree.items()})


class Arrays:
    """Arrays by name, as attributes and as entries; none of them is a copy."""

    def __init__(self, handle: Handle, views: Sequence[_c.View]):
        self._handle = handle
        self._views = {decoded(view.id): view for view in views}

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no array '{name}', but {', '.join(self)}") from None

    def __getitem__(self, name: str) -> NDArray[Any]:
        return array_of(self._handle, self._views[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)

    def __contains__(self, name: object) -> bool:
        return name in self._views

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._views]

    def about(self, name: str) -> dict[str, str]:
        """Units and description of an array."""
        view = self._views[name]
        return {"units": decoded(view.units), "long_name": decoded(view.text)}

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {' x '.join(map(str, self[name].shape))}, {self.about(name)['long_name']}" for name in self)


class Series(Arrays):
    """E - E0 of the ensemble over time: time, mean, deviation, lowest, highest, quantile at `levels`, members.

    Of a run with `moments` also state_mean and state_covariance, whose numbers are `mean_of` and `covariance_of`."""

    def __init__(self, handle: Handle, views: Sequence[_c.View], family: int = 0):
        super().__init__(handle, views)
        self._family = family

    def _components(self, displaced: bool) -> tuple[str, ...]:
        starts = entries(library.sd_list_start, _c.StartInfo, self._family)
        return tuple(f"{decoded(a.name)}.{k + 1}" for a in starts for k in range(a.count - (a.rotation if displaced else 0)))

    @property
    def mean_of(self) -> tuple[str, ...]:
        """Names of the numbers of a mean, as `starts` has them: of a rigid body a quaternion w, x, y, z and the velocity."""
        return self._components(False)

    @property
    def covariance_of(self) -> tuple[str, ...]:
        """Names of rows and columns of a covariance: of a rotation its rotation vector from the mean, in the body's frame."""
        return self._components(True)

    @property
    def levels(self) -> tuple[float, ...]:
        for q in entries(library.sd_list_quantity, _c.QuantityInfo):
            if q.level:
                return tuple(q.level[i] for i in range(q.count))
        return ()

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each sample."""
        from .showing import series_to_pandas

        return series_to_pandas(self)


def status_words(codes: NDArray[np.uint8]) -> NDArray[np.str_]:
    words: list[str] = []
    while True:
        word = library.sd_list_member_status(len(words))
        if word is None:
            names = np.array(words)
            return names[codes.astype(np.intp)] if codes.any() else np.broadcast_to(names[0], codes.shape)
        words.append(decoded(word))


class ArraysWithStatus(Arrays):
    """Arrays of members, and whether these are well."""

    def __init__(self, handle: Handle, views: Sequence[_c.View], status: _c.View):
        super().__init__(handle, views)
        self._status = status

    @property
    def codes(self) -> NDArray[np.uint8]:
        """0 for members that are well, and why others were frozen: what `status` says in words."""
        return array_of(self._handle, self._status)

    @property
    def status(self) -> NDArray[np.str_]:
        """For each member `ok`, or why it was frozen."""
        return status_words(self.codes)


class States(ArraysWithStatus):
    """Final states of the first members: arrays of the family, such as Q and W, and energy_error."""


class Trajectories(Arrays):
    """States of the first members at the samples: `time`, then arrays over samples and members."""

    def __init__(self, handle: Handle, views: Sequence[_c.View], time: NDArray[np.float64]):
        super().__init__(handle, views)
        self.time = time


class MethodResult:
    """What one method did."""

    def __init__(self, handle: Handle, index: int, run: "Run"):
        self._handle = handle
        self._index = index
        self._infos = run._statistics
        self._family = run._family
        self._first = run._first
        self._summary = library.sd_result_summary(handle.pointer, index).contents

    @property
    def name(self) -> str:
        return decoded(self._summary.method)

    @property
    def problem(self) -> str:
        return decoded(self._summary.problem)

    @property
    def step(self) -> float:
        return float(self._summary.step)

    @property
    def time(self) -> float:
        return float(self._summary.time)

    @property
    def members(self) -> int:
        return int(self._summary.members)

    @property
    def failed(self) -> int:
        """How many members were frozen."""
        return int(self._summary.failed)

    @property
    def verdict(self) -> str:
        """`drifts +`, `drifts -`, `bounded` or `undecided`."""
        return decoded(library.sd_verdict_text(self._summary.verdict))

    @property
    def because(self) -> str:
        """Why, with numbers."""
        return decoded(self._summary.because)

    @property
    def seconds(self) -> float:
        return float(self._summary.seconds)

    @property
    def ns_per_body_step(self) -> float:
        return float(self._summary.ns_per_body_step)

    @property
    def digest(self) -> str:
        """Over every scientific number of every member under this method."""
        return decoded(self._summary.digest)

    @property
    def statistics(self) -> dict[str, float]:
        """All statistics, by their names in HDF5."""
        value, found = ctypes.c_double(), {}
        for info in self._infos:
            if not library.sd_result_statistic(self._handle.pointer, self._index, info.name, ctypes.byref(value)):
                found[decoded(info.name)] = value.value
        return found

    def _groups(self) -> Group:
        values = self.statistics
        return _grouped({decoded(info.place): values[decoded(info.name)] for info in self._infos})

    @property
    def slope(self) -> Any:
        """Of E - E0 against time: mean over members, stderr, ci95, first_half, second_half."""
        return self.energy.slope

    def __getattr__(self, name: str) -> Any:
        """energy, invariants, newton, ...: the statistics as they stand in the JSON."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._groups(), name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._groups()]

    def _views(self, function: Callable[..., int], count: int) -> list[_c.View]:
        views = [_c.View() for _ in range(count)]
        for i, view in enumerate(views):
            status = function(self._handle.pointer, self._index, i, ctypes.byref(view))
            if status:
                raise Error(status, "the result has no such array")
        return views

    @property
    def series(self) -> Series:
        """E - E0 of the ensemble over time."""
        return Series(self._handle, self._views(library.sd_result_series_at, library.sd_result_series_count(self._handle.pointer)),
                      self._family)

    @property
    def table(self) -> "Table":
        """What came of every member, of a run that was given `table`."""
        from .members import Table

        columns = library.sd_result_columns(self._handle.pointer)
        if not columns:
            raise ValueError("the run was not given table=True: there is no table of its members")
        return Table(self._handle, self._views(library.sd_result_column, columns), self._first)

    @property
    def events(self) -> Arrays:
        """What happened to every member, of a run that was given `at_event`: how often each event has come (`count`), whether it
        cannot any more (`unbound`), how near an approach came (`closest`, NaN of other events); then `time`, `distance` and
        `state` of the entries, NaN where it has not come: those of the first event, as many as it was given times, then of the
        next."""
        views = []
        for name in (b"count", b"unbound", b"closest", b"time", b"distance", b"state"):
            views.append(_c.View())
            if library.sd_result_events(self._handle.pointer, self._index, name, ctypes.byref(views[-1])):
                raise ValueError("the run was not given at_event: nothing happens to its members")
        return Arrays(self._handle, views)

    @property
    def at(self) -> Arrays:
        """Mean and covariance of the state at the times that the run was given as `at`, in their order: `time`, `members`,
        `state_mean`, `state_covariance`; their numbers are `series.mean_of` and `series.covariance_of`."""
        views = []
        for name in (b"time", b"members", b"state_mean", b"state_covariance"):
            views.append(_c.View())
            if library.sd_result_at(self._handle.pointer, self._index, name, ctypes.byref(views[-1])):
                raise ValueError("the run was not given times (at)")
        return Arrays(self._handle, views)

    @property
    def points(self) -> "Points":
        """Of a sweep: the grids, and what came of every point."""
        from .members import points_of

        return points_of(self._handle, self._index, self._infos)

    @property
    def final(self) -> States:
        """The states of the first members (all, unless the run was given `final`) at the end."""
        kept, status = library.sd_result_final_count(self._handle.pointer), _c.View()
        if kept:
            library.sd_result_final_statuses(self._handle.pointer, self._index, ctypes.byref(status))
        return States(self._handle, self._views(library.sd_result_final, library.sd_result_array_count(self._handle.pointer) if kept else 0),
                      status)

    @property
    def trajectories(self) -> Trajectories:
        """The states of the first members at the samples, of a run that was given `trajectories`."""
        pointer = self._handle.pointer
        kept, samples = library.sd_result_trajectory_count(pointer), library.sd_result_trajectory_samples(pointer)
        time = np.array([library.sd_result_trajectory_time(pointer, i) for i in range(samples if kept else 0)])
        return Trajectories(self._handle, self._views(library.sd_result_trajectory, library.sd_result_array_count(pointer) if kept else 0),
                            time)

    @property
    def elements(self) -> dict[str, NDArray[np.float64]]:
        """Kepler's elements of the trajectories, `a`, `e`, `i`, `node`, `peri`, `M`, angles in degrees: arrays over samples and members."""
        pointer, six = self._handle.pointer, (ctypes.c_double * 6)()
        shape = library.sd_result_trajectory_samples(pointer), library.sd_result_trajectory_count(pointer)
        found = np.empty((*shape, 6))
        for sample, member in np.ndindex(shape):
            if not library.sd_result_elements(pointer, self._index, sample, member, six):
                raise ValueError("elements are of point masses, which these are not")
            found[sample, member] = six
        if not found.size:
            raise ValueError("the run was not given trajectories: there are no states to have elements")
        return {name: found[:, :, k] for k, name in enumerate(("a", "e", "i", "node", "peri", "M"))}

    def plot_elements(self) -> "matplotlib.figure.Figure":
        """The elements over time, a thin line for each member, by matplotlib."""
        from .showing import plot_elements

        return plot_elements(self)

    def __repr__(self) -> str:
        return f"{self.name} on {self.problem}: {self.verdict}, {self.because}"


class Run:
    """What a run gave: one MethodResult for each method, by name or in order."""

    def __init__(self) -> None:
        raise TypeError("runs come from spindrift.run() and spindrift.open()")

    @classmethod
    def _of(cls, pointer: ctypes.c_void_p) -> "Run":
        run = object.__new__(cls)
        run._handle = Handle(pointer)
        families = [f.id for f in entries(library.sd_list_family, _c.FamilyInfo)]
        index = families.index(library.sd_result_family(pointer))
        run._statistics = list(entries(library.sd_list_statistic, _c.StatisticInfo, index))
        run._family = index
        run._first = int(str(run.plan["first-member"]))
        return run

    _handle: Handle
    _statistics: list[_c.StatisticInfo]
    _family: int
    _first: int

    @property
    def digest(self) -> str:
        """Over every scientific number of every member: equal on every machine."""
        return decoded(library.sd_result_digest(self._handle.pointer))

    @property
    def complete(self) -> bool:
        """Whether all methods were done."""
        return bool(library.sd_result_complete(self._handle.pointer))

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods that were done, in order."""
        return tuple(m.name for m in self)

    @property
    def plan(self) -> dict[str, Union[str, list[str]]]:
        """The settings that repeat the run, as the command line has them."""
        text = ctypes.c_void_p()
        status = library.sd_result_plan(self._handle.pointer, ctypes.byref(text))
        if status:
            raise Error(status, "the plan: " + decoded(library.sd_status_text(status)))
        lines: dict[str, list[str]] = {}
        plan: dict[str, Union[str, list[str]]] = {}
        for line in take_text(text).splitlines():
            key, _, value = line.partition(" ")
            lines.setdefault(key, []).append(value)
        for key, values in lines.items():
            plan[key] = values if len(values) > 1 or key in ("param", "impulse", "burn", "at-event", "system", "sweep", "spread") else values[0]
        return plan

    @property
    def note(self) -> str:
        """What should be known of how and where the run went on."""
        return "; ".join(filter(None, (decoded(library.sd_result_note(self._handle.pointer)), decoded(library.sd_result_why(self._handle.pointer)))))

    @property
    def swept(self) -> bool:
        """Whether it is a sweep: then methods have `points`, and no series."""
        return bool(library.sd_result_points(self._handle.pointer))

    def __len__(self) -> int:
        return int(library.sd_result_count(self._handle.pointer))

    def __bool__(self) -> bool:
        return True  # whether or not a method was done

    def __getitem__(self, which: Union[str, int]) -> MethodResult:
        if isinstance(which, str):
            for m in self:
                if m.name == which:
                    return m
            raise KeyError(f"{which}: the run has {', '.join(self.methods) or 'no method'}")
        count = len(self)
        if not -count <= which < count:
            raise IndexError(f"{which}: the run has {count} methods")
        return MethodResult(self._handle, which % count, self)

    def __iter__(self) -> Iterator[MethodResult]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, name: object) -> bool:
        return name in self.methods

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes an HDF5 file, whole or not at all; a result that is there stays as PATH.previous."""
        message, pointers = _c.Message(), (ctypes.c_void_p * 1)(self._handle.pointer)
        status = library.sd_results_save(pointers, 1, os.fsencode(path), message)
        if status:
            raise Error(status, decoded(message.value))
        if message.value:
            warnings.warn(decoded(message.value), Notice, stacklevel=2)

    def to_json(self) -> str:
        """The document that `spindrift run --json` prints."""
        text, size, pointers = ctypes.c_void_p(), ctypes.c_size_t(), (ctypes.c_void_p * 1)(self._handle.pointer)
        status = library.sd_results_json(pointers, 1, ctypes.byref(text), ctypes.byref(size))
        if status:
            raise Error(status, decoded(library.sd_status_text(status)))
        return take_text(text)

    def to_dict(self) -> dict[str, Any]:
        """The same, parsed."""
        return dict(json.loads(self.to_json()))

    def table(self) -> str:
        """The table that the command line prints."""
        from .showing import table

        return table(self)

    def __repr__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        from .showing import run_html

        return run_html(self)

    def plot(self, ax: "matplotlib.axes.Axes | None" = None, band: bool = True) -> "matplotlib.axes.Axes":
        """E - E0 over time, mean of the ensemble and 90 % of its members, by matplotlib; of a sweep the slope of its first method."""
        from .showing import plot

        return plot(self, ax, band)

    def to_pandas(self) -> "pandas.DataFrame":
        """A row of statistics for each method."""
        from .showing import run_to_pandas

        return run_to_pandas(self)

    def to_xarray(self) -> "xarray.Dataset":
        """Statistics, series, final states and trajectories, with units and descriptions.

        Methods are along `integrator`: `method` is a word of xarray's own, in sel()."""
        from .showing import run_to_xarray

        return run_to_xarray(self)

    def __reduce__(self) -> Any:
        raise TypeError("a run cannot be pickled: save() it, and open() the file")
