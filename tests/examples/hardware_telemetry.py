"""Runs assay hardware and assay node on machines whose sensors are scripted, and holds each scenario to its verdict.

  python3 hardware_telemetry.py ASSAY SCRIPTED_NVML [unittest options]

A GPU is a number of the scripted library, with a fate of its own: what happens to one must not touch another.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
NVML = str(Path(sys.argv.pop(1)).resolve())
SECONDS = 40  # of scripts: longer than any run


def gpu(number, watts=690, reasons=4, degrees=60, limit=700, clock=1755, more=()):
    """The lines of one GPU: energy grows fifty times a second; what is a function is asked for the time in seconds."""
    lines, millijoules = [], 10_000_000
    own = lambda function, time, code, value: lines.append(f"{int(time * 1000)} {function}@{number} {code} {int(value)}")
    at = lambda value, time: value(time) if callable(value) else value
    for function, value in (("EnforcedPowerLimit", limit * 1000), ("TemperatureThreshold1", 90), ("TotalEccErrors0", 0), ("TotalEccErrors1", 0),
                            ("Field230", 0), ("NvLinkState0", 1), ("PcieReplayCounter", 7), ("MaxClockInfo1", 1980)):
        own(function, 0, 0, value)
    for tick in range(SECONDS * 50):
        time = tick / 50
        millijoules += at(watts, time) * 20
        own("TotalEnergyConsumption", time, 0, millijoules)
    for function, value, factor in (("PowerUsage", watts, 1000), ("CurrentClocksThrottleReasons", reasons, 1), ("Temperature", degrees, 1), ("ClockInfo1", clock, 1)):
        before = None
        for tick in range(SECONDS * 10):
            now = at(value, tick / 10)
            if now != before:
                own(function, tick / 10, 0, now * factor)
            before = now
    for function, time, code, value in more:
        lines = [line for line in lines if not (line.split()[1] == f"{function}@{number}" and int(line.split()[0]) >= time * 1000)]
        own(function, time, code, value)
    return lines


def lost(number, at):
    return [(function, at, 15, 0) for function in ("PowerUsage", "TotalEnergyConsumption", "Temperature", "ClockInfo1", "CurrentClocksThrottleReasons",
                                                   "EnforcedPowerLimit", "TemperatureThreshold1", "TotalEccErrors0", "TotalEccErrors1", "PcieReplayCounter")]


# What happens to a GPU: its script, and what sensors, power and heat must be found to be, with what is told.
SCENARIOS = [
    ("well, at its power limit", {}, "pass", "pass", "pass", ""),
    ("a little below its limit", {"watts": 672}, "pass", "pass", "pass", ""),
    ("6 % below its limit", {"watts": 658}, "pass", "fail", "pass", "within 5 % of 700 W"),
    ("6 % above its limit", {"watts": 742}, "pass", "fail", "pass", "its limit is not enforced"),
    ("a peak now and then, and little power", {"watts": lambda t: 700 if int(t * 10) % 20 == 0 else 350, "clock": 1755}, "pass", "fail", None, "within 5 % of 700 W"),
    ("heat, told by the driver", {"reasons": 0x20, "degrees": 88}, "pass", "pass", "fail", "heat held the clocks down: software_thermal"),
    ("heat, told by the hardware", {"reasons": 0x48, "degrees": 89}, "pass", "pass", "fail", "heat held the clocks down: hardware_thermal"),
    ("the power brake", {"reasons": 0x88}, "pass", "pass", "fail", "power brake"),
    ("hardware slowdown without a cause", {"reasons": 8}, "pass", "pass", "pass", ""),
    ("clocks that somebody chose", {"reasons": 2}, "pass", "pass", "pass", ""),
    ("clocks that fall without a reason", {"reasons": 0, "clock": lambda t: 1755 if t < 8 else 1200}, "pass", "pass", "fail", "no reason was told"),
    ("too hot, though not throttled", {"degrees": 87}, "pass", "pass", "fail", "a margin of 3 °C"),
    ("lost in the middle", {"more": "lost"}, "fail", "inconclusive", "inconclusive", "was lost after"),
    ("an energy counter that falls", {"more": [("TotalEnergyConsumption", 6, 0, 5000)]}, "inconclusive", "inconclusive", "pass", "counter_reset|set back"),
    ("two errors of memory that ECC did not correct", {"more": [("TotalEccErrors1", 6, 0, 2)]}, "fail", "pass", "pass", "uncorrected_errors .* rose by 2"),
    ("one error that ECC did correct", {"more": [("TotalEccErrors0", 6, 0, 1)]}, "fail", "pass", "pass", "corrected_errors .* rose by 1"),
    ("a link that goes down", {"more": [("NvLinkState0", 6, 0, 0)]}, "fail", "pass", "pass", "link nvlink 0 .* went down"),
    ("a few replays of a link", {"more": [("PcieReplayCounter", 6, 0, 19)]}, "pass", "pass", "pass", ""),
    ("replays without end", {"more": [("PcieReplayCounter", 6, 0, 5000)]}, "fail", "pass", "pass", "link_replays pcie .* rose by 4993"),
    ("a driver that asks for a reset", {"more": [("Field230", 6, 0, 1)]}, "fail", "pass", "pass", "asks that gpu/GPU-script-[0-9]+ be reset"),
    ("a limit that cannot be read", {"more": [("EnforcedPowerLimit", 0, 4, 0)]}, "pass", "inconclusive", "pass", "no_limit|Insufficient Permissions"),
    ("a limit that somebody lowered", {"watts": 400, "limit": 400}, "pass", "skipped", "pass", "below the specification of 700 W"),
    ("idle, though it is to be loaded", {"watts": 90, "reasons": 1, "clock": 345}, "pass", "fail", "pass", "the device was idle"),
]


class ScriptedMachine(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        (self.folder / "sys").mkdir()

    def script(self, lines):
        (self.folder / "script.txt").write_text("".join(line + "\n" for line in lines))

    def environment(self):
        return {**os.environ, "ASSAY_NVML_SCRIPT": str(self.folder / "script.txt")}

    def assay(self, *arguments, code=None, says=""):
        done = subprocess.run([ASSAY, *map(str, arguments), "--no-config"], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=600, env=self.environment())
        said = done.stdout + done.stderr
        if code is not None:
            self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def outcomes(self, file="run.json"):
        return {outcome["id"]: outcome for outcome in json.loads((self.folder / file).read_text())["outcomes"]}

    def watched(self, *arguments, seconds=18, action=("stress", "--dtype", "i32"), **expected):
        self.assay("hardware", *action, "--seconds", seconds, "--telemetry", "nvml", "--telemetry-library", NVML, "--ramp", 2, "--steady", 10,
                   "--report", "run.json", "--html", "page.html", *arguments, **expected)
        return self.outcomes()

    def wrong_verdicts(self):
        """By scenario and part, what one run of all of them found that it must not."""
        found = self.watched("--loaded", "gpu/*", "--specification", "gpu/*=700", code=1)
        wrong = {}
        for number, (name, _, *expected, told) in enumerate(SCENARIOS, 1):
            judged = [found[f"hardware/{part}/gpu/GPU-script-{number}"] for part in ("sensors", "power", "thermal")]
            for part, outcome, verdict in zip(("sensors", "power", "thermal"), judged, expected):
                if verdict is not None and outcome["verdict"] != verdict:
                    wrong[name, part] = f"{name}: {part} is {outcome['verdict']} ({outcome.get('reason')}), not {verdict}"
            text = "\n".join(str(outcome.get("reason", "")) + "\n".join(outcome.get("diagnosis", [])) for outcome in judged)
            if told and not re.search(told, text):
                wrong[name, "told"] = f"{name}: nothing says {told!r}: {text}"
        return wrong

    def test_scenarios(self):
        lines = [f"0 Count 0 {len(SCENARIOS)}"]
        for number, (_, how, *_) in enumerate(SCENARIOS, 1):
            how = dict(how)
            if how.get("more") == "lost":
                how["more"] = lost(number, 6)
            lines += gpu(number, **how)
        self.script(lines)
        wrong = self.wrong_verdicts()
        for _ in range(2):  # a busy machine reads counters late; a verdict that is wrong is so each time
            if wrong:
                again = self.wrong_verdicts()
                wrong = {name: text for name, text in again.items() if name in wrong}
        self.assertEqual(wrong, {}, "\n".join(wrong.values()))
        page = (self.folder / "page.html").read_text()
        self.assertIn('id="telemetry"', page)
        self.assertIn("what held the clocks down", page)
        self.assertRegex(page, r"hardware_thermal</text>")

    def test_who_is_not_loaded_is_not_judged_for_power(self):
        self.script(["0 Count 0 2"] + gpu(1, watts=90) + gpu(2, watts=90, reasons=1))
        found = self.watched(seconds=10)
        self.assertEqual([found[f"hardware/power/gpu/GPU-script-{number}"]["verdict"] for number in (1, 2)], ["skipped", "skipped"])
        self.assertIn("nothing says that the device was under full load", found["hardware/power/gpu/GPU-script-1"]["reason"])
        self.assertIn("not busy", found["hardware/power/gpu/GPU-script-2"]["reason"])

    def test_a_library_that_hangs_costs_its_sensors_and_no_more(self):
        self.script(["0 Count 0 1"] + gpu(1) + ["5000 ClockInfo1@1 0 1755 60000"])
        begun = time.monotonic()
        found = self.watched("--loaded", "gpu/*")
        self.assertLess(time.monotonic() - begun, 300)
        self.assertEqual(found["hardware/sensors/gpu/GPU-script-1"]["verdict"], "inconclusive")
        self.assertRegex(found["hardware/sensors/gpu/GPU-script-1"]["labels"]["reason_codes"], "end_not_covered|gap")

    def test_a_library_that_ends_its_process(self):
        self.script(["0 Count 0 1"] + gpu(1) + ["4000 Temperature@1 abort 0"])
        found = self.watched("--loaded", "gpu/*")
        self.assertEqual(found["hardware/sensors/gpu/GPU-script-1"]["verdict"], "inconclusive")
        self.assertNotEqual(found["hardware/thermal/gpu/GPU-script-1"]["verdict"], "pass")

    def test_a_machine_without_sensors_says_so(self):
        found = self.assay("hardware", "stress", "--seconds", 0.3, "--dtype", "i32", "--telemetry", "sysfs", "--telemetry-root", "sys", "--report", "run.json",
                           says="not here: sysfs: no chip of hwmon.*unsupported +hardware/sensors: no sensor of power")
        self.assertNotIn("pass         hardware/sensors", found)
        self.assertEqual(self.outcomes()["hardware/sensors"]["verdict"], "unsupported")
        self.assay("hardware", "stress", "--seconds", 0.3, "--dtype", "i32", "--telemetry", "none", says="skipped +hardware/sensors: --telemetry none")
        self.assay("hardware", "stress", "--telemetry", "nvlm", code=2, says="nvml")
        self.assay("hardware", "stress", "--telemetry", "nvml", "--telemetry-library", "/absent.so", code=2, says="/absent.so")
        self.assay("hardware", "stress", "--specification", "700", code=2, says="gpu/\\*=700")
        self.assay("hardware", "memory", "--telemetry", "sysfs", code=2, says="--telemetry is for")

    def test_a_recorded_machine_whose_energy_counter_runs(self):
        """A copy of /sys, written to while the check runs: a package at its limit of 165 W, then memory with errors."""
        def write(path, text):
            file = self.folder / "sys" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary = file.with_name("." + file.name)
            temporary.write_text(f"{text}\n")
            with open(file, "w" if not file.exists() else "r+") as open_file:  # the same file: readers keep it open
                open_file.write(f"{text}\n")
                open_file.truncate()
            temporary.unlink()

        zone = "class/powercap/intel-rapl:0"
        for path, text in ((f"{zone}/name", "package-0"), (f"{zone}/max_energy_range_uj", "262143328850"), (f"{zone}/energy_uj", "262043328850"),
                           (f"{zone}/constraint_0_name", "long_term"), (f"{zone}/constraint_0_power_limit_uw", "165000000"),
                           ("class/hwmon/hwmon0/name", "coretemp"), ("devices/system/edac/mc/mc0/mc_name", "IMC"),
                           ("devices/system/edac/mc/mc0/ce_count", "1"), ("devices/system/edac/mc/mc0/ue_count", "0"),
                           ("devices/system/cpu/cpu0/topology/physical_package_id", "0"), ("devices/system/cpu/cpu0/topology/core_id", "0"),
                           ("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000"), ("devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "5")):
            write(path, text)
        begun, stop, errors, watts = time.monotonic(), threading.Event(), 1, 165.0

        def run():
            while not stop.wait(0.05):
                passed = time.monotonic() - begun
                write(f"{zone}/energy_uj", int(262043328850 + watts * 1e6 * passed) % 262143328851)  # it wraps
                write("devices/system/edac/mc/mc0/ce_count", errors if passed > 3 else 1)

        def check(*more):
            self.assay("hardware", "power", "--seconds", 16, "--dtype", "i32", "--telemetry", "sysfs", "--telemetry-root", "sys", "--ramp", 2, "--steady", 20, "--report", "run.json", *more)
            return self.outcomes()

        writer = threading.Thread(target=run)
        writer.start()
        self.addCleanup(writer.join)
        self.addCleanup(stop.set)
        for _ in range(3):  # a busy machine writes the counter late, and power then seems to jump
            found = check("--loaded", "processor/0")
            if found["hardware/power/processor/0"]["verdict"] == "pass":
                break
        self.assertEqual(found["hardware/power/processor/0"]["verdict"], "pass", found["hardware/power/processor/0"])
        self.assertEqual(found["hardware/sensors/memory/mc0"]["verdict"], "pass")
        watts, errors = 120.0, 4
        begun = time.monotonic()
        found = check("--loaded", "processor/0")
        self.assertEqual(found["hardware/power/processor/0"]["verdict"], "fail")
        self.assertEqual(found["hardware/sensors/memory/mc0"]["verdict"], "fail")
        self.assertIn("rose by 3", found["hardware/sensors/memory/mc0"]["reason"])

    def test_a_recording_is_kept(self):
        self.script(["0 Count 0 1"] + gpu(1))
        self.watched("--loaded", "gpu/*", "--recording", "kept.jsonl", seconds=10, action=("soak", "--bytes", "64K"))
        self.assay("telemetry", "show", "kept.jsonl", code=0, says="gpu/GPU-script-1 +power")
        self.assay("hardware", "stress", "--seconds", 0.3, "--recording", "kept.jsonl", "--telemetry", "nvml", "--telemetry-library", NVML, code=2, says="kept.jsonl")

    def node(self, *arguments, **expected):
        return self.assay("node", "check", "--root", self.folder / "root", "--manifest", "node.json", "--scheme", "nagios", *arguments, **expected)

    def test_the_verdict_on_a_node_has_its_sensors_in_it(self):
        (self.folder / "root/sys").mkdir(parents=True)
        (self.folder / "node.json").write_text('{"schema": "assay-node/1", "default_limits": false}')
        sensors = ("--telemetry", "nvml", "--telemetry-library", NVML, "--watch", 2)
        self.script(["0 Count 0 1"] + gpu(1))
        self.node(*sensors, code=0, says="^OK")
        self.script(["0 Count 0 2"] + gpu(1) + gpu(2, more=lost(2, 1)))
        said = self.node(*sensors, "--json", "node-run.json", code=2, says="^CRITICAL hardware/sensors/gpu/GPU-script-2")
        self.assertLessEqual(len(said.splitlines()[0].encode()) + 1, 80)
        self.assertEqual(self.outcomes("node-run.json")["hardware/sensors/gpu/GPU-script-2"]["verdict"], "fail")
        self.script(["0 Count 0 1"] + gpu(1) + ["900 PowerUsage@1 0 690000 60000"])
        self.node(*sensors[:-1], 8, code=3, says="^UNKNOWN hardware/sensors/gpu/GPU-script-1")

    def test_export(self):
        (self.folder / "root/sys").mkdir(parents=True)
        (self.folder / "node.json").write_text('{"schema": "assay-node/1", "default_limits": false, "device_count": 1}')
        self.script(["0 Count 0 2"] + gpu(1, reasons=0x40) + gpu(2, more=lost(2, 0)))
        with subprocess.Popen([ASSAY, "node", "export", "--listen", "127.0.0.1:0", "--root", "root", "--manifest", "node.json", "--name", "n1", "--every", "1",
                               "--telemetry", "nvml", "--telemetry-library", NVML, "--no-config"], cwd=self.folder, stdout=subprocess.PIPE, encoding="utf-8", env=self.environment()) as server:
            self.addCleanup(server.kill)
            address = re.search(r"http://([^/]+)/metrics", server.stdout.readline())[1]

            def get(path="/metrics", accept="text/plain", method="GET"):
                request = urllib.request.Request(f"http://{address}{path}", headers={"Accept": accept}, method=method)
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.headers["Content-Type"], answer.read().decode()

            deadline = time.monotonic() + 60
            while "assay_telemetry_power_watts" not in get()[1] and time.monotonic() < deadline:
                time.sleep(0.2)
            kind, text = get()
            self.assertIn("version=0.0.4", kind)
            for sample in ('assay_node_check_level{node="n1"} 2', 'assay_node_devices_expected{node="n1"} 1',
                           'assay_telemetry_power_watts{device="gpu/GPU-script-1",node="n1",sensor=""} 690',
                           'assay_telemetry_device_present{device="gpu/GPU-script-1",node="n1"} 1', 'assay_telemetry_device_present{device="gpu/GPU-script-2",node="n1"} 0',
                           'assay_telemetry_throttled{device="gpu/GPU-script-1",node="n1",reason="hardware_thermal"} 1'):
                self.assertIn(sample + "\n", text)
            self.assertNotIn("NaN", text)
            kind, text = get(accept="application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
            self.assertIn("openmetrics", kind)
            self.assertTrue(text.endswith("# EOF\n"))
            self.assertEqual(get(method="HEAD")[1], "")
            for path, method, code in (("/absent", "GET", 404), ("/metrics", "POST", 405)):
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    get(path, method=method)
                self.assertEqual(refused.exception.code, code)
            host, port = address.rsplit(":", 1)
            idle = [socket.create_connection((host, int(port))) for _ in range(40)]  # who says nothing keeps nobody out for long
            with socket.create_connection((host, int(port)), timeout=30) as flood:
                try:
                    flood.sendall(b"GET /metrics HTTP/1.1\r\n" + b"a: b\r\n" * 4000)
                    self.assertIn(flood.recv(64)[:12], (b"HTTP/1.1 431", b""))
                except ConnectionError:
                    pass
            deadline = time.monotonic() + 60
            while True:
                try:
                    self.assertIn("assay_node_check_level", get()[1])
                    break
                except OSError:
                    self.assertLess(time.monotonic(), deadline, "the server no longer answers")
                    time.sleep(0.5)
            for one in idle:
                one.close()
            again = subprocess.run([ASSAY, "node", "export", "--listen", address, "--no-config"], capture_output=True, encoding="utf-8", timeout=60)
            self.assertEqual(again.returncode, 2)
            self.assertIn("cannot listen", again.stderr)
            server.terminate()
            self.assertEqual(server.wait(timeout=60), 0)
        for address in ("nowhere", "host.example:80", "127.0.0.1:", "127.0.0.1:99999"):
            self.assay("node", "export", "--listen", address, code=2, says="is no address|cannot listen")


if __name__ == "__main__":
    unittest.main(verbosity=2)
