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
from urllib.parse import unquote

ASSAY, SOURCE = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
RESULTS, RECORD = SOURCE / "bench/results", SOURCE / "bench/record.py"
TOLD = re.compile(r"^(\w+): (.+)\n    (.+)$", re.M)
STALE = "did not measure it"  # of a series that the newest runs left out
NOTHING = "nothing was measured|a benchmark that does nothing"  # of values that are no evidence
TOGETHER = "all series together"
FEWEST_TOGETHER = 5  # from so many on, what moves all by one factor is told once, as of the machine
SUMMARY = re.compile(r"^(\d+) series by .*: (\d+) regressed, (\d+) not, (\d+) undecided, (\d+) new$", re.M)
RUNS = 8  # what is appended to each side: enough for a verdict, also among many series


def version_of(label):
    return [int(part) for part in re.findall(r"\d+", label)]


def line_of(run):
    body = json.dumps(
        {name: value for name, value in run.items() if name != "crc32"}, ensure_ascii=False, separators=(",", ":")
    )[:-1]
    return f'{body},"crc32":"{zlib.crc32(body.encode()):08x}"}}\n'


def key_of(point):
    where = ",".join(f"{name}={value}" for name, value in sorted(point.get("configuration", {}).items()))
    return point["name"] + (f"{{{where}}}" if where else "") + "/" + point["metric"]


def told(said):
    """Of each series that did not pass, its verdict and the reason."""
    return {unquote(series): (verdict, reason) for verdict, series, reason in TOLD.findall(said)}


def accused(said):
    return {series for series, (verdict, _) in told(said).items() if verdict == "fail"}


def baseline_of(runs):
    """The newest."""
    return max((run["labels"].get("baseline", "") for run in runs), key=version_of)


def left_out_of(runs):
    """The series of the baseline that as many of the newest runs left out as usually lay between two that measured it."""
    baseline = baseline_of(runs)
    promised = {key_of(point) for run in runs if run["labels"].get("baseline") == baseline for point in run["points"]}
    places = [sum(other["time"] < run["time"] for other in runs) for run in runs]
    measured = {}
    for place, run in zip(places, runs):
        for point in run["points"]:
            measured.setdefault(key_of(point), set()).add(place)
    stale = set()
    for series, own in measured.items():
        own = sorted(own)
        steps = sorted(later - earlier for earlier, later in list(zip(own, own[1:]))[-50:])
        usual = steps[(len(steps) - 1) * 3 // 4] if steps else 1  # three of four steps are no longer
        if sum(place > own[-1] for place in places) >= usual:
            stale.add(series)
    return stale & promised


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
        baseline = baseline_of(self.runs(path))
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
                self.assertNotRegex(said, NOTHING)
                # Of our own results the newest runs left some out: a run is of one machine and often of a few rows, and
                # machines come and go. Those are told, and no others.
                stale = left_out_of(self.runs(path))
                self.assertEqual({name for name, (_, reason) in told(said).items() if STALE in reason}, stale, said)
                # 2: too few runs to decide anything yet, or series that were left out.
                self.assertEqual(code, 0 if held and not stale else 2, said)
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
                measured = [key_of(point) for point in points]
                promised = {key_of(point) for run in runs if "baseline" in run["labels"] for point in run["points"]}
                stale = promised - set(measured)  # the runs below do not measure them
                time = datetime.strptime(max(run["time"] for run in runs), "%Y-%m-%dT%H:%M:%S.%fZ")

                def scan_with(factors):
                    """Of a copy with more runs of the baseline, and later ones with each series worse by its factor."""
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
                                    for point, factor in zip(points, factors)
                                ],
                            }
                            file.write(line_of(own))
                    code, counts, said = self.scan(copy)
                    self.assertIsNotNone(counts, said)
                    # What is not measured any more is told each time, and is never a pass.
                    left_out = {series for series, (_, reason) in told(said).items() if STALE in reason}
                    self.assertEqual(left_out, stale, said)
                    self.assertEqual(sum(verdict == "inconclusive" for verdict, _ in told(said).values()), counts[3])
                    return code, counts, said

                # By two factors, so that no common cause explains them: each is named, and nothing else.
                code, counts, said = scan_with([(1.5, 4)[i % 2] for i in range(len(points))])
                self.assertEqual((code, counts[1]), (1, len(points)), said)
                self.assertEqual(accused(said), set(measured), said)

                # One alone: the others are not accused with it, and pass.
                for worst in {0, len(points) - 1}:
                    code, counts, said = scan_with([1.5 if i == worst else 1 for i in range(len(points))])
                    self.assertEqual((code, counts[1], counts[2]), (1, 1, len(points) - 1), said)
                    self.assertEqual(accused(said), {measured[worst]}, said)

                # All by one factor: one failure that speaks of the machine, and none passes.
                code, counts, said = scan_with([1.5] * len(points))
                if len(points) >= FEWEST_TOGETHER:
                    self.assertEqual((code, counts[1], counts[2]), (1, 1, 0), said)
                    self.assertEqual(accused(said), {TOGETHER}, said)
                    together = f"{len(points)} of {len(points)} series got slower by 50 % together: .*the machine"
                    self.assertRegex(told(said)[TOGETHER][1], together)
                    for series in measured:
                        verdict, reason = told(said)[series]
                        self.assertEqual(verdict, "inconclusive", said)
                        self.assertIn(TOGETHER, reason, said)
                else:
                    self.assertEqual((code, counts[1], counts[2]), (1, len(points), 0), said)
                    self.assertEqual(accused(said), set(measured), said)

                # It is the values that are accused: as many runs that hold the promise are not. Only what they left
                # out keeps that from being a success.
                code, counts, said = scan_with([1] * len(points))
                self.assertEqual((code, counts[1], counts[2]), (2 if stale else 0, 0, len(points)), said)

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

    def test_what_newer_benches_print_is_recorded(self):
        march = (
            "| March C-, 64 MiB, one thread | |\n|---|---|\n"
            "| tested, a background | 1.512 GB/s |\n| read passes, a background | 6.5 |\n"
        )
        peer = (
            "| memtester, one loop | 0.0025 GB/s |\n"
            "| March C-, one background : memtester | 605 |\n| March C-, 7 backgrounds : memtester | 86 |\n"
        )
        no_peer = "| memtester | 'memtester' could not be run |\n"
        checking = (
            "\n| format | K | unchecked, Gop/s a processor second | checked | checking costs |\n|---|---|---|---|---|\n"
            "| f64 | 256 | 12.5 | 12.6 | -0.8 % |\n"
        )
        lower, higher = "lower_is_better", "higher_is_better"
        own = [
            ({}, "tested", "GB/s", higher, 1.512),
            ({}, "over a read pass", "1", lower, 6.5),
            ({"K": "256", "format": "f64"}, "checked", "Gop/s", higher, 12.6),
        ]
        for bench, printed, expected in (
            (
                "accuracy",
                "100000 predictions, 5000 images\n\n| metric | time | value |\n|---|---|---|\n"
                "| WER | 0.171 s | 0.0963 |\n| paired bootstrap and permutation of WER | 0.102 s | 0 |\n",
                [
                    ({"way": "WER"}, "time", "s", lower, 0.171),
                    ({"way": "paired bootstrap and permutation of WER"}, "time", "s", lower, 0.102),
                ],
            ),
            (
                "hardware",
                march + peer + checking,
                own[:2]
                + [
                    ({"way": "March C-, one background : memtester"}, "over memtester", "1", higher, 605),
                    ({"way": "March C-, 7 backgrounds : memtester"}, "over memtester", "1", higher, 86),
                ]
                + own[2:],
            ),
            ("hardware", march + no_peer + checking, own),
            (
                "fleet",
                "| nodes | devices | measurements | planted | found | falsely accused | seconds | GB |\n"
                "|---|---|---|---|---|---|---|---|\n| 100000 | 800000 | 2400000 | 327 | 326 | 1 | 2.51 | 0.42 |\n",
                [
                    ({"nodes": "100000"}, "found", "1", higher, 326),
                    ({"nodes": "100000"}, "falsely accused", "1", lower, 1),
                    ({"nodes": "100000"}, "seconds", "s", lower, 2.51),
                    ({"nodes": "100000"}, "memory", "GB", lower, 0.42),
                ],
            ),
            (
                "telemetry",
                "| source | sensors | readings a poll | processor us a poll | % of a core |\n|---|---|---|---|---|\n"
                "| sysfs | 700 | 690 | 5120.4 | 5.120 |\n| nvml | 80 | 80 | 140.2 | 0.140 |\n",
                [
                    ({"source": "sysfs"}, "processor time a poll", "s", lower, 5120.4e-6),
                    ({"source": "sysfs"}, "of a core", "%", lower, 5.12),
                    ({"source": "nvml"}, "processor time a poll", "s", lower, 140.2e-6),
                    ({"source": "nvml"}, "of a core", "%", lower, 0.14),
                ],
            ),
            (
                "serving",
                "1000 streams of an event every 50 ms, 3 rounds, 300000 events each\n\n"
                "| stamps | error p50, us | p90 | p99 | p99.9 | processor us an event | shared a read |\n"
                "|---|---|---|---|---|---|---|\n"
                "| kernel | 3.9 | 9.1 | 18.9 | 44.0 | 15.8 | 12.001 % |\n"
                "| program | 3100.0 | 9000.0 | 138000.0 | 150000.0 | 16.9 | 9.000 % |\n",
                [
                    ({"stamps": "kernel"}, "error p50", "s", lower, 3.9e-6),
                    ({"stamps": "kernel"}, "error p99", "s", lower, 18.9e-6),
                    ({"stamps": "kernel"}, "processor time an event", "s", lower, 15.8e-6),
                    ({"stamps": "kernel"}, "shared a read", "%", lower, 12.001),
                ],
            ),
        ):
            with self.subTest(bench):
                history = self.folder / f"{bench}.jsonl"
                history.unlink(missing_ok=True)
                self.record(bench, "--time", "2026-01-02T03:04:05Z", text=printed)
                [run] = self.runs(history)
                kept = [
                    (point.get("configuration", {}), point["metric"], point["unit"], point["direction"])
                    for point in run["points"]
                ]
                self.assertEqual(kept, [row[:-1] for row in expected])
                for point, row in zip(run["points"], expected):
                    [sample] = point["samples"]
                    self.assertAlmostEqual(sample / row[-1], 1, places=9)
                # The names are those that the bench's source prints.
                source = (SOURCE / f"bench/{bench}.cpp").read_text(encoding="utf-8").replace("%%", "%")
                header = next(line for line in printed.splitlines() if line.startswith("|"))
                self.assertIn(header.replace("64 MiB", "%zu MiB"), source.replace('"\n      "', ""))

    def test_every_bench_can_be_recorded(self):
        kept = re.search(r"^KEPT = \{\n(.*?)^\}$", RECORD.read_text(encoding="utf-8"), re.S | re.M)[1]
        names = {ast.literal_eval(name) for name in re.findall(r'^    ("\w+"):', kept, re.M)}
        programs = {path.stem.removesuffix("_mpi") for path in (SOURCE / "bench").glob("*.cpp")}
        self.assertEqual(programs - names, set())
        self.assertLessEqual({path.stem for path in self.files}, names)


if __name__ == "__main__":
    unittest.main()
