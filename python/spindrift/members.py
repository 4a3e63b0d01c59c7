"""What a run keeps of its members one by one, and of the points of a sweep."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import library as _c
from .library import decoded, library
from .results import Arrays, ArraysWithStatus, Handle, array_of

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray


class Axes(Mapping[str, NDArray[np.float64]]):
    """The grids of a sweep, in order: values by name."""

    def __init__(self, handle: Handle):
        self._values: dict[str, NDArray[np.float64]] = {}
        for k, info in enumerate(_c.entries(library.sd_result_axis, _c.AxisInfo, handle.pointer)):
            self._values[decoded(info.name)] = np.array([library.sd_result_axis_value(handle.pointer, k, i) for i in range(info.count)])

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {len(v)} values from {v[0]:g} to {v[-1]:g}" for name, v in self._values.items())


class Table(ArraysWithStatus):
    """What came of every member, of a run that was given `table`: slope, extremes, errors; of a sweep an axis for each grid first."""

    def __init__(self, handle: Handle, views: Sequence[_c.View], first: int):
        super().__init__(handle, views[1:], views[0])
        self._first = first

    @property
    def member(self) -> NDArray[np.int64]:
        """What `rerun` calls each."""
        return self._first + np.arange(self.codes.size).reshape(self.codes.shape)

    def farthest(self, name: str) -> int:
        """The member, by that number, whose entry is the farthest from 0."""
        sizes = np.abs(self[name])
        if np.isnan(sizes).all():
            raise ValueError(f"{name}: no member has one")
        return int(self.member.flat[int(np.nanargmax(sizes))])

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each member."""
        import pandas

        columns = {name: self[name].ravel() for name in self}
        return pandas.DataFrame({"status": self.status.ravel(), **columns}, index=pandas.Index(self.member.ravel(), name="member"))


class Points(Arrays):
    """The points of a sweep, each an ensemble of its own: every statistic, with an axis for each grid of `axes`."""

    def __init__(self, handle: Handle, views: Sequence[_c.View], verdicts: _c.View):
        super().__init__(handle, views)
        self._verdicts = verdicts
        self.axes = Axes(handle)

    @property
    def codes(self) -> NDArray[np.uint64]:
        """What `verdict` says in words: 0 undecided, 1 bounded, 2 drifts +, 3 drifts -."""
        return array_of(self._handle, self._verdicts)

    @property
    def verdict(self) -> NDArray[np.str_]:
        words = np.array([decoded(library.sd_verdict_text(k)) for k in range(4)])
        return words[self.codes.astype(np.intp)]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(values) for values in self.axes.values())

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each point, by the values of the grids."""
        import pandas

        index = pandas.MultiIndex.from_product(list(self.axes.values()), names=list(self.axes))
        return pandas.DataFrame({"verdict": self.verdict.ravel(), **{name: self[name].ravel() for name in self}}, index=index)

    def to_xarray(self) -> "xarray.Dataset":
        """The grids are its dimensions."""
        import xarray

        names = list(self.axes)
        data: dict[str, Any] = {name: (names, self[name], self.about(name)) for name in self}
        return xarray.Dataset({"verdict": (names, self.verdict), **data}, dict(self.axes))

    def plot(self, of: str = "drift_slope", ax: "matplotlib.axes.Axes | None" = None) -> "matplotlib.axes.Axes":
        """A statistic over the grid, by matplotlib: a line over one, colours over two (of three: the first value of the third)."""
        from .showing import plot_points

        return plot_points(self, of, ax)


def points_of(handle: Handle, method: int, statistics: Sequence[_c.StatisticInfo]) -> Points:
    if not library.sd_result_points(handle.pointer):
        raise ValueError("the run is no sweep: it has no points")
    views: dict[bytes, _c.View] = {}
    for name in [*(info.name for info in statistics), b"failed", b"reason", b"verdict"]:
        views[name] = _c.View()
        library.sd_result_point(handle.pointer, method, name, ctypes.byref(views[name]))
    return Points(handle, [view for name, view in views.items() if name != b"verdict"], views[b"verdict"])
