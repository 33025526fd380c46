#!/usr/bin/env python3
"""prometheus-node-exporter and lm-sensors read the tree that the tests of sysfs make, and tell what we tell.

usage: node_exporter_oracle.py TEST_TELEMETRY; exit code 77: skipped, with the reason."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def our_readings(program, folder):
    done = subprocess.run([program, "[.oracle]"], env={**os.environ, "ASSAY_ORACLE_FOLDER": folder}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    readings = {}
    with open(os.path.join(folder, "readings.txt"), encoding="utf-8") as file:
        for line in file:
            device, quantity, name, limits, value = line.rstrip("\n").split("\t")
            readings[device, quantity, name, limits] = float(value)
    return readings


def node_exporter_metrics(sysfs):
    """{(metric, ((label, value), ...)): number}"""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    collectors = ["--collector." + name for name in ("hwmon", "rapl", "edac", "thermal_zone", "cpu", "cpufreq")]
    process = subprocess.Popen(["prometheus-node-exporter", "--path.sysfs=" + sysfs, "--collector.disable-defaults",
                                f"--web.listen-address=127.0.0.1:{port}", *collectors],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode()
                break
            except OSError:
                time.sleep(0.1)
        else:
            sys.exit("prometheus-node-exporter does not answer")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    metrics = {}
    for line in text.splitlines():
        match = re.fullmatch(r'(node_\w+)(?:\{(.*)\})? (\S+)', line)
        if match:
            labels = tuple(sorted(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', match[2] or "")))
            metrics[match[1], labels] = float(match[3])
    return metrics


def compare(what, ours, theirs, wrong):
    print(f"{what}: ours {ours}, theirs {theirs}")
    if ours is None or theirs is None or abs(ours - theirs) > 1e-9 * max(abs(ours), abs(theirs)):
        wrong.append(what)


def main():
    program = sys.argv[1]
    if shutil.which("prometheus-node-exporter") is None:
        skip("there is no prometheus-node-exporter; on Debian and Ubuntu: apt-get install prometheus-node-exporter")
    with tempfile.TemporaryDirectory() as folder:
        ours = our_readings(program, folder)
        theirs = node_exporter_metrics(os.path.join(folder, "sys"))

    def metric(name, **labels):
        return theirs.get((name, tuple(sorted(labels.items()))))

    wrong = []
    for package in (0, 1):
        chip = f"platform_coretemp_{package}"
        device = f"hwmon/coretemp.{package}"
        for sensor, label in (("temp1", f"Package id {package}"), ("temp2", "Core 0")):
            compare(f"{device} {label}", ours.get((device, "temperature", label, "")),
                    metric("node_hwmon_temp_celsius", chip=chip, sensor=sensor), wrong)
        compare(f"{device} critical", ours.get((device, "temperature_limit", f"Package id {package}", "critical")),
                metric("node_hwmon_temp_crit_celsius", chip=chip, sensor="temp1"), wrong)
        energy = [value for (name, labels), value in theirs.items()
                  if name == "node_rapl_package_joules_total" and ("index", str(package)) in labels]
        compare(f"rapl package-{package}", ours.get((f"rapl/package-{package}", "energy", "", "")), energy[0] if energy else None, wrong)
    gpu = {("power", "power1", ""): "node_hwmon_power_average_watt", ("power_limit", "power1", "enforced"): "node_hwmon_power_cap_watt",
           ("temperature", "edge", ""): "node_hwmon_temp_celsius", ("voltage", "vddgfx", ""): "node_hwmon_in_volts",
           ("fan", "fan1", ""): "node_hwmon_fan_rpm"}
    for key, name in gpu.items():
        sensor = {"edge": "temp1", "vddgfx": "in0"}.get(key[1], key[1])
        found = [value for (metric_name, labels), value in theirs.items()
                 if metric_name == name and ("sensor", sensor) in labels and "0000:00:03_1" in dict(labels).get("chip", "")]
        compare(f"gpu {key}", ours.get(("pci/0000:09:00.0", *key)), found[0] if found else None, wrong)
    compare("zone", ours.get(("thermal/0/x86_pkg_temp", "temperature", "x86_pkg_temp", "")),
            metric("node_thermal_zone_temp", zone="0", type="x86_pkg_temp"), wrong)
    for quantity, name, in (("corrected_errors", "correctable"), ("uncorrected_errors", "uncorrectable")):
        compare("memory " + quantity, ours.get(("memory/mc0", quantity, "", "")),
                metric(f"node_edac_{name}_errors_total", controller="0"), wrong)
    for cpu in range(4):
        compare(f"clock of cpu {cpu}", ours.get(("processor/0", "clock", f"cpu {cpu}", "")),
                metric("node_cpu_scaling_frequency_hertz", cpu=str(cpu)), wrong)
    for core in (0, 1):
        compare(f"throttles of core {core}", ours.get(("processor/0", "throttle_count", f"core {core}", "")),
                metric("node_cpu_core_throttles_total", package="0", core=str(core)), wrong)
    compare("throttles of the package", ours.get(("processor/0", "throttle_count", "package", "")),
            metric("node_cpu_package_throttles_total", package="0"), wrong)
    # No temperature that it finds is missing here.
    number = sum(1 for name, _ in theirs if name == "node_hwmon_temp_celsius")
    compare("temperatures of chips", float(sum(1 for device, quantity, _, _ in ours if quantity == "temperature" and not device.startswith("thermal"))),
            float(number), wrong)
    if wrong:
        print(json.dumps({str(key): value for key, value in theirs.items()}, indent=1))
        sys.exit("they differ: " + ", ".join(wrong))


main()
