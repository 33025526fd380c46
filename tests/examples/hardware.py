"""Runs assay hardware as those do who bring up machines.

  python3 hardware.py ASSAY [unittest options]
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())


class Hardware(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def assay(self, *arguments, code=0, says=""):
        done = subprocess.run([ASSAY, "hardware", *map(str, arguments), "--no-config"], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=300)
        said = done.stdout + done.stderr
        self.assertIn(done.returncode, code if isinstance(code, tuple) else (code,), said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def test_memory_passes_and_is_written_for_programs(self):
        self.assay("memory", "--bytes", "256K", "--test", "march_c-,random,modulo_20", "--report", "run.json", "--html", "page.html", says="pass +hardware/memory/march_c-.*pass +hardware/memory/modulo_20.*3 passed")
        run = json.loads((self.folder / "run.json").read_text())
        self.assertEqual([outcome["id"] for outcome in run["outcomes"]], ["hardware/memory/" + name for name in ("march_c-", "random", "modulo_20")])
        self.assertIn("memory/<wbr>random", (self.folder / "page.html").read_text())

    def test_coverage_is_a_table(self):
        self.assertRegex(self.assay("memory", "--coverage"), r"march_ss +22n( +100){6} +33( +100){4}")

    def test_what_cannot_be_is_told(self):
        self.assay("memory", "--bytes", "900T", code=1, says="error +hardware/memory/march_c-.*available")
        self.assay("memory", "--test", "march_z", code=1, says="unknown test of memory")
        self.assay("memory", "--bytes", "1", code=2, says="give 4K or more")
        self.assay("memory", "--bytes", "64M", "--seconds", "0.000001", code=2, says="inconclusive.*nothing was tested")
        self.assay("stress", "--seconds", "0.1", "--dtype", "f16", code=2, says="unsupported +hardware/stress/f16")
        self.assay("stress", "--seconds", "0.2", "--dtype", "f64", "--peak", "0.000001", code=1, says="above the peak")
        self.assay("stress", "--seconds", "nan", code=2)
        self.assay("stress", "--processors", "4096", "--seconds", "0.1", "--dtype", "f64", code=(1, 2))
        self.assay("stress", "--processors", "x", code=2, says="no list of processors")
        self.assay("bandwidth", "--least-share", "0.5", code=2, says="asks for --memory-bandwidth")
        self.assay("pools", "--trace", "none.txt", code=1, says="none.txt")
        self.assay("check", "--level", "5", code=2, says="1, 2, 3 or 4")
        self.assay("tempest", code=2, says="unknown action")
        self.assay(code=2, says="asks for an action")

    def test_stress_counts_processors(self):
        said = self.assay("stress", "--seconds", "0.5", "--dtype", "f32", code=(0, 2))
        self.assertRegex(said, "(pass|inconclusive) +hardware/stress/f32 +rate")

    def test_pools_replay_a_trace(self):
        (self.folder / "trace.txt").write_text("alloc 1 1000000\nalloc 2 200000 64\nfree 1\nfree 2\n")
        self.assay("pools", "--trace", "trace.txt", says="pass +hardware/pools/heap.*pass +hardware/pools/recycling")
        (self.folder / "wrong.txt").write_text("alloc 1 10\nfree 2\n")
        self.assay("pools", "--trace", "wrong.txt", code=1, says="line 2 of the trace")

    def test_a_soak_that_was_killed_goes_on(self):
        command = ["soak", "--seconds", "6", "--bytes", "256K", "--journal", "soak.jsonl"]
        first = subprocess.Popen([ASSAY, "hardware", *command, "--no-config"], cwd=self.folder, stdout=subprocess.DEVNULL)
        journal = self.folder / "soak.jsonl"
        while not journal.exists() or len(journal.read_text().splitlines()) < 3:
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        kept = len(journal.read_text().splitlines())
        self.assay(*command, code=(0, 1, 2), says="going on after [0-9]+ results of 'soak.jsonl'")
        self.assertGreater(len(journal.read_text().splitlines()), kept)
        self.assay("soak", "--seconds", "6", "--bytes", "512K", "--journal", "soak.jsonl", code=1, says="journal of another soak")


if __name__ == "__main__":
    unittest.main()
