"""Runs assay collectives as those do who bring up machines: threads as ranks, and processes of mpirun where it is there.

  python3 collectives.py ASSAY [unittest options]
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
MPIRUN = shutil.which("mpirun")
SMALL = ["-b", "64", "-e", "64K", "-f", "32", "-n", "3"]


class Scratch(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def assay(self, *arguments, code=0, says="", before=()):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI"))}
        done = subprocess.run([*before, ASSAY, "collectives", *map(str, arguments), "--no-config"], cwd=self.folder, env=kept, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=90)
        said = done.stdout + done.stderr
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(done.returncode, codes, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return done.stdout

    def rows(self, text):
        """What a script that reads nccl-tests' tables takes: lines that are no comments, split at blanks."""
        return [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]


class Threads(Scratch):
    def test_sweep_has_the_columns_of_nccl_tests(self):
        text = self.assay("sweep", "--ranks", 3, *SMALL, "--algorithm", "tree", says="# Out of bounds values : 0 OK")
        rows = self.rows(text)
        self.assertEqual([row[0] for row in rows], ["64", "2048", "65536"])
        for row in rows:
            self.assertEqual(len(row), 13, row)
            self.assertEqual(row[2:5], ["float", "sum", "-1"])
            self.assertEqual((row[8], row[12]), ("0", "0"))
            self.assertAlmostEqual(float(row[6]) * 4 / 3, float(row[7]), delta=0.02)  # busbw = algbw * 2 (n - 1) / n
        self.assertRegex(text, r"# Avg bus bandwidth    : [0-9.e+-]+\n")

    def test_sweep_is_written_for_programs(self):
        self.assay("sweep", "--ranks", 2, "--op", "all_gather,barrier", "-d", "half", *SMALL, "--theory", "--json", "sweep.json", "--csv", "sweep.csv", "--report", "run.json", "--html", "page.html", says="# Theory: the link measured by send_receive")
        sweep = json.loads((self.folder / "sweep.json").read_text())
        self.assertEqual(sweep["config"]["ranks"], 2)
        self.assertEqual([row["type"] for row in sweep["results"]], ["half"] * 3 + ["int8"])
        self.assertEqual(sweep["results"][0]["in_place"]["nwrong"], 0)
        self.assertEqual(len(sweep["results"][0]["out_of_place_per_iter"]["times_us"]), 3)
        with open(self.folder / "sweep.csv", encoding="utf-8", newline="") as file:
            points = list(csv.DictReader(file))
        self.assertEqual(len(points), 7)
        self.assertEqual({point["wrong"] for point in points}, {"0"})
        run = json.loads((self.folder / "run.json").read_text())
        self.assertEqual({outcome["verdict"] for outcome in run["outcomes"]}, {"pass"})
        curve = [outcome for outcome in run["outcomes"] if outcome["id"].endswith("/curve")][0]
        self.assertEqual(len(curve["series"]), 2)
        self.assertIn("fraction_of_theory", {entry["name"] for entry in run["outcomes"][0]["measurements"]})
        self.assertIn("bus bandwidth, measured", (self.folder / "page.html").read_text())

    def test_unverified_is_not_right(self):
        text = self.assay("sweep", "--ranks", 2, "--size", "1kB", "-c", 0, "-n", 2, "--placement", "in", "--report", "run.json", says="NOT VERIFIED")
        self.assertEqual(self.rows(text)[0][8], "N/A")
        self.assertEqual(json.loads((self.folder / "run.json").read_text())["outcomes"][0]["verdict"], "inconclusive")

    def test_results_are_verified(self):
        self.assay("verify", "--ranks", 3, "--algorithm", "recursive_halving_doubling", "--op", "all_reduce,all_to_all_v", "-d", "bf16,int16", "--report", "run.json", says="[0-9]+ right, 0 wrong, 0 failed, 0 unsupported, 0 not reached; in_process")
        run = json.loads((self.folder / "run.json").read_text())
        self.assertGreater(len(run["outcomes"]), 20)
        self.assertEqual({outcome["verdict"] for outcome in run["outcomes"]}, {"pass"})

    def test_the_sizes_that_are_asked_for_are_verified(self):
        one = ["verify", "--ranks", 2, "--op", "reduce_scatter", "-d", "f64", "-o", "sum"]
        self.assay(*one, "--size", "16K", "-n", 2, "--report", "run.json", says="12 right, 0 wrong")
        outcomes = json.loads((self.folder / "run.json").read_text())["outcomes"]
        self.assertEqual({re.search("count([0-9]+)", outcome["id"])[1] for outcome in outcomes}, {"1024"})
        self.assertEqual({entry["value"] for outcome in outcomes for entry in outcome["measurements"] if entry["name"] == "calls"}, {2})
        self.assay(*one, "-b", "1K", "-e", "4K", "-f", 2, "--placement", "in", "--report", "run.json", says="18 right, 0 wrong")
        ids = [outcome["id"] for outcome in json.loads((self.folder / "run.json").read_text())["outcomes"]]
        self.assertTrue(all(".in_place" in one for one in ids), ids)
        self.assertEqual({re.search("count([0-9]+)", one)[1] for one in ids}, {"64", "128", "256"})

    def test_health_is_one_line_and_an_exit_code(self):
        for form in (["--preflight"], ["preflight"]):
            said = self.assay(*form, "--ranks", 4, "--report", "run.json", code=(0, 2))
            self.assertEqual(len(said.splitlines()), 1)
            self.assertRegex(said, "^(healthy|undecided): ")  # a busy machine may hide links

    def test_links_are_a_matrix(self):
        self.assay("links", "--ranks", 3, "--budget", 20, "--html", "links.html", "--json", "links.json", code=(0, 1, 2), says="bandwidth, GB/s")
        outcome = json.loads((self.folder / "links.json").read_text())["outcomes"][0]
        self.assertEqual([(len(chart["values"]), chart["rows"]) for chart in outcome["heat_maps"]][:2], [(9, 3), (9, 3)])

    def test_predictions_reach_a_hundred_thousand_ranks(self):
        self.assay("predict", "--topology", "h100", "--ranks", "8,100000", "--size", "1GB", "--csv", "p.csv", says="100000.*tree.*fastest, extrapolated")
        with open(self.folder / "p.csv", encoding="utf-8", newline="") as file:
            rows = {(row["algorithm"], row["ranks"]): float(row["busbw [GB/s]"]) for row in csv.DictReader(file)}
        self.assertAlmostEqual(rows["ring", "8"], 370, delta=10)
        self.assertAlmostEqual(rows["in_network", "8"], 480, delta=12)
        (self.folder / "two.topology").write_text("name = two nodes\nnodes = 2\ndevices = 4\ninside = pcie5\nbetween = roce_400\nadapters = 1\n")
        self.assay("predict", "--topology", "two.topology", "--size", "1GB", says="two nodes, as described.*8 +1000000000 +ring")
        (self.folder / "bad.topology").write_text("nodes = 2\ninside = nvlnk4\n")
        self.assay("predict", "--topology", "bad.topology", code=2, says="'bad.topology': line 2: unknown link 'nvlnk4'; nearest: nvlink4")
        self.assay("predict", "--topology", "absent", code=2, says="absent")

    def test_predictions_are_fitted_to_a_sweep(self):
        self.assay("sweep", "--ranks", 2, "-b", "1K", "-e", "1M", "-f", 4, "-n", 3, "--json", "sweep.json")
        said = self.assay("predict", "--fit", "sweep.json", "--ranks", "2,64", "--size", "4K", says="fitted to 6 points of 'sweep.json'")
        lines = [line for line in said.splitlines() if " ring " in line]
        self.assertNotIn("extrapolated", lines[0])
        self.assertIn("extrapolated", lines[1])
        for text in ("", "[]", '{"results": 3}', '{"results": [{}], "config": {"ranks": 2}}', '{"results": [], "config": {"ranks": 2}}'):
            (self.folder / "broken.json").write_text(text)
            self.assay("predict", "--fit", "broken.json", code=2, says="'broken.json'")

    def test_what_cannot_be_is_refused(self):
        self.assay(code=2, says="asks for an action")
        self.assay("swep", code=2, says="unknown action 'swep'; nearest: sweep")
        self.assay("sweep", "--preflight", code=2, says="give one of them")
        self.assay("sweep", "--op", "allreduce", code=2, says="unknown operation 'allreduce'; nearest: all_reduce")
        self.assay("sweep", "-d", "f33", code=2, says="unknown type")
        self.assay("sweep", "-b", "8X", code=2, says="-b: '8X' is no size")
        self.assay("sweep", "-b", "2K", "-e", "1K", code=2, says="-b is more than -e")
        self.assay("sweep", "-f", "1", code=2, says="-f is '1'; give a number above 1")
        self.assay("sweep", "-n", "0", code=2, says="-n is from 1")
        self.assay("sweep", "-r", "4", "--ranks", "4", code=2, says="root is 4")
        self.assay("sweep", "--ranks", "0", code=2, says="--ranks is '0'")
        self.assay("sweep", "--ranks", "2,4", code=2, says="give one number")
        self.assay("sweep", "--runtime", "mpy", code=2, says="unknown runtime 'mpy'; nearest: mpi")
        self.assay("sweep", "--algorithm", "rng", code=2, says="unknown algorithm 'rng'; nearest: ring")
        self.assay("sweep", "--runtime", "mpi", "--algorithm", "ring", code=2, says="--algorithm is of --runtime in_process")
        self.assay("predict", code=2, says="--topology")
        self.assay("verify", "--csv", "x.csv", code=2, says="--csv is for sweep and predict, and assay collectives verify does not use it")
        self.assay("verify", "-w", "3", code=2, says="--warmup_iters is for sweep")
        self.assay("links", "-b", "8", code=2, says="--minbytes is for sweep, verify and predict")
        self.assay("sweep", "--op", "all_gather", "-o", "max", code=2, says="none of the operations of --op reduces")
        self.assay("sweep", "--ranks-per-node", "2", code=2, says="--ranks-per-node is of --algorithm hierarchical")
        self.assay("sweep", "--ranks", "2", "--size", "8", "--csv", "absent/x.csv", code=2, says="absent")


@unittest.skipUnless(MPIRUN, "mpirun is not there")
class Processes(Scratch):
    def mpirun(self, *arguments, **expected):
        return self.assay(*arguments, before=[MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "4"], **expected)

    def setUp(self):
        super().setUp()
        probe = subprocess.run([ASSAY, "collectives", "sweep", "--runtime", "mpi", "--size", "8", "-n", "1", "--no-config"], capture_output=True, encoding="utf-8", timeout=60)
        if "built without the component mpi" in probe.stderr:
            self.skipTest("this assay was built without MPI")

    def test_the_first_rank_prints_what_all_found(self):
        text = self.mpirun("sweep", "--runtime", "mpi", *SMALL, "--json", "sweep.json", says="# Out of bounds values : 0 OK")
        self.assertEqual(len(self.rows(text)), 3)
        self.assertEqual(text.count("# Avg bus bandwidth"), 1)
        self.assertEqual(json.loads((self.folder / "sweep.json").read_text())["config"]["ranks"], 4)

    def test_results_and_health_over_processes(self):
        self.mpirun("verify", "--runtime", "mpi", "--op", "all_reduce,reduce_scatter", "-d", "float,int32", "-o", "sum,max", says="[0-9]+ right, 0 wrong, 0 failed")
        self.assertRegex(self.mpirun("--preflight", "--runtime", "mpi", code=(0, 2)), "(?m)^(healthy|undecided): ")

    def test_mistakes_are_told_and_nothing_hangs(self):
        self.mpirun("sweep", "--runtime", "mpi", "-r", "4", "--size", "8", code=2, says="root is 4")
        self.mpirun("sweep", "--runtime", "mpi", "--ranks", "4", code=2, says="mpirun -n")


if __name__ == "__main__":
    unittest.main()
