"""Judges right training and training with faults, by threads and over MPI.

Usage: training.py TRAINING
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TRAINING = sys.argv.pop(1)
MPIRUN = shutil.which("mpirun")
SHORT = ["--steps", "6", "--seeds", "2"]


def run(*command):
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    return subprocess.run([*map(str, command)], env={**os.environ, **settings}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)


class Training(unittest.TestCase):
    def test_right_training_passes(self):
        done = run(TRAINING, *SHORT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = [line for line in done.stdout.splitlines() if line.startswith("in_process.")]
        self.assertEqual(len(rows), 16, done.stdout)
        self.assertTrue(all(line.endswith("pass") for line in rows), done.stdout)
        self.assertEqual(sum("bitwise" in line for line in rows), 1, done.stdout)

    def test_every_fault_is_named_and_shown_on_a_page(self):
        with tempfile.TemporaryDirectory(prefix="assay-training-") as folder:
            page = pathlib.Path(folder) / "faults.html"
            done = run(TRAINING, *SHORT, "--faults", "--html", page)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            rows = [line.split() for line in done.stdout.splitlines() if " fail " in line]
            self.assertEqual(len(rows), 13, done.stdout)
            for row in rows:
                self.assertEqual(row[0], row[2], done.stdout)
            text = page.read_text()
            self.assertIn("loss, reference", text)
            self.assertIn("the gradients of rank 1 are not in the sum", text)

    def test_over_mpi(self):
        done = run(MPIRUN or "mpirun-is-absent", "-n", "2", "true") if MPIRUN else None
        if not done or done.returncode != 0:
            self.skipTest("mpirun cannot start two processes")
        done = run(MPIRUN, "-n", "2", TRAINING, "--mpi", *SHORT)
        if "MPI was not found" in done.stderr:
            self.skipTest("built without MPI")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = [line for line in done.stdout.splitlines() if line.startswith("mpi")]
        self.assertEqual(len(rows), 3, done.stdout)
        self.assertTrue(all(line.endswith("pass") for line in rows), done.stdout)

    def test_options_that_are_none_are_refused(self):
        for options in (["--unknown"], ["--steps"], ["--steps", "0"], ["--seeds", "x"]):
            done = run(TRAINING, *options)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("training: '--", done.stderr)
        done = run(TRAINING, *SHORT, "--html", "/nowhere/page.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not exist", done.stderr)


if __name__ == "__main__":
    unittest.main()
