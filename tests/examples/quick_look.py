"""Runs the first look and holds it to what it says: other people's libraries may fail, and then it exits with 1; Assay's own kernels must not.

  python3 quick_look.py PROGRAM
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=240)


class QuickLook(unittest.TestCase):
    def test_what_is_looked_at_is_told_and_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(folder)
            report = (Path(folder) / "report.html").read_text(encoding="utf-8")
        closing = re.search(r"^(\d+) cases: (\d+) passed(?:, (\d+) failed)?", done.stdout, re.MULTILINE)
        self.assertIsNotNone(closing, done.stdout + done.stderr)
        self.assertEqual(done.returncode, 1 if int(closing[3] or 0) > 0 else 0, done.stdout)
        self.assertGreater(int(closing[2]), 1000)
        failed = re.findall(r"^(?:fail|error) ([\w-]+)/([\w-]+)/", done.stdout, re.MULTILINE)
        self.assertEqual(int(closing[3] or 0) > 0, bool(failed), done.stdout)
        self.assertNotIn("host", {backend for _, backend in failed}, done.stdout)
        for operation in ("gemm", "softmax", "layernorm", "rmsnorm"):
            self.assertRegex(done.stdout, rf"(?m)^host +{operation} ")
            self.assertIn(operation, report)

    def test_what_it_cannot_do_ends_with_2(self):
        for arguments, told in ((["--fast"], "'--fast' was not expected"), (["one", "two"], "'two' was not expected"), (["worker"], "not for use by hand")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(told, done.stderr)

    def test_a_report_that_cannot_be_written_is_no_pass(self):
        done = run("/proc/none")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("cannot write '/proc/none/report.html'", done.stderr)


if __name__ == "__main__":
    unittest.main()
