"""Runs examples/split_pipeline: an application in three processes and a loader, with faults that are each found where they were built in, and
`assay pipeline requests` and `loading` with what is wrong with their files.

  python3 split_pipeline.py ASSAY FOLDER_OF_THE_EXAMPLE [unittest options]
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY, EXAMPLE = (Path(argument).resolve() for argument in sys.argv[1:3])
del sys.argv[1:3]


class SplitPipeline(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def example(self, name, rows, *arguments):
        done = subprocess.run([sys.executable, "-B", EXAMPLE / name, self.folder, "--assay", ASSAY, *arguments], timeout=300, capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("\n| ") , rows, done.stdout)
        return done.stdout

    def test_late_stages_and_fallbacks_are_found(self):
        self.assertRegex(self.example("three_processes.py", 10, "--requests", "12"), r"\| none \| none \|")

    def test_loaders_that_break_their_promise_are_found(self):
        self.assertRegex(self.example("loading.py", 5, "--samples", "100"), r"\| none \| none \|")

    def test_an_application_that_finds_nothing_says_so(self):
        """The example fails where a fault is not found: with a promise that allows everything."""
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); import three_processes; three_processes.PROMISE['answers'] = {'absolute': 9}; sys.exit(three_processes.main())"
        done = subprocess.run([sys.executable, "-B", "-c", code, EXAMPLE, self.folder, "--assay", ASSAY, "--requests", "6", "--fault", "model off by one tone"],
                              timeout=120, capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("nothing was blamed, and answers is wrong", done.stderr)

    def judged(self, action, records, promise, code, says):
        (self.folder / "r.jsonl").write_text("".join(json.dumps(own) + "\n" for own in records))
        (self.folder / "p.json").write_text(json.dumps(promise))
        done = subprocess.run([ASSAY, "pipeline", action, "--records", "r.jsonl", "--promise", "p.json", "--no-config"], cwd=self.folder, timeout=60, capture_output=True,
                              encoding="utf-8")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, says)

    def test_files(self):
        request = {"id": "a", "begin": 0, "end": 1, "spans": [{"stage": "s", "place": "p", "begin": 5, "end": 5.5}], "answer": "yes", "reference": "yes"}
        promise = {"stages": ["s"], "deadline": 2}
        self.judged("requests", [request], promise, 0, r"pass: pipeline/r/deadline[\s\S]*500 +500 +50")
        self.judged("requests", [request], {"stages": ["s"], "deadline": 0.5}, 1, "fail: pipeline/r/deadline\n.*1 of 1 requests took more than 500 ms")
        self.judged("requests", [{**request, "answer": "no"}], promise, 1, "fail: pipeline/r/answers")
        self.judged("requests", [{**request, "begins": 1}], promise, 2, "line 1: unknown member 'begins'; nearest: begin")
        self.judged("requests", [request], {"stages": ["s"]}, 2, "\"deadline\" is missing")
        self.judged("loading", [{"samples": [0, 1]}, {"samples": [1, 0]}], {"dataset": 2}, 1, "fail: pipeline/r/determinism")
        self.judged("loading", [{"samples": [0, 1]}], {"dataset": 2, "deterministic": False}, 0, "pass: pipeline/r/coverage")
        self.judged("loading", [], {"dataset": 2}, 2, "has no line")

    def test_what_an_action_asks_for(self):
        for arguments, says in ((("requests", "--promise", "p"), "pipeline requests asks for --records"), (("loading", "--records", "r"), "asks for --promise"),
                                (("run", "--candidate", "c"), "pipeline run asks for --reference"), (("requests", "--records", "r", "--promise", "p", "--rtol", "1"), "--rtol is for run")):
            done = subprocess.run([ASSAY, "pipeline", *arguments, "--no-config"], timeout=60, capture_output=True, encoding="utf-8")
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
