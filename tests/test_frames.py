"""Runs for other packages: pandas, xarray, matplotlib, IPython.  tools/test_python runs it where these are.

SPINDRIFT_LIBRARY names the shared library of the package that is found."""
import unittest

import matplotlib

matplotlib.use("agg")
import numpy as np  # noqa: E402
import spindrift as sd  # noqa: E402

RUN = sd.run(method="eln,vlv", members=24, steps=60, trajectories=3, every=5)


class Frames(unittest.TestCase):
    def test_pandas(self):
        frame = RUN.to_pandas()
        self.assertEqual(list(frame.index), ["eln", "vlv"])
        self.assertEqual(frame.loc["eln", "slope_mean"], RUN["eln"].slope.mean)
        self.assertEqual(frame.loc["vlv", "verdict"], RUN["vlv"].verdict)
        series = RUN["eln"].series.to_pandas()
        self.assertEqual(series.index.tolist(), RUN["eln"].series.time.tolist())
        self.assertEqual(series["mean"].tolist(), RUN["eln"].series.mean.tolist())
        self.assertEqual(series["quantile_0.95"].tolist(), RUN["eln"].series.quantile[:, -1].tolist())

    def test_xarray(self):
        data = RUN.to_xarray()
        self.assertEqual(data.attrs["digest"], RUN.digest)
        self.assertEqual(data["final_Q"].sel(integrator="vlv").values.tolist(), RUN["vlv"].final.Q.tolist())
        self.assertEqual(data["trajectory_W"].shape, (2, 13, 3, 3))
        self.assertEqual(data["mean"].sel(integrator="eln").values.tolist(), RUN["eln"].series.mean.tolist())
        self.assertEqual(data["quantile"].sel(integrator="eln", level=0.5).values.tolist(), RUN["eln"].series.quantile[:, 2].tolist())
        self.assertEqual(float(data["slope_mean"].sel(integrator="eln")), RUN["eln"].slope.mean)
        self.assertEqual(data["final_W"].attrs["units"], "1/time")
        self.assertEqual(data["time"].values.tolist(), RUN["eln"].series.time.tolist())

    def test_elements(self):
        """Those of a start are those that were given, of all members and samples of a two-body orbit they stay."""
        run = sd.run("orbit-circular", "rk8", elements="a=2000,e=0.2,i=50,node=40,peri=30,M=20", members=3, steps=20, trajectories=3)
        found = run["rk8"].elements
        for name, value in {"a": 2000, "e": 0.2, "i": 50, "node": 40, "peri": 30, "M": 20}.items():
            self.assertEqual(found[name].shape, (21, 3))
            self.assertAlmostEqual(found[name][0, 0] / value, 1, places=12)
            self.assertEqual(np.ptp(found[name], axis=0).max() < 1e-6 * value, name != "M", name)
        with self.assertRaises(ValueError):
            sd.run(method="eln", trajectories=3, members=4, time=5)["eln"].elements
        with self.assertRaises(ValueError):
            sd.run("orbit-circular", "rk8", steps=10)["rk8"].elements

    def test_plot_elements(self):
        run = sd.run("orbit-elliptic", "verlet", members=5, steps=2000, every=20, trajectories=3)
        axes = run["verlet"].plot_elements().axes
        self.assertEqual([len(ax.lines) for ax in axes], [3] * 6)
        self.assertTrue(np.array_equal(axes[1].lines[2].get_ydata(), run["verlet"].elements["e"][:, 2]))
        self.assertTrue(np.isnan(axes[5].lines[0].get_ydata()).any())  # an anomaly begins anew

    def test_plot(self):
        ax = RUN.plot()
        self.assertEqual([line.get_label().split(":")[0] for line in ax.get_lines()], ["eln", "vlv"])
        self.assertTrue(np.array_equal(ax.get_lines()[0].get_ydata(), RUN["eln"].series.mean))
        self.assertEqual(len(ax.collections), 2)
        self.assertEqual(len(RUN.plot(band=False).collections), 0)
        self.assertIs(RUN.plot(ax), ax)

    def test_sweeps(self):
        run = sd.run(method=["eln", "vlv"], steps=100, members=2, sweep={"alpha": (0.1, 0.4, 3), "J.3": (2, 4, 2)}, table=True)
        points = run["eln"].points
        frame = points.to_pandas()
        self.assertEqual(frame.index.names, ["alpha", "J.3"])
        self.assertEqual(frame["drift_slope"].tolist(), points.drift_slope.ravel().tolist())
        data = points.to_xarray()
        self.assertEqual(data.drift_slope.dims, ("alpha", "J.3"))
        self.assertEqual(float(data.drift_slope.sel({"alpha": 0.4, "J.3": 2})), points.drift_slope[2, 0])
        self.assertEqual(run.to_xarray().point_drift_slope.sel(integrator="vlv").shape, (3, 2))
        self.assertEqual(run["eln"].table.to_pandas().shape[0], 12)
        self.assertEqual(run.plot().get_ylabel(), "J.3")
        self.assertEqual(sd.run(method="eln", steps=100, sweep={"alpha": (0.1, 0.4, 3)}).plot().get_xlabel(), "alpha")

    def test_moments_at_times(self):
        run, plan = sd.run("orbit-elliptic", "verlet", members=20, steps=40, moments=True), dict(members=20, steps=40, at=[400, 101.5])
        at, series = sd.run("orbit-elliptic", "verlet", **plan)["verlet"].at, run["verlet"].series
        self.assertEqual((at.time.tolist(), at.members.tolist()), ([400, 101.5], [20, 20]))
        self.assertEqual(at.state_mean[0].tolist(), series.state_mean[-1].tolist())
        self.assertEqual(at.state_covariance[0].tolist(), series.state_covariance[-1].tolist())
        self.assertEqual(at.state_covariance.shape, (2, 6, 6))
        with self.assertRaisesRegex(ValueError, "not given times"):
            run["verlet"].at

    def test_moments(self):
        run = sd.run("orbit-elliptic", "verlet", members=20, steps=40, moments=True)
        data = run.to_xarray()
        self.assertEqual(data.state_covariance.dims, ("integrator", "time", "covariance_of", "with"))
        self.assertEqual(data.state_mean.sel(integrator="verlet", mean_of="position.2").shape, (41,))
        self.assertIn("deviation position.1", run["verlet"].series.to_pandas())

    def test_a_run_without_methods(self):
        with self.assertWarns(sd.Notice):
            none = sd.run(method="eln", members=64, steps=10**9, max_time="0.1s")
        self.assertEqual(len(none.to_pandas()), 0)
        self.assertEqual(none.to_xarray().attrs["complete"], 0)
        self.assertIn("incomplete", none._repr_html_())
        self.assertEqual(len(none.plot().get_lines()), 0)


if __name__ == "__main__":
    unittest.main()
