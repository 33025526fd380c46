"""Runs examples/model_pipelines: 18 faults built into two real applications are each found at their stage.

  python3 model_pipelines.py ASSAY FOLDER_OF_THE_EXAMPLE ENVIRONMENT
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY, EXAMPLE, ENVIRONMENT = (Path(argument).resolve() for argument in sys.argv[1:4])
del sys.argv[1:4]


class ModelPipelines(unittest.TestCase):
    def run_example(self, *arguments, python=ENVIRONMENT / "bin/python3"):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([python, EXAMPLE / "run.py", folder, "--assay", ASSAY, *arguments], timeout=900, capture_output=True, encoding="utf-8")

    def test_every_fault_is_found_at_its_stage_and_no_right_version_is_accused(self):
        done = self.run_example()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines() if line.startswith("| ")]
        faults = [row for row in rows if len(row) == 5 and not row[0].startswith("fault in")]
        self.assertEqual(len(faults), 18, done.stdout)
        for name, stage, blamed, *_ in faults:
            self.assertEqual(stage, blamed, name)
        same = [row for row in rows if row[0] in ("graph as written", "graph optimized")]
        self.assertEqual([row[2] for row in same], ["none"] * 4, done.stdout)

    def test_a_stage_that_is_not_there_is_refused(self):
        code = "import sys; sys.path.insert(0, sys.argv[1]); import speech; speech.pipeline().with_stages(modle=None)"
        done = subprocess.run([ENVIRONMENT / "bin/python3", "-c", code, EXAMPLE], capture_output=True, encoding="utf-8")
        self.assertIn("['modle'] is no stage; the stages are ['samples',", done.stderr)


if __name__ == "__main__":
    unittest.main()
