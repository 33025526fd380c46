"""Runs assay report as those do who want a dashboard: of a gate, a matrix, a history and runs, and with every mistake.

  python3 dashboard.py ASSAY [unittest options]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())


def run_of(verdicts, title="nightly"):
    outcomes = [{"id": f"gemm/host/f32/{name}", "verdict": verdict, "reason": "" if verdict == "pass" else "<it is wrong>", "labels": {"backend": "host", "operation": "gemm", "formats": "f32"}, "seed": "1",
                 "duration_seconds": 0.01, "reproduce": "", "measurements": []} for name, verdict in verdicts.items()]
    return json.dumps({"schema": "assay-run/1", "title": title, "command": "assay run", "seed": "1", "planned_cases": len(outcomes), "duration_seconds": 1, "outcomes": outcomes,
                       "environment": {"assay_version": "0", "host_name": "h", "operating_system": "", "processor": "", "logical_processors": 1, "instruction_sets": "", "memory_bytes": 1, "compiler": "", "compiler_flags": "",
                                       "started_at": "2026-01-02T03:04:05Z", "devices": [], "libraries": []}})


class Dashboard(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.write("good.json", run_of({"a": "pass", "b": "pass"}))
        self.write("bad.json", run_of({"a": "pass", "b": "fail"}))
        self.write("matrix.json", json.dumps({"schema": "assay-matrix/1", "title": "M", "axes": [{"name": "driver", "values": ["1", "2", "3"]}]}))
        for driver, run in (("1", "good.json"), ("2", "bad.json")):
            self.write(f"results/d{driver}/combination.json", json.dumps({"schema": "assay-combination/1", "combination": {"driver": driver}, "by": "ada"}))
            self.write(f"results/d{driver}/report.json", (self.folder / run).read_text())

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def assay(self, *arguments, code=0, says=""):
        done = subprocess.run([ASSAY, *arguments, "--no-config"], cwd=self.folder, timeout=120, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(code, done.returncode, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def page(self, *arguments):
        self.assay("report", *arguments, "--out", "page.html", says="report: page.html")
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_a_matrix_and_its_results(self):
        page = self.page("--matrix", "matrix.json", "--results", "results")
        for style, count in (("certified", 1), ("failed", 1), ("hole", 1)):
            self.assertEqual(count, page.count(f'<td class="{style}"'))
        self.assertIn("with <b>driver=2</b>", page)
        self.assertIn("&lt;it is wrong&gt;", page)
        self.assertIn("<h1>M</h1>", page)
        self.assertIn("1 of 4 outcomes failed", page)

    def test_a_gate(self):
        self.write("policy.json", json.dumps({"schema": "assay-policy/1", "gates": [{"name": "kernels", "level": "hard", "require": "no fail"}]}))
        for run, code, answer in (("good.json", 0, "Approved"), ("bad.json", 1, "Blocked")):
            self.assay("gate", run, "--policy", "policy.json", "--out", "gate", code=code)
            self.assertIn(f"</span> {answer}</p>", self.page("--gate", "gate/report.json", run, "--title", "R"))

    def test_a_history_and_runs(self):
        self.write("times.csv", "name,version,value [s]\n" + "".join(f"kernel,1.{i},{1.0 if i < 8 else 1.1}\n" for i in range(16)))
        self.assay("history", "import", "times.csv", "--into", "perf.jsonl", "--value-column", "value [s]", "--label-column", "version", "--time", "2026-01-02T03:04:05Z")
        page = self.page("--history", "perf.jsonl", "--order", "version", "good.json", "bad.json")
        self.assertIn("10 % worse from 1.8 on", page)
        self.assertIn("All outcomes <small>4</small>", page)

    def test_mistakes_are_told(self):
        def refused(says, *arguments):
            self.assay("report", *arguments, code=2, says=says)
        refused("run is required.*--history, --matrix, --gate", "--out", "x")
        refused("2 are given; a dashboard takes several", "good.json", "bad.json", "--out", "x")
        refused("--matrix says what was promised, and --results is missing", "--matrix", "matrix.json", "--out", "x.html")
        refused("--pairwise says what a matrix promises", "--results", "results", "--pairwise", "--out", "x.html")
        refused("--format is for one run", "--results", "results", "--format", "junit", "--out", "x.html")
        refused("holds no answer of a gate", "--gate", "good.json", "--out", "x.html")
        refused("absent.json", "--gate", "absent.json", "--out", "x.html")
        refused("there is no history 'absent.jsonl'", "--history", "absent.jsonl", "--out", "x.html")
        refused("unknown order 'tmie'; nearest: time", "--results", "results", "--order", "tmie", "--out", "x.html")
        refused("'results' is a folder; name the page in it", "--results", "results", "--out", "results")
        refused("is no folder", "--results", "absent", "--out", "x.html")
        refused("does not exist; create it first", "--results", "results", "--out", "no/such/x.html")
        self.write("results/d2/report.json", "{")
        refused("results/d2/report.json", "--results", "results", "--out", "x.html")
        self.assertEqual([], list(self.folder.glob("x*")))


if __name__ == "__main__":
    unittest.main()
