"""Assay's own results of benches under its own scan: bench/results holds no regression, and one would be seen.

  python3 bench_results.py ASSAY SOURCE [unittest options]
"""

import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib
from datetime import datetime, timedelta
from pathlib import Path

ASSAY, SOURCE = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
RESULTS, RECORD = SOURCE / "bench/results", SOURCE / "bench/record.py"
SUMMARY = re.compile(r"^(\d+) series by .*: (\d+) regressed, (\d+) not, (\d+) undecided, (\d+) new$", re.M)
RUNS = 8  # what is appended to each side: enough for a verdict, also among many series


def version_of(label):
    return [int(part) for part in re.findall(r"\d+", label)]


def line_of(run):
    body = json.dumps(
        {name: value for name, value in run.items() if name != "crc32"}, ensure_ascii=False, separators=(",", ":")
    )[:-1]
    return f'{body},"crc32":"{zlib.crc32(body.encode()):08x}"}}\n'


def worse(point, factor):
    factor = factor if point["direction"] == "lower_is_better" else 1 / factor
    return {**point, "samples": [sample * factor for sample in point["samples"]]}


class BenchResults(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.files = sorted(RESULTS.glob("*.jsonl"))
        self.assertGreater(len(self.files), 10, f"{RESULTS} has lost its histories")

    def scan(self, path):
        """The exit code, the counts of the summary or None, and all that was said."""
        baseline = max((run["labels"].get("baseline", "") for run in self.runs(path)), key=version_of)
        self.assertTrue(baseline, f"{path.name} has no run with the label baseline")
        done = subprocess.run(
            [str(ASSAY), "history", "scan", str(path), "--baseline", f"baseline={baseline}", "--no-config"],
            cwd=self.folder,
            timeout=300,
            capture_output=True,
            encoding="utf-8",
        )
        found = SUMMARY.search(done.stdout)
        return done.returncode, found and [int(count) for count in found.groups()], done.stdout + done.stderr

    def runs(self, path):
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def copied(self, path):
        return Path(shutil.copy(path, self.folder))

    def test_no_result_has_got_worse(self):
        for path in self.files:
            with self.subTest(path.name):
                code, counts, said = self.scan(path)
                self.assertIsNotNone(counts, said)  # else it could not be read
                series, regressed, held, *_ = counts
                self.assertGreater(series, 0, said)
                self.assertEqual(regressed, 0, said)
                self.assertEqual(code, 0 if held else 2, said)  # 2: too few runs to decide anything yet
                self.assertNotIn("warning", said)

    def test_a_regression_is_seen(self):
        for path in self.files:
            with self.subTest(path.name):
                runs = self.runs(path)
                last = next(
                    run
                    for run in reversed(runs)
                    if "baseline" in run["labels"] and any(max(point["samples"]) > 0 for point in run["points"])
                )
                points = [point for point in last["points"] if max(point["samples"]) > 0]
                time = datetime.strptime(max(run["time"] for run in runs), "%Y-%m-%dT%H:%M:%S.%fZ")

                def copy_with(factor, name):
                    copy = self.copied(path)
                    with copy.open("a", encoding="utf-8") as file:
                        for night in range(2 * RUNS):
                            later = night >= RUNS
                            own = {
                                **last,
                                "time": (time + timedelta(days=1 + night)).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                                "labels": {
                                    key: value
                                    for key, value in last["labels"].items()
                                    if key != "baseline" or not later
                                },
                                "points": [
                                    worse(point, (factor if later else 1) * (1 + night % RUNS * 1e-4))
                                    for point in points
                                ],
                            }
                            file.write(line_of(own))
                    return copy

                code, counts, said = self.scan(copy_with(1.5, "worse"))
                self.assertEqual((code, counts and counts[1]), (1, len(points)), said)
                # It is the values that are accused: as many runs that hold the promise are not.
                code, counts, said = self.scan(copy_with(1, "as before"))
                self.assertEqual((code, counts and counts[1]), (0, 0), said)

    def test_what_cannot_be_read_is_seen(self):
        path = self.files[0]
        whole = path.read_bytes()
        for what, damaged in (
            ("a figure was changed", re.sub(rb'"samples":\[\d', b'"samples":[7', whole, count=1)),
            ("a line is cut off", whole[:-30]),
        ):
            with self.subTest(what):
                self.assertNotEqual(damaged, whole)
                copy = self.folder / path.name
                copy.write_bytes(damaged)
                done = subprocess.run(
                    [str(ASSAY), "history", "scan", str(copy), "--baseline", "baseline=0.1", "--no-config"],
                    capture_output=True,
                    encoding="utf-8",
                )
                said = done.stdout + done.stderr
                self.assertTrue("warning" in said or (done.returncode == 2 and not SUMMARY.search(done.stdout)), said)

    def record(self, *arguments, text="", code=0):
        done = subprocess.run(
            [sys.executable, "-B", str(RECORD), *arguments, "--assay", str(ASSAY), "--into", str(self.folder)],
            input=text,
            capture_output=True,
            encoding="utf-8",
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_what_a_bench_prints_is_recorded(self):
        printed = (
            "4096 elements\n\n"
            "| pair | data | read ms | compare ms | ratio | GB/s | violations | memory KiB |\n"
            "|---|---|---|---|---|---|---|---|\n"
            "| f32 / f32, atol, rtol | clean | 8.0 | 8.6 | 1.07 | 62.4 | 0 | 60 |\n"
            "| bf16 / bf16, ulps | clean | 4.0 | 5.3 | **1.33** | 50.5 | 0 | 60 |\n"
        )
        arguments = ("compare", "--machine", "M", "--label", "baseline=0.1", "--time", "2026-01-02T03:04:05Z")
        self.assertIn("1 runs, 2 points appended", self.record(*arguments, text=printed))
        self.assertIn("already", self.record(*arguments, text=printed))
        [run] = self.runs(self.folder / "compare.jsonl")
        self.assertEqual(run["labels"]["baseline"], "0.1")
        self.assertEqual(
            [
                (point["configuration"], point["metric"], point["direction"], point["samples"])
                for point in run["points"]
            ],
            [
                (
                    {"data": "clean", "machine": "M", "pair": "f32 / f32, atol, rtol"},
                    "ratio",
                    "lower_is_better",
                    [1.07],
                ),
                ({"data": "clean", "machine": "M", "pair": "bf16 / bf16, ulps"}, "ratio", "lower_is_better", [1.33]),
            ],
        )
        self.assertIn(
            "no table of bench_compare", self.record("compare", text="| x | y |\n|---|---|\n| 1 | 2 |\n", code=1)
        )

    def test_every_bench_can_be_recorded(self):
        kept = re.search(r"^KEPT = \{\n(.*?)^\}$", RECORD.read_text(encoding="utf-8"), re.S | re.M)[1]
        names = {ast.literal_eval(name) for name in re.findall(r'^    ("\w+"):', kept, re.M)}
        programs = {path.stem.removesuffix("_mpi") for path in (SOURCE / "bench").glob("*.cpp")}
        self.assertEqual(programs - names, set())
        self.assertLessEqual({path.stem for path in self.files}, names)


if __name__ == "__main__":
    unittest.main()
