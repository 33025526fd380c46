"""Runs assay history as its users do: results of other tools come in, are looked at, judged and exported.

  python3 history.py ASSAY FOLDER_OF_RESULTS [unittest options]
"""

import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
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
