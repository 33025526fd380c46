"""Runs assay telemetry as an operator does: what is here, a recording while a load runs, its page, its judgment.

  python3 telemetry.py ASSAY SCRIPTED_NVML [unittest options]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
NVML = str(Path(sys.argv.pop(1)).resolve())

GPU = """0 Count 0 1
0 PowerUsage 0 695000
0 EnforcedPowerLimit 0 700000
0 TotalEnergyConsumption 0 1000000
0 Temperature 0 60
0 TemperatureThreshold1 0 90
0 CurrentClocksThrottleReasons 0 4
"""


def simulated(seconds, watts, reasons=4, degrees=70, lost_from=None, limit=700, torn=False):
    """A recording of one GPU, as record writes it."""
    sensors = [("energy", {"scale": 0.001}), ("power", {}), ("power_limit", {"limits": "enforced", "seldom": True}),
               ("temperature", {"name": "gpu"}), ("temperature_limit", {"name": "gpu", "limits": "slowdown", "seldom": True}),
               ("throttle_reasons", {}), ("clock", {"name": "sm"})]
    lines = [{"schema": "assay-telemetry/1", "started": "2026-01-02T03:04:05Z", "devices": [{"id": "gpu/GPU-1", "kind": "gpu"}],
              "sensors": [{"device": 0, "quantity": quantity, **more} for quantity, more in sensors]}]
    for tick in range(seconds * 2 + 1):
        time = tick / 2
        values = [int(1e6 + watts * 1000 * time), watts, limit, degrees, 90, reasons, 1755e6]
        readings = [[i, 0, value] for i, value in enumerate(values)]
        if lost_from is not None and time >= lost_from:
            readings = [[i, 0, "lost", "GPU is lost (15)"] for i in range(len(values))]
        lines.append({"t": int(time * 1e9), "r": readings})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return text[:-7] if torn else text + json.dumps({"end": int(seconds * 1e9)}) + "\n"


class Telemetry(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "script.txt").write_text(GPU)
        (self.folder / "sys").mkdir()

    def run_assay(self, *arguments, code=0):
        done = subprocess.run([ASSAY, "telemetry", *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "ASSAY_NVML_SCRIPT": str(self.folder / "script.txt")})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def judged(self, recording, *arguments, code):
        (self.folder / "r.jsonl").write_text(recording)
        return self.run_assay("replay", "r.jsonl", *arguments, code=code)

    def test_list(self):
        told = self.run_assay("list", "--source", "nvml", "--library", NVML)
        self.assertRegex(told, r"gpu/GPU-script-1 +power +695 W")
        self.assertIn("power_cap", told)
        self.assertIn("unsupported", told)
        empty = self.run_assay("list", "--source", "sysfs", "--root", self.folder / "sys", code=2)
        self.assertIn("no chip of hwmon", empty)
        self.assertIn("0 of 0 sensors have a value", empty)

    def test_record_and_show(self):
        self.run_assay("record", "r.jsonl", "--source", "nvml", "--library", NVML, "--seconds", "1.5")
        lines = (self.folder / "r.jsonl").read_text().splitlines()
        self.assertRegex(json.loads(lines[0])["started"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIn("end", json.loads(lines[-1]))
        told = self.run_assay("show", "r.jsonl", "--out", "r.html")
        self.assertRegex(told, r"power +695 +695 +695 W")
        self.assertIn("<svg", (self.folder / "r.html").read_text())
        self.assertIn("is there", self.run_assay("record", "r.jsonl", "--source", "nvml", "--library", NVML, code=2))
        self.assertIn("too_short", self.run_assay("replay", "r.jsonl", code=2))

    def test_record_without_sensors(self):
        self.assertIn("no sensor here", self.run_assay("record", "r.jsonl", "--source", "sysfs", "--root", "sys", code=2))
        self.assertFalse((self.folder / "r.jsonl").exists())

    def test_replay(self):
        good = self.judged(simulated(180, 695), "--specification", 700, code=0)
        self.assertIn("2 judged: 2 passed", good)
        self.assertIn("-14.3 %", self.judged(simulated(180, 600), code=1))
        self.assertIn("heat held the clocks down", self.judged(simulated(180, 695, reasons=0x20, degrees=88), code=1))
        self.assertIn("margin", self.judged(simulated(180, 695, degrees=88), code=1))
        self.assertIn("device_lost", self.judged(simulated(180, 695, lost_from=90), code=2))
        self.assertIn("skipped", self.judged(simulated(180, 400, limit=400), "--specification", 700, code=2))
        self.assertIn("torn", self.judged(simulated(180, 695, torn=True), code=0))
        self.assertIn("device_missing", self.judged(simulated(180, 695), "--device", "gpu/GPU-2", code=2))

    def test_what_is_refused(self):
        for arguments, message in ((["lst"], "list"), (["show"], "none is named"), (["show", "absent.jsonl"], "does not exist"),
                                   (["record"], "none is named"), (["record", "r", "--seconds", "nan"], "above 0"),
                                   (["record", "r", "--interval", "0"], "above 0"), (["list", "--source", "nvlm"], "nvml"),
                                   (["list", "--source", "nvml", "--library", "/absent.so"], "/absent.so"),
                                   (["list", "--library", NVML], "--source"), (["show", "sys"], "folder"),
                                   (["record", "absent/r", "--source", "nvml", "--library", NVML], "cannot write"),
                                   (["record", "/dev/full", "--source", "nvml", "--library", NVML], "cannot write")):
            self.assertIn(message, self.run_assay(*arguments, code=2), arguments)
        (self.folder / "r.jsonl").write_text("no recording\n")
        self.assertIn("line 1", self.run_assay("replay", "r.jsonl", code=2))


if __name__ == "__main__":
    unittest.main(verbosity=2)
