"""Faults of public reports, each with its right twin, as plugins of the `assay` tool: the default suite catches every fault, unaided, and accuses no twin.

  python3 plugin_reported.py PROGRAM LIBRARY [unittest options]

LIBRARY is built of tests/testing/reported_plugin.cpp; a copy of it has the fault that the copy is named after.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, LIBRARY = (Path(sys.argv.pop(1)).resolve() for _ in range(2))

# What the diagnosis of one failure or another names: a word of its class or kind.
FAULTS = ("scan-carry", "scan-neighbor", "argmax-nan", "argmax-all-nan", "smoothed-ignored", "gelu-overflow", "causal-by-group", "sums-of-two-rows",
          "remainder-stride", "epsilon-twice", "log-as-softmax", "output-padding", "dilated-depthwise", "nearest-by-floor", "early-saturation",
          "zero-points-added", "ragged-zero-points", "negative-indices")


class Reported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def outcomes(self, name):
        library = self.folder / f"lib{name}.so"
        shutil.copy(LIBRARY, library)
        done = subprocess.run([PROGRAM, "run", "--no-config", "--no-isolate", "--plugin", library, "--out", name, "--no-diagnosis"], cwd=self.folder,
                              capture_output=True, text=True, timeout=1200)
        report = self.folder / name / "report.json"
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        return [outcome for outcome in json.loads(report.read_text())["outcomes"]]

    def test_faults_are_caught_and_twins_accepted(self):
        for fault in FAULTS:
            with self.subTest(fault=fault):
                wrong, right = self.outcomes(fault), self.outcomes(f"right-{fault}")
                failed = [each["id"] for each in wrong if each["verdict"] == "fail"]
                accused = [f'{each["id"]}: {each["reason"]}' for each in right if each["verdict"] not in ("pass", "unsupported", "inconclusive")]
                self.assertTrue(failed, "not caught")
                self.assertEqual(accused, [])
                self.assertGreater(sum(each["verdict"] == "pass" for each in right), 3)
                print(f"{fault}: {len(failed)} of {len(wrong)} cases fail, {failed[0]}")


if __name__ == "__main__":
    unittest.main(verbosity=1)
