"""Runs assay matrix as those do who spread a matrix over machines and gather what they found.

  python3 matrix.py ASSAY [unittest options]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())

MATRIX = """{
  "schema": "assay-matrix/1",
  "title": "drivers and toolkits",
  "axes": [
    {"name": "driver", "values": ["450.80.02", "550.54", "580.1"]},
    {"name": "cuda", "values": ["11.8", "12.6", "13.0"]},
    {"name": "framework", "values": ["pytorch", "jax"]}
  ],
  "rules": [
    "cuda >= 13 requires driver >= 580",  // 450.80.02 and 550.54 are older
    {"rule": "cuda < 12 excludes framework == jax", "reason": "jax dropped it"}
  ]
}"""


def run_of(host, *verdicts):
    environment = {"assay_version": "0", "host_name": host, "operating_system": "os", "processor": "cpu", "logical_processors": 1, "instruction_sets": "", "memory_bytes": 1,
                   "compiler": "", "compiler_flags": "", "started_at": "2026-01-02T03:04:05Z", "devices": [], "libraries": []}
    outcomes = [{"id": f"t{i}", "verdict": verdict, "reason": "r", "labels": {}, "seed": "1", "duration_seconds": 0, "reproduce": "", "measurements": []} for i, verdict in enumerate(verdicts)]
    return json.dumps({"schema": "assay-run/1", "title": "nightly", "command": "", "seed": "1", "planned_cases": len(outcomes), "duration_seconds": 1, "environment": environment, "outcomes": outcomes})


class Matrix(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        (self.folder / "matrix.json").write_text(MATRIX)

    def matrix(self, action, *arguments, code=0, says=""):
        done = subprocess.run([ASSAY, "matrix", action, "matrix.json", *arguments, "--no-config"], cwd=self.folder, timeout=60, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return done.stdout.splitlines()

    def lines(self, *arguments):
        return [json.loads(line) for line in self.matrix(*arguments, "--json")]

    def of(self, axes, *rules):
        (self.folder / "matrix.json").write_text(json.dumps({"schema": "assay-matrix/1", "axes": [{"name": name, "values": values} for name, values in axes.items()], "rules": list(rules)}))

    def test_versions_are_what_people_write(self):
        self.of({"torch": ["2.5.1+cu118", "2.5.1+cu121", "2.5.1+rocm6.2"], "cuda": ["11.8", "12.1"]}, "torch == 2.5.1+cu121 requires cuda == 12.1")
        self.assertEqual(len(self.matrix("expand", says="5 of 6")), 5)
        self.of({"rocm": ["6.1.2-43", "6.2.0-66", "6.3.1-48"], "amdgpu": ["6.1.5", "6.3.6"]}, "rocm >= 6.2 requires amdgpu >= 6.3")
        self.assertEqual(len(self.matrix("expand", says="4 of 6")), 4)
        self.of({"cuda": ["12.4", "11.8"], "driver": ["535.183.01", "550.54.15"]}, "cuda >= 12 requires driver == 550.x")
        self.assertIn("cuda=12.4 driver=550.54.15", self.matrix("expand", says="3 of 4"))

    def test_rules_that_do_nothing_or_all_are_told(self):
        axes = {"cuda": ["12.4", "12.6"], "driver": ["535.1", "550.2"]}
        self.of(axes, "cuda >= 13 requires driver >= 550")
        self.matrix("expand", says="binds nothing: no value of 'cuda' is '>= 13'")
        self.of(axes, "cuda ^12 requires driver ~= 560.1")
        self.matrix("expand", code=2, says="removes everything that it binds: no value of 'driver' is '~= 560.1'.*the rules together remove everything")
        self.of(axes, "cuda >= 12.x requires driver >= 550")
        self.matrix("expand", code=2, says="many versions")
        self.of(axes, "cuda => 12 requires driver >= 550")
        self.matrix("expand", code=2, says="unknown operator '=>'")

    def test_impossible_corners_are_left_out(self):
        lines = self.matrix("expand", says="11 of 18 combinations are allowed")
        self.assertEqual(len(lines), 11)
        self.assertIn("driver=580.1 cuda=13.0 framework=jax", lines)
        self.assertNotIn("driver=550.54 cuda=13.0 framework=pytorch", lines)

    def test_pairs(self):
        pairs = lambda rows: {(a, row[a], b, row[b]) for row in rows for a in row for b in row if a < b}
        whole, few = self.lines("expand"), self.lines("pairwise")
        self.assertEqual(pairs(whole), pairs(few))
        self.assertLess(len(few), len(whole))
        self.matrix("pairwise", says="impossible by the rules: driver=450.80.02 with cuda=13.0.*fewer than \\d+ cannot")

    def test_shards_are_disjoint_and_together_whole(self):
        whole = self.matrix("expand")
        parts = [self.matrix("expand", "--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))
        self.matrix("expand", "--shard", "4/3", code=2, says="shard 4/3 does not exist")

    def test_what_is_done_is_not_done_again(self):
        first = self.matrix("shard", "--out", "results", "--by", "ada", says="11 combinations, 0 done, 11 to do")
        self.matrix("status", "results", code=2, says="0 of 11 combinations have results, 11 to do")
        for line in first[:4]:
            (self.folder / line.split("\t")[0] / "report.json").write_text(run_of("lab1", "pass"))
        again = self.matrix("shard", "--out", "results", says="4 done, 7 to do")
        self.assertEqual(sorted(again), sorted(first[4:]))
        self.assertEqual(len(self.matrix("status", "results", code=2)), 8)
        for line in again:
            (self.folder / line.split("\t")[0] / "report.json").write_text(run_of("lab1", "pass"))
        self.matrix("status", "results", says="11 of 11")
        self.matrix("report", "results", says="11 certified\n")

    def test_results_of_many_machines(self):
        for machine, verdict in (("m1", "pass"), ("m2", "fail")):
            lines = self.matrix("shard", "--out", machine, "--by", machine)
            (self.folder / lines[0].split("\t")[0] / "report.json").write_text(run_of(machine, "pass", verdict))
            if machine == "m1":
                (self.folder / lines[1].split("\t")[0] / "report.json").write_text(run_of(machine, "pass"))
        said = "\n".join(self.matrix("merge", "m1", "m2", "--out", "all", code=1, says="3 runs copied, 0 were there already"))
        self.assertRegex(said, r"1 certified, 1 conflict, 9 holes")
        self.assertRegex(said, r"conflict: .*: t1: .* of m2 says fail, .* of m1 says pass")
        self.matrix("merge", "m1", "m2", "--out", "all", code=1, says="0 runs copied, 3 were there already")
        self.matrix("report", "all", "--rows", "framework", "--columns", "driver", "--out", "report", code=1, says=r"framework \\ driver.*report: report/compatibility.json")
        report = json.loads((self.folder / "report/compatibility.json").read_text())
        self.assertEqual(report["counts"], {"certified": 1, "failed": 0, "undecided": 0, "conflict": 1, "hole": 9})
        certified = next(entry for entry in report["combinations"] if entry["state"] == "certified")["certifications"][0]
        self.assertEqual((certified["by"], certified["when"], certified["host"]), ("m1", "2026-01-02T03:04:05Z", "m1"))
        self.assertIn("| hole |", (self.folder / "report/compatibility.md").read_text())

    def test_holes_are_no_passes(self):
        lines = self.matrix("shard", "--out", "results")
        (self.folder / lines[0].split("\t")[0] / "report.json").write_text(run_of("lab1", "pass"))
        self.matrix("report", "results", code=2, says="1 certified, 10 holes")

    def test_what_is_wrong_is_said(self):
        self.matrix("expnd", code=2, says="unknown action 'expnd'; nearest: expand")
        self.matrix("report", code=2, says="no folder is named")
        self.matrix("shard", code=2, says="--out is missing")
        self.matrix("report", "absent", code=2, says="absent")
        (self.folder / "results").mkdir()
        self.matrix("report", "results", "--rows", "drver", code=2, says="unknown axis 'drver'; nearest: driver")
        (self.folder / "matrix.json").write_text(MATRIX.replace("requires driver", "requires drivr"))
        self.matrix("expand", code=2, says="the rule 'cuda >= 13 requires drivr >= 580'.*unknown axis 'drivr'; nearest: driver")
        (self.folder / "matrix.json").write_text(MATRIX.replace('"580.1"]', '"580.1", "590"]').replace("cuda < 12", "cuda < 10"))
        self.matrix("expand", says="'cuda < 10 excludes framework == jax' excludes nothing")


if __name__ == "__main__":
    unittest.main()
