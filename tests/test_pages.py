#!/usr/bin/env python3
"""The verbs report and plot: pages and pictures of result files."""
import csv
import html.parser
import json
import math
import os
import re
import shutil
import subprocess
import unittest

from command_line import Case
from pictures import is_png, needs_gnuplot, texts_of

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
VOID = {"meta", "link", "input", "br", "line", "path", "rect", "circle"}


class Page(html.parser.HTMLParser):
    """Tags that close, identities that are unique, and nothing that is fetched."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.tags, self.refs, self.labels = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.refs += [attrs[k] for k in ("src", "href") if k in attrs]
        self.labels += [attrs["aria-label"]] if "aria-label" in attrs else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, tag


class Pages(Case):

    def tearDown(self):
        for name in os.listdir(self.directory.name):
            path = os.path.join(self.directory.name, name)
            (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
        super().tearDown()

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def result(self, *argv):
        self.good("run", "--quiet", "--members", "32", "--time", "50", "--method", "eln,vlv", "--output", "run.h5", *argv)

    def page(self):
        self.assertEqual(self.good("report", "run.h5").out, "run.html\n")
        with open(self.path("run.html"), encoding="utf-8") as file:
            text = file.read()
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertEqual(len(set(page.ids)), len(page.ids))
        self.assertEqual([ref for ref in page.refs if ref != "data:,"], [])
        found = re.search(r"(?i).{0,60}(https?://|\bnan\b|\binf\b).{0,60}", text)
        self.assertIsNone(found, found and found.group(0))
        return text, page

    def test_a_run(self):
        self.result("--final", "32", "--trajectories", "2")
        text, page = self.page()
        self.assertGreaterEqual(page.tags.count("svg"), 6)  # verdicts, two bands, the end, two histograms
        self.assertEqual(page.tags.count("canvas"), 1)
        self.assertIn("Energy error of vlv over time", " ".join(page.labels))
        digest = json.loads(self.good("rerun", "run.h5", "--json", "--quiet").out)["digest"]
        self.assertIn(digest, text)
        paths = json.loads(re.search(r'id="paths">(.*?)</script>', text, re.S).group(1))
        self.assertEqual((len(paths["paths"]), paths["ball"]), (4, True))
        self.assertEqual(len(paths["paths"][0]["points"]), len(paths["time"]))
        self.assertTrue(all(sum(x * x for x in p) <= 9.87 for p in paths["paths"][0]["points"]))

    def test_its_command_repeats_it(self):
        self.result("--seed", "7", "--param", "alpha=0.4")
        text, _ = self.page()
        command = re.findall(r"<pre>spindrift (run [^<]*)</pre>", text)[0].split()
        digest = json.loads(self.good("rerun", "run.h5", "--json", "--quiet").out)["digest"]
        self.assertEqual(json.loads(self.good(*command, "--quiet", "--json").out)["digest"], digest)

    def test_a_study_of_several_steps(self):
        with open(self.path("study.toml"), "w") as file:
            file.write('problem = "stress"\nmethod = ["eln", "rk2"]\nmembers = 8\nstep = [0.25, 0.125]\ntime = 20\n')
        self.call("run", "study.toml", "--quiet", "--output", "run.h5")
        text, _ = self.page()
        self.assertIn("Error against cost", text)

    def test_points(self):
        self.good("run", "--quiet", "--problem", "orbit-elliptic", "--method", "verlet,rk4", "--members", "4", "--time", "7200",
                  "--trajectories", "1", "--output", "run.h5")
        text, _ = self.page()
        self.assertIn("Positions in space", text)

    def test_systems(self):
        self.good("run", "--quiet", "--problem", "torus", "--param", "n=12", "--method", "rrp,vlv", "--members", "8", "--steps", "20",
                  "--trajectories", "1", "--final", "8", "--output", "run.h5")
        text, page = self.page()
        self.assertIn("every body", text)
        shown = json.loads(re.search(r'id="paths">(.*?)</script>', text, re.S).group(1))
        self.assertEqual((shown["bodies"], len(shown["paths"]), shown["ball"]), (12, 24, False))
        points = [p for path in shown["paths"] for p in path["points"]]
        for axis in range(3):  # seen from their middle, all of them
            self.assertAlmostEqual(min(p[axis] for p in points), -max(p[axis] for p in points), delta=1e-3 * shown["radius"])
        self.assertLessEqual(max(sum(x * x for x in p) for p in points) ** 0.5, 1.001 * shown["radius"])
        self.assertGreater(abs(shown["origin"][0]), 1)  # the wall is at x = 0, beside the ring
        ticks = re.findall(r'text-anchor="end">([^<]*)</text>', text[text.index("Histogram of"):])
        self.assertTrue(all("." not in tick for tick in ticks if tick[0].isdigit()), ticks)  # members are whole

    def swept(self, *argv):
        """The page, and the results of the document beside it."""
        if os.path.exists(self.path("run.h5")):
            os.remove(self.path("run.h5"))
        outcome = self.call("run", "--quiet", "--members", "4", "--method", "eln,vlv", "--output", "run.h5", "--json", *argv)
        return *self.page(), json.loads(outcome.out)["results"]

    def test_a_sweep_of_one_grid(self):
        text, page, results = self.swept("--sweep", "alpha=0.1:0.5:5", "--steps", "400")
        self.assertEqual(page.tags.count("svg"), 2)
        for result in results:
            row = re.search(r"%s</td>((<td>\d+</td>)+)" % result["method"], text).group(1)
            counts = [result["verdicts"][word] for word in ("drifts -", "drifts +", "bounded", "undecided")]
            self.assertEqual([int(cell) for cell in re.findall(r"\d+", row)], counts + [0])

    def test_a_sweep_of_two_and_three(self):
        text, page, _ = self.swept("--sweep", "alpha=0.1:0.5:5", "--sweep", "J.3=2:4:70", "--steps", "40")
        self.assertEqual(text.count('class="cell"'), 2 * 5 * 64)
        self.assertIn("Of J.3, 64 of 70 values are shown.", text)
        self.assertIn("<title>alpha = 0.5, J.3 = 4: ", text)
        text, page, _ = self.swept("--sweep", "alpha=0.1:0.5:2", "--sweep", "J.1=2:2.5:3", "--sweep", "J.3=2:4:4:log", "--steps", "40")
        self.assertEqual((text.count('class="cell"'), page.tags.count("svg")), (2 * 2 * 3 * 4, 4))
        self.assertIn("<h4>vlv, alpha = 0.5</h4>", text)

    def test_a_sweep_that_loses_all(self):
        """No estimate is grey, and no number."""
        text, _, _ = self.swept("--sweep", "alpha=0.1:0.5:3", "--sweep", "J.3=2:4:3", "--sigma-velocity", "1e6", "--steps", "40")
        self.assertEqual(text.count('fill="#9a9a9a"'), 2 * 9)

    def test_headings(self):
        self.result("--final", "32", "--trajectories", "1")
        _, page = self.page()
        levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)  # none is left out

    @unittest.skipUnless(CHROMIUM, "there is no Chromium")
    def test_in_a_browser(self):
        self.result("--trajectories", "1")
        self.page()
        done = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
                               "--user-data-dir=" + self.path("profile"), "--virtual-time-budget=2000", "--dump-dom",
                               "file://" + self.path("run.html")], capture_output=True, text=True, timeout=60, env=self.environment)
        self.assertNotIn("CONSOLE", done.stderr)
        self.assertRegex(done.stdout, r'<output id="shown"[^>]*>t = 50</output>')  # the script has run

    @needs_gnuplot
    def test_pictures(self):
        self.result()
        names = self.good("plot", "run.h5").out.split()
        self.assertEqual(names, ["run-energy.svg", "run-verdicts.svg", "run-end.svg"])
        for name in names:
            self.assertTrue(any("vlv" in text for text in texts_of(self.path(name))), name)
        for name in self.good("plot", "run.h5", "--output", "other.png").out.split():
            self.assertTrue(is_png(self.path(name)))

    # ---- members about a centre ----

    ABOUT = ["--problem", "orbit-circular", "--param", "mu=398600.4418", "--elements", "a=7000,e=0.01,i=98,node=359.999,peri=30,M=0", "--param",
             "j2=1.08263e-3", "--param", "radius=6378.137", "--method", "bm6,verlet", "--members", "32", "--sigma-position", "1",
             "--sigma-momentum", "0.001", "--step", "60", "--time", "12000", "--trajectories", "4"]

    def tracks(self, *more):
        self.good("run", "--quiet", *self.ABOUT, *more, "--output", "run.h5")

    def labelled(self, pattern):
        """Numbers that the page's charts are read out with."""
        found = [re.search(pattern, label) for label in self.page()[1].labels]
        return [tuple(map(float, hit.groups())) for hit in found if hit]

    def test_elements_on_the_page(self):
        """They go from least to most of what the tables of all members have, and a node on beyond a turn."""
        self.tracks()
        columns = {name: [] for name in ("a", "e", "i", "node")}
        for method in ("bm6", "verlet"):
            for member in "0123":
                self.good("export", "run.h5", "--format", "elements", "--method", method, "--member", member, "--output", "x.csv")
                with open(self.path("x.csv"), encoding="ascii") as file:
                    rows = list(csv.DictReader(file))
                for name, column in columns.items():
                    column += [float(row[name]) for row in rows]
        columns["node"] = [node if node > 180 else node + 360 for node in columns["node"]]
        self.assertLess(min(columns["node"]), 360)
        self.assertGreater(max(columns["node"]), 360)
        for name, title in {"a": "semi-major axis a", "e": "eccentricity e", "i": r"inclination i \[°\]", "node": r"node \[°\]"}.items():
            ((low, high),) = self.labelled(title + r" over time: from (\S+) to (\S+)")
            least, most = min(columns[name]), max(columns[name])
            self.assertAlmostEqual(low, least - 0.04 * (most - least), delta=1e-5 * most)
            self.assertAlmostEqual(high, most + 0.04 * (most - least), delta=1e-5 * most)
        self.assertEqual(self.labelled(r"deviations of (\S+)"), [])  # without moments nothing is known of it

    def test_spread_on_the_page(self):
        """Its deviations are those of the covariance along the orbit of the mean, at the times that were asked for."""
        self.tracks("--moments", "--at", "3000,9000")
        document = json.loads(self.good("run", "--quiet", *self.ABOUT, "--moments", "--at", "3000,9000", "--json").out)
        expected = []
        for result in document["results"]:
            for at in result["moments"]["at"]:
                q, p = at["state_mean"][:3], at["state_mean"][3:]
                cross = lambda a, b: [a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3] for k in range(3)]
                unit = lambda a: [x / math.hypot(*a) for x in a]
                outward = unit(q)
                for d in (unit(cross(cross(q, p), q)), outward):
                    expected.append(math.sqrt(sum(d[i] * d[k] * at["state_covariance"][i][k] for i in range(3) for k in range(3))))
        found = [number for pair in self.labelled(r"deviations of (\S+) forward, (\S+) outward") for number in pair]
        self.assertEqual(len(found), 8)
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a / b, 1, delta=6e-3)

    @needs_gnuplot
    def test_pictures_of_tracks(self):
        self.tracks("--moments", "--at", "3000,9000")
        names = self.good("plot", "run.h5").out.split()
        self.assertEqual(names[3:], ["run-paths.svg", "run-elements.svg"])
        paths, elements = (texts_of(self.path(name)) for name in names[3:])
        for text in ("t = 3000", "t = 9000", "3 σ", "— bm6", "— verlet"):
            self.assertIn(text, paths)
        self.assertTrue(any(re.match("3 σ of the members, × [125]0*$", text) for text in paths), paths)  # enlarged, and says so
        for text in ("semi-major axis a", "node [°]", "mean anomaly M [°]", "— bm6"):
            self.assertIn(text, elements)
        for name in self.good("plot", "run.h5", "--output", "other.png").out.split():
            self.assertTrue(is_png(self.path(name)))

    def test_bad_input(self):
        for verb in ("plot", "report"):
            self.refused([verb], "file")
            self.refused([verb, "run.h5", "--method", "vlv"], "--method")
        with open(self.path("other.h5"), "w") as file:
            file.write("not ours")
        for verb in ("plot", "report"):
            outcome = self.call(verb, "other.h5")
            self.assertIn(outcome.status, (1, 2))
            self.assertRegex(outcome.err, r"\A[^\n]*other.h5[^\n]*\n\Z")
        self.assertEqual(os.listdir(self.directory.name), ["other.h5"])


if __name__ == "__main__":
    unittest.main()
