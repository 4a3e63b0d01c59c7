"""Results for people and for other packages, none of which is needed by anything else."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import Error
from .library import decoded, library
from .listing import table_html

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure
    import pandas
    import xarray

    from .members import Points
    from .results import Arrays, MethodResult, Run, Series


def table(run: "Run") -> str:
    """By the library, into a stream in memory."""
    libc = ctypes.CDLL(None)
    libc.open_memstream.restype = ctypes.c_void_p
    libc.open_memstream.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)]
    libc.fclose.argtypes = [ctypes.c_void_p]
    libc.free.argtypes = [ctypes.c_void_p]
    libc.free.restype = None
    text, size = ctypes.c_void_p(), ctypes.c_size_t()
    stream = libc.open_memstream(ctypes.byref(text), ctypes.byref(size))
    if not stream:
        raise MemoryError
    status = library.sd_result_write_table(run._handle.pointer, stream)
    libc.fclose(stream)
    try:
        if status:
            raise Error(status, decoded(library.sd_status_text(status)))
        return ctypes.string_at(text.value or 0, size.value).decode(errors="replace").rstrip("\n")
    finally:
        libc.free(text)


def run_html(run: "Run") -> str:
    columns = ("method", "verdict", "because", "dE/dt", "95 % interval", "max |E-E0|", "failed", "ns/step")
    rows = ([m.name, m.verdict, m.because, f"{m.slope.mean:+.2e}", "{:+.2e} .. {:+.2e}".format(*m.slope.ci95),
             f"{m.energy.max_abs_error:.2e}", str(m.failed), f"{m.ns_per_body_step:.2f}"] for m in run)
    about = f"{run[0].problem}: {run[0].members} members, step {run[0].step:g}, time {run[0].time:g}; " if len(run) else ""
    missing = "" if run.complete else "; incomplete"
    return f"<p>{about}digest <code>{run.digest}</code>{missing}</p>" + table_html(columns, rows)


def _axes(ax: "matplotlib.axes.Axes | None") -> "matplotlib.axes.Axes":
    if ax is None:
        import matplotlib.pyplot

        ax = matplotlib.pyplot.subplots(layout="constrained")[1]
    return ax


def plot_points(points: "Points", of: str, ax: "matplotlib.axes.Axes | None") -> "matplotlib.axes.Axes":
    ax = _axes(ax)
    (x, first), *rest = points.axes.items()
    values = points[of]
    ax.set_xlabel(x)
    label = f"{of} [{points.about(of)['units']}]"
    if not rest:
        ax.plot(first, values, ".-")
        ax.set_ylabel(label)
        return ax
    y, second = rest[0]
    picture = ax.pcolormesh(first, second, (values if values.ndim == 2 else values[:, :, 0]).T, shading="nearest")
    ax.figure.colorbar(picture, ax=ax, label=label)
    undecided = np.argwhere((points.codes if values.ndim == 2 else points.codes[:, :, 0]) == 0)
    ax.plot(first[undecided[:, 0]], second[undecided[:, 1]], "k.", markersize=3)
    ax.set_ylabel(y)
    if len(rest) > 1:
        ax.set_title(f"{rest[1][0]} = {rest[1][1][0]:g}")
    return ax


def plot(run: "Run", ax: "matplotlib.axes.Axes | None", band: bool) -> "matplotlib.axes.Axes":
    if run.swept:
        return plot_points(run[0].points, "drift_slope", ax)
    ax = _axes(ax)
    for m in run:
        s = m.series
        (line,) = ax.plot(s.time, s.mean, label=f"{m.name}: {m.verdict}", linewidth=1)
        if band and m.members > 1:
            ax.fill_between(s.time, s.quantile[:, 0], s.quantile[:, -1], color=line.get_color(), alpha=0.2, linewidth=0)
    ax.set_xlabel("time")
    ax.set_ylabel("$E - E_0$")
    if len(run):
        ax.set_title(f"{run[0].problem}, {run[0].members} members, step {run[0].step:g}")
        ax.legend()
    return ax


def plot_elements(method: "MethodResult") -> "matplotlib.figure.Figure":
    import matplotlib.pyplot

    labels = {"a": "semi-major axis a", "e": "eccentricity e", "i": "inclination i [°]", "node": "node [°]", "peri": "pericentre [°]",
              "M": "mean anomaly M [°]"}
    figure: "matplotlib.figure.Figure"
    figure, axes = matplotlib.pyplot.subplots(3, 2, layout="constrained", sharex=True, figsize=(9, 8))
    for (name, values), ax in zip(method.elements.items(), axes.flat):
        if name in ("node", "peri"):  # on beyond a turn, near to the first member's
            values = np.unwrap(values, period=360, axis=0)
            values = values - 360 * np.round((values[:1] - values[0, 0]) / 360)
        ends = np.abs(np.diff(values, axis=0, prepend=values[:1])) > 180 if name == "M" else np.zeros(values.shape, dtype=bool)
        ax.plot(method.trajectories.time, np.where(ends, np.nan, values), linewidth=0.6, color="C0", alpha=0.7)
        ax.set_title(labels[name], fontsize="medium")
    for ax in axes[-1]:
        ax.set_xlabel("time")
    figure.suptitle(f"{method.problem}, {method.name}: {len(method.elements['a'][0])} of {method.members} members, step {method.step:g}")
    return figure


def run_to_pandas(run: "Run") -> "pandas.DataFrame":
    import pandas

    rows = [{"method": m.name, "verdict": m.verdict, "because": m.because, "members": m.members, "failed": m.failed, **m.statistics}
            for m in run]
    return pandas.DataFrame(rows).set_index("method") if rows else pandas.DataFrame()


def series_to_pandas(series: "Series") -> "pandas.DataFrame":
    import pandas

    columns: dict[str, Any] = {}
    for name in series:
        values = series[name]
        if values.ndim == 1:
            columns[name] = values
        elif name == "state_mean":
            columns.update({f"mean {part}": values[:, k] for k, part in enumerate(series.mean_of)})
        elif name == "state_covariance":
            columns.update({f"deviation {part}": np.sqrt(values[:, k, k]) for k, part in enumerate(series.covariance_of)})
        else:
            columns.update({f"{name}_{level:g}": values[:, k] for k, level in enumerate(series.levels)})
    return pandas.DataFrame(columns).set_index("time")


def _stacked(arrays: "list[Arrays]", name: str) -> Any:
    return np.stack([a[name] for a in arrays])


def run_to_xarray(run: "Run") -> "xarray.Dataset":
    import xarray

    data: dict[str, Any] = {}
    methods = list(run)
    if methods:
        for info in run._statistics:
            name = decoded(info.name)
            data[name] = ("integrator", [m.statistics[name] for m in methods], {"units": decoded(info.units), "long_name": decoded(info.text)})
        data["verdict"] = ("integrator", [m.verdict for m in methods])
        data["failed"] = ("integrator", [m.failed for m in methods])
        _add_series(data, [m.series for m in methods])
        if len(methods[0].final):
            data["final_status"] = (("integrator", "member"), np.stack([m.final.status for m in methods]))
        _add_states(data, "final", [m.final for m in methods], ("member",))
        _add_states(data, "trajectory", [m.trajectories for m in methods], ("time", "recorded"))
        if run.swept:
            _add_points(data, [m.points for m in methods])
    times = {"time": methods[0].series.time, "level": list(methods[0].series.levels)} if methods and not run.swept else {}
    if methods and run.swept:
        times = dict(methods[0].points.axes)
    if methods and "state_mean" in methods[0].series:
        s = methods[0].series
        times.update({"mean_of": list(s.mean_of), "covariance_of": list(s.covariance_of), "with": list(s.covariance_of)})
    plan = {f"plan_{key}": value for key, value in run.plan.items()}
    return xarray.Dataset(data, {"integrator": list(run.methods), **times}, {"digest": run.digest, "complete": int(run.complete), **plan})


def _add_series(data: dict[str, Any], series: "list[Series]") -> None:
    for name in series[0]:
        if name == "time":
            continue
        inner = {"state_mean": ("mean_of",), "state_covariance": ("covariance_of", "with"), "quantile": ("level",)}
        axes = ("integrator", "time", *inner.get(name, ()))
        data["sample_members" if name == "members" else name] = (axes, _stacked(list(series), name), series[0].about(name))


def _add_points(data: dict[str, Any], points: "list[Points]") -> None:
    axes = ("integrator", *points[0].axes)
    data["point_verdict"] = (axes, np.stack([p.verdict for p in points]))
    for name in points[0]:
        data[f"point_{name}"] = (axes, _stacked(list(points), name), points[0].about(name))


def _add_states(data: dict[str, Any], prefix: str, states: "list[Any]", outer: tuple[str, ...]) -> None:
    for name in states[0]:
        rank = states[0][name].ndim - len(outer)
        inner = tuple(f"{name}_{k}" for k in range(rank))
        data[f"{prefix}_{name}"] = (("integrator", *outer, *inner), _stacked(states, name), states[0].about(name))
