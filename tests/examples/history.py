"""Runs assay history as its users do: results of other tools come in, are looked at, judged and exported.

  python3 history.py ASSAY FOLDER_OF_RESULTS [unittest options]
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

ASSAY, DATA = (Path(sys.argv.pop(1)).resolve() for _ in range(2))


class History(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def history(self, *arguments, code=0, says=""):
        done = subprocess.run([str(ASSAY), "history", *map(str, arguments), "--no-config"], cwd=self.folder, timeout=120, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return done.stdout

    def years(self, factor, name="years.csv"):
        """40 nights of two kernels, the last 12 of version 2, in which one of them takes `factor` times as long."""
        numbers = random.Random(1)
        rows = ["version,time,name,m,value,unit"]
        for night in range(40):
            version = 1 if night < 28 else 2
            for kernel in ("gemm", "softmax"):
                for _ in range(5):
                    value = 3 * (factor if version == 2 and kernel == "gemm" else 1) * (1 + numbers.uniform(-0.01, 0.01))
                    rows.append(f"{version},2025-01-{night % 28 + 1:02}T0{night // 28}:00:00Z,{kernel},64,{value},ms" if night < 28 else
                                f"{version},2025-02-{night - 27:02}T00:00:00Z,{kernel},64,{value},ms")
        (self.folder / name).write_text("\n".join(rows) + "\n")
        return name

    def test_results_of_every_tool_come_in(self):
        for kept in ("h.jsonl", "h.sqlite"):
            said = self.history("import", *(DATA / name for name in ("google_benchmark.json", "pytest_benchmark.json", "nvbench.json")), "--into", kept,
                                "--label", "version=1.2", "--direction", "flops=higher")
            self.assertRegex(said, r"'absent' has no result: it reported the error 'no device found'")
            self.assertIn("the file does not say when it was measured", said)
            self.assertRegex(said, rf"{kept}: 3 runs, 28 points appended")
            self.history("list", kept, says=r"sum/64/repeats:3/flops +higher +1 .*28 series over 3 runs")
            shown = self.history("show", kept, "test_b.py::*", says=r"test_b.py::test_sum\{n=10\}/seconds \(s, lower is better\)")
            self.assertRegex(shown, r"2026-11-22T04:40 +1\.2 +7fdf14e09476 +7 +2(5[67]|\.57)")
            self.assertNotIn("sum/64", shown)

    def test_nothing_comes_in_unless_all_does(self):
        (self.folder / "bad.json").write_text((DATA / "google_benchmark.json").read_text()[:3000])
        self.history("import", DATA / "pytest_benchmark.json", "bad.json", "--into", "h.jsonl", code=2, says=r"'bad.json': not results of Google Benchmark: .*no valid JSON at byte")
        self.assertFalse((self.folder / "h.jsonl").exists())
        self.history("import", DATA / "absent.json", "--into", "h.jsonl", code=2, says="cannot read")
        self.history("import", DATA / "pytest_benchmark.json", "--into", "h.txt", code=2, says="is no name of a history")

    def test_what_got_slower_fails_and_what_did_not_passes(self):
        self.history("import", self.years(1.05), "--into", "h.jsonl", says="40 runs, 80 points appended")
        said = self.history("scan", "h.jsonl", "--baseline", "version=1", "--out", "report", "--format", "junit", code=1, says=r"1 regressed, 1 not, 0 undecided, 0 new")
        self.assertRegex(said, r"fail: gemm\{m=64\}/value\n +5\.\d* % worse")
        self.assertNotRegex(said, r"softmax\{m=64\}/value")
        run = json.loads((self.folder / "report" / "report.json").read_text())
        verdicts = {outcome["id"]: outcome["verdict"] for outcome in run["outcomes"]}
        self.assertEqual(verdicts, {"regression/gemm{m=64}/value": "fail", "regression/softmax{m=64}/value": "pass"})
        self.assertTrue((self.folder / "report" / "report.html").exists())
        self.assertIn("failure", (self.folder / "report" / "report.junit.xml").read_text())
        self.history("scan", "h.jsonl", "--baseline", "28", "--newest", "12", code=1, says="1 regressed")
        self.history("scan", "h.jsonl", "--baseline", "version=1", "--allow", "10", says="0 regressed, 2 not")
        self.history("scan", "h.jsonl", "softmax*", "--baseline", "version=1", says="1 series by")

    def test_a_number_that_is_a_version_too_is_no_baseline(self):
        self.history("import", self.years(1.05), "--into", "h.jsonl")
        self.history("scan", "h.jsonl", "--baseline", "1", code=2, says="--baseline 1 can be read in two ways.*give runs=1 or version=1")
        self.history("scan", "h.jsonl", "--baseline", "runs=28", "--newest", "12", code=1, says="1 regressed")
        self.history("scan", "h.jsonl", "--baseline", "version=1", "--newest", "12", code=2, says="--newest says how many runs are judged")
        self.history("scan", "h.jsonl", "--baseline", "runs=1.5", code=2, says="whole number of runs")
        self.history("list", "h.jsonl", "--baseline", "1", code=2, says="--baseline is for scan")

    def test_without_a_baseline_nothing_is_green(self):
        self.history("import", self.years(1), "--into", "h.jsonl")
        self.history("scan", "h.jsonl", "--baseline", "version=7", code=2, says="0 regressed, 0 not, 0 undecided, 2 new")
        self.history("scan", "absent.jsonl", "--baseline", "1.0", code=2, says="there is no history 'absent.jsonl'")
        self.history("scan", "h.jsonl", code=2, says="scan asks for --baseline")

    def test_an_export_is_imported_again(self):
        self.history("import", self.years(1.05), "--into", "h.jsonl")
        self.history("export", "h.jsonl", "--to", "h.sqlite", says="40 runs, 2 series")
        self.history("export", "h.sqlite", "--to", "again.csv")
        self.history("import", "again.csv", "--into", "again.jsonl", says="40 runs, 80 points")
        self.assertEqual(self.history("show", "h.jsonl"), self.history("show", "again.jsonl"))
        self.history("export", "h.jsonl", "--to", "h.sqlite", code=2, says="is there already")

    def test_what_is_there_is_not_imported_again(self):
        for kept in ("h.jsonl", "h.sqlite"):
            with self.subTest(kept):
                self.history("import", DATA / "google_benchmark.json", "--into", kept, "--label", "version=1", says="1 runs, .* appended")
                for _ in range(2):
                    self.history("import", DATA / "google_benchmark.json", "--into", kept, "--label", "version=1",
                                 says="1 runs are in .* already, with the same origin and samples: they are not appended again")
                self.history("list", kept, says="over 1 runs")
                self.history("import", DATA / "google_benchmark.json", "--into", kept, "--label", "version=2", says="1 runs, .* appended")
                self.history("list", kept, says="over 2 runs")
        twice = ("import", DATA / "pytest_benchmark.json", DATA / "pytest_benchmark.json", "--into", "twice.jsonl")
        self.history(*twice, says="1 runs are in twice.jsonl already")

    def test_a_torn_line_is_told_and_damage_is_refused(self):
        self.history("import", self.years(1), "--into", "h.jsonl")
        path = self.folder / "h.jsonl"
        whole = path.read_bytes()
        path.write_bytes(whole[:-30])
        self.history("list", "h.jsonl", says=r"2 series over 39 runs.*warning: 'h.jsonl', line 40 is torn")
        path.write_bytes(whole.replace(b'"m":"64"', b'"m":"65"', 1))
        self.history("list", "h.jsonl", code=2, says=r"'h.jsonl', line 1: its checksum says")

    def lines(self, name, runs, crlf=False):
        """Writes a history of runs: (day, version, {series: (value, unit, direction)}, environment)."""
        text = ""
        for day, version, series, environment in runs:
            points = [{"name": key, "metric": "m", "unit": unit, "direction": direction, "samples": [value]} for key, (value, unit, direction) in series.items()]
            run = {"schema": "assay-history/1", "time": f"2025-01-01T{day // 60:02}:{day % 60:02}:00.000Z", "labels": {"version": version}, "environment": environment, "points": points}
            body = json.dumps(run, separators=(",", ":"))[:-1]
            text += f'{body},"crc32":"{zlib.crc32(body.encode()):08x}"}}' + ("\r\n" if crlf else "\n")
        (self.folder / name).write_bytes(text.encode())
        return name

    def nights(self, name, change=None, nights=60, series=("a", "b"), **more):
        """`nights` runs, half of them of version 1; `change(night, name, value)` gives the value, None leaves it out."""
        numbers = random.Random(2)
        change = change or (lambda night, key, value: value)
        runs = []
        for night in range(nights):
            values = {key: change(night, key, 1e-3 * (1 + numbers.uniform(-0.002, 0.002))) for key in series}
            runs.append((night, "1" if night < nights // 2 else "2", {key: (value, "s", "lower_is_better") for key, value in values.items() if value is not None},
                         {"host": "lab1" if night < nights // 2 else more.get("host", "lab1")}))
        return self.lines(name, runs, more.get("crlf", False))

    def test_what_is_no_longer_measured_is_undecided_however_the_baseline_is_named(self):
        stale = self.nights("stale.jsonl", lambda night, key, value: None if key == "b" and night >= 45 else value)
        for baseline in (("--baseline", "20", "--newest", "5"), ("--baseline", "version=1"), ("--baseline", "20", "--newest", "5", "--order", "version")):
            with self.subTest(baseline):
                self.history("scan", stale, *baseline, code=2, says=r"inconclusive: b/m\n +the newest 15 runs did not measure it.*0 regressed, 1 not, 1 undecided")
        self.history("scan", self.nights("whole.jsonl"), "--baseline", "version=1", code=0, says="0 regressed, 2 not")

    def test_nothing_measured_is_no_improvement(self):
        for later in (0, -1e-3, 2e-5):
            zero = self.nights("zero.jsonl", lambda night, key, value: later if key == "b" and night >= 30 else value)
            self.history("scan", zero, "--baseline", "version=1", code=2, says=r"inconclusive: b/m.*1 not, 1 undecided")

    def test_a_line_is_evidence_once(self):
        once = self.nights("once.jsonl", nights=4, series=("a",))
        (self.folder / "six.jsonl").write_text("".join(6 * line for line in (self.folder / once).read_text().splitlines(True)))
        for name in (once, "six.jsonl"):
            self.history("scan", name, "--baseline", "version=1", code=2, says="2 against 2 values are too few")
        self.history("list", "six.jsonl", says="over 4 runs.*20 lines stand there already")

    def test_a_file_without_a_time_is_the_same_whenever_it_was_written(self):
        first, second = self.folder / "first.json", self.folder / "second.json"
        for path, time in ((first, 1), (second, 2)):
            path.write_bytes((DATA / "hyperfine.json").read_bytes())
            os.utime(path, (1e9 * time, 1e9 * time))
        self.history("import", first, "--into", "h.jsonl", says="1 runs, 2 points appended")
        self.history("import", second, "--into", "h.jsonl", says="1 runs are in h.jsonl already")

    def test_units_that_do_not_tell_ask_for_a_direction(self):
        rows = "name,value,unit,time,version\n" + "".join(f"net,{3 if day < 10 else 300},UNIT,2025-01-{day + 1:02}T00:00:00Z,{1 if day < 10 else 2}\n" for day in range(20))
        (self.folder / "drops.csv").write_text(rows.replace("UNIT", "drops"))
        self.history("import", "drops.csv", "--into", "drops.jsonl")
        self.history("scan", "drops.jsonl", "--baseline", "version=1", code=1, says="fail: net/value")
        for unit in ("steps", "hops"):
            (self.folder / "x.csv").write_text(rows.replace("UNIT", unit))
            self.history("import", "x.csv", "--into", "x.jsonl", code=2, says=f"its unit '{unit}' does not tell")
        for unit in ("fps", "ops/ms"):
            (self.folder / "x.csv").write_text(rows.replace("UNIT", unit))
            self.history("import", "x.csv", "--into", f"{unit[:3]}.jsonl")
            self.history("scan", f"{unit[:3]}.jsonl", "--baseline", "version=1", code=2, says="became better by 99")

    def test_another_machine_is_told_first_and_a_change_of_all_once(self):
        other = self.nights("other.jsonl", host="lab2")
        said = self.history("scan", other, "--baseline", "version=1")
        self.assertRegex(said, r"^warning: baseline and newest runs are of different machines \(host: lab1; newest lab2\)\n")
        slow = self.nights("slow.jsonl", lambda night, key, value: value * (1.1 if night >= 30 else 1), series=[f"s{i}" for i in range(40)])
        self.history("scan", slow, "--baseline", "version=1", code=1, says=r"40 of 40 series got slower by (9.9|10)\.?\d* % together.*1 regressed, 0 not, 40 undecided")

    def test_histories_with_the_line_ends_of_windows_are_read(self):
        self.history("list", self.nights("crlf.jsonl", crlf=True), says="2 series over 60 runs")

    def test_tables_of_other_countries_come_in(self):
        (self.folder / "eu.csv").write_text("name;value;unit;version\ngemm;0,0031;s;1.0\ngemm;0,0030;s;1.0\n")
        self.history("import", "eu.csv", "--into", "eu.jsonl", says="1 runs, 1 points")
        self.history("show", "eu.jsonl", says="3.0?5")
        (self.folder / "otava.csv").write_text("time,commit,metric1,metric2\n2024.01.01 3:00:00 +0100,aaa0,154023,10.43\n")
        self.history("import", "otava.csv", "--into", "o.jsonl", "--benchmark", "all", "--value-column", "metric1=ns", "--ignore-column", "metric2", says="1 runs, 1 points")
        (self.folder / "d.csv").write_text("name,size,time,gflops\ngemm,4096,0.0031,44000\n")
        self.history("import", "d.csv", "--into", "d.jsonl", "--value-column", "time=s", "--value-column", "gflops=GFLOP/s", says="1 runs, 2 points")
        (self.folder / "u.csv").write_text("test|ns|when\na|3|2025-01-02\n")
        self.history("import", "u.csv", "--into", "u.jsonl", "--name-column", "test", "--value-column", "ns=ns", "--time-column", "when", "--separator", "|", says="1 runs, 1 points")

    def test_results_of_further_tools_come_in(self):
        for name in ("hyperfine.json", "jmh.json", "criterion/fib_20/new/sample.json", "cargo_criterion.jsonl", "nccl_tests.txt", "nccl_tests.json", "vllm_bench.json", "aiperf.json",
                     "go_benchmark.txt", "loadgen_summary.txt", "catch2.xml", "google_benchmark.csv", "google_benchmark.utf16.json", "nvbench_same_state.json"):
            with self.subTest(name):
                self.history("import", DATA / name, "--into", f"{name.replace('/', '_')}.jsonl", says="1 runs, [1-9]\\d* points appended")

    def test_misuse_is_told(self):
        self.history("improt", "x", code=2, says="unknown action 'improt'; nearest: import")
        self.history("import", "x", code=2, says="import asks for --into")
        self.history("list", "h.jsonl", "--into", "x", code=2, says="--into is for import")
        self.history("import", DATA / "pytest_benchmark.json", "--into", "h.jsonl", "--label", "1.2", code=2, says="give NAME=VALUE")
        self.history("import", DATA / "pytest_benchmark.json", "--into", "h.jsonl", "--time", "now", code=2, says="--time is 'now'")
        self.history("import", DATA / "pytest_benchmark.json", "--into", "h.jsonl")
        self.history("show", "h.jsonl", "test_c*", code=2, says="unknown series 'test_c\\*'")
        self.history("list", "h.jsonl", "--order", "size", code=2, says="unknown order 'size'")


if __name__ == "__main__":
    unittest.main()
