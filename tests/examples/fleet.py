"""Runs the commands about fleets as engineers, schedulers and monitors do.

  python3 fleet.py ASSAY FOLDER_OF_EXAMPLES [unittest options]
"""

import functools
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
RECIPES = Path(sys.argv.pop(1)).resolve()

LLAMA = {"model_type": "llama", "num_hidden_layers": 80, "hidden_size": 8192, "num_attention_heads": 64, "num_key_value_heads": 8,
         "intermediate_size": 28672, "vocab_size": 128256, "torch_dtype": "bfloat16"}


class Fleet(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    def assay(self, *arguments, code=0, says="", settings=True):
        done = subprocess.run([ASSAY, *arguments, *(["--no-config"] if settings else [])], cwd=self.folder, timeout=120, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return done.stdout

    def node(self, devices=2, width=16, uncorrected=0):
        """A root folder as a kernel shows it."""
        shutil.rmtree(self.folder / "root", ignore_errors=True)
        for device in range(devices):
            place = f"root/sys/bus/pci/devices/0000:{device:02x}:00.0"
            for name, text in {"class": "0x030200", "vendor": "0x10de", "current_link_width": width, "max_link_width": 16}.items():
                self.write(f"{place}/{name}", f"{text}\n")
        self.write("root/sys/devices/system/edac/mc/mc0/ue_count", f"{uncorrected}\n")
        self.write("root/proc/sys/kernel/hostname", "n1\n")
        self.write("node.json", {"schema": "assay-node/1", "devices": ["0000:00:00.0", "0000:01:00.0"]})

    def check(self, *arguments, code, says):
        return self.assay("node", "check", "--root", "root", "--manifest", "node.json", *arguments, code=code, says=says)

    def test_chips(self):
        self.assay("chips", "list", "--vendor", "AMD", says="MI300X")
        self.assay("chips", "compare", "h100-sxm", "mi300x", says="ridge point bf16.*295")
        self.assay("chips", "show", "MI300Y", code=2, says="nearest: MI300X")
        self.assay("chips", "show", "wse-3", says="low confidence")
        self.assay("chips", "check", says="0 contradict")
        self.write("own.csv", "chip,confidence,source,bf16,clock_mhz,units,fma_per_clock,checked_format\nOwn,high,us,2000,1000,1000,500,bf16\n")
        self.assay("chips", "check", "own", "--chips", "own.csv", "--report", "chips.json", code=1, says="factor of two, as between sparse and dense")
        self.assertEqual(json.loads((self.folder / "chips.json").read_text())["outcomes"][0]["verdict"], "fail")

    def test_capacity(self):
        self.write("m/config.json", LLAMA)
        self.assay("capacity", "m", "--chip", "h100-sxm", code=1, says="70553706496 parameters.*fits on none")
        self.assay("capacity", "m", "--chip", "h100-sxm,mi300x", "--tensor", "4", says="327680|81920")
        self.assay("capacity", "m", "--training", "all", "--data-parallel", "8", "--tensor", "8", "--html", "t.html", says="megatron_distributed")
        self.assertIn("activations: ", (self.folder / "t.html").read_text())
        self.assay("capacity", "m", "--chip", "mi300x", "--tensor", "2", "--html", "c.html")
        page = (self.folder / "c.html").read_text()
        for part in ("weights: 70.56 GB", "one of 2", "of 172.8 GB"):
            self.assertIn(part, page)
        self.assay("capacity", "m", "--tensor", "5", code=2, says="64 heads cannot be divided among 5")
        self.assay("capacity", "m", "--weights", "bf61", code=2, says="nearest: bf16")
        self.write("m/model.safetensors.index.json", {"metadata": {"total_size": 141107412992}, "weight_map": {"a": "b"}})
        self.assay("capacity", "m", "--chip", "mi300x", "--tensor", "2", says="pass")
        self.write("m/model.safetensors.index.json", {"metadata": {"total_size": 1000}, "weight_map": {"a": "b"}})
        self.assay("capacity", "m", "--chip", "mi300x", "--tensor", "2", code=1, says="not of one model")
        self.assay("capacity", "none", code=2, says="none")

    def test_capacity_that_decides_nothing_is_no_success(self):
        """Where nobody asked for the weights, that they cannot be held against the count is told, and no more."""
        self.write("m/config.json", {**LLAMA, "torch_dtype": "of our own"})
        self.write("w/model.safetensors.index.json", {"metadata": {"total_size": 141107412992}, "weight_map": {"a": "b"}})
        asked = ["capacity", "m", "--weights", "bf16", "--chip", "mi300x", "--tensor", "4"]
        self.assay(*asked, "--index", "w/model.safetensors.index.json", code=2, says="inconclusive: the index tells bytes alone")
        said = self.assay(*asked, "--report", "c.json", code=2, says="there are none beside the configuration")
        self.assertEqual(said, "")
        self.assertFalse((self.folder / "c.json").exists())
        shutil.copy(self.folder / "w/model.safetensors.index.json", self.folder / "m")
        self.assay(*asked, code=0, says="inconclusive")
        self.assay(*asked, "--report", "c.json", code=2, says="inconclusive")
        self.assertEqual(json.loads((self.folder / "c.json").read_text())["outcomes"][0]["verdict"], "inconclusive")

    def test_cost(self):
        self.assay("cost", "tokens", "--rent", "2", "--tokens-per-second", "1000", says=r"0\.5556.*given")
        self.assay("cost", "compare", "--rent", "3", "--capex", "30000", "--kilowatts", "1", "--pue", "1.3", "--electricity", "0.1", "--staff", "0.2", says="11236")
        self.assay("cost", "compare", "--rent", "0.1", "--capex", "30000", "--kilowatts", "1", "--electricity", "0.1", says="never")
        self.assay("cost", "tokens", "--rent=-2", "--tokens-per-second", "1000", code=2, says="negative")
        self.assay("cost", "tokens", "--rent", "2", code=2, says="--tokens-per-second is missing")
        self.assay("cost", "compare", "--rent", "2:3", "--capex", "30000", "--kilowatts", "1", "--electricity", "0.1", "--html", "cost.html")
        page = (self.folder / "cost.html").read_text()
        self.assertIn("on demand, an hour of use</text>", page)
        self.assertIn("2.500 $/h</text>", page)
        self.assay("cost", "prices", "--html", "no.html", code=2)
        self.assay("cost", "prices", says="2026-06")
        self.assay("cost", "tokens", "--rent", "2", "--tokens-per-second", "1000", "--kilowatts", "1", "--pue", "0.9", code=2, says="--pue is less than 1")
        self.assay("cost", "own", "--capex", "1", "--kilowatts", "1", "--electricity", "1", "--pue", "0.9", code=2, says="--pue is less than 1")

    def test_unknown_actions_are_refused(self):
        for command, action, nearest in (("chips", "lst", "list"), ("node", "chek", "check"), ("cost", "token", "tokens"), ("fleet", "viwe", "view"),
                                         ("telemetry", "reply", "replay"), ("hardware", "memroy", "memory")):
            self.assay(command, action, code=2, says=f"unknown action '{action}'; nearest: {nearest}")
        self.assay("cluster", "goodputs", "--devices", "8", code=2, says="unknown action 'goodputs'; nearest: goodput")

    def test_roofline(self):
        self.assay("roofline", "gemm m=4096 n=4096 k=4096", "--html", "r.html", says="arithmetic")
        self.assertIn("<svg", (self.folder / "r.html").read_text())
        self.assay("roofline", "gemm m=8192 n=8192 k=8192@1e-6", "--chip", "h100-sxm", code=1, says="quicker than the machine can be")
        self.assay("roofline", "gem m=1", code=2, says="nearest: gemm")
        measured = ["roofline", "gemm m=8192 n=8192 k=8192@0.01", "--chip", "MI455X"]
        self.assay(*measured, "--report", "r.json", code=2, says="inconclusive.*low confidence")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["outcomes"][0]["verdict"], "inconclusive")
        self.assay("roofline", "gemm m=8192 n=8192 k=8192@0.01", "--chip", "h100-sxm", code=0)
        said = self.assay("roofline", "gemm m=8 n=8 k=8", "--report", "none.json", "--html", "none.html", code=2, says="--report is of measured times")
        self.assertEqual(said, "")
        self.assertFalse((self.folder / "none.html").exists())
        self.assay("roofline", "gemm m=8 n=8 k=8", "--chip", "a100-sxm", "--dtype", "fp8", code=2, says="states no peak")

    def test_a_run_beside_a_roofline(self):
        self.write("ours.csv", "chip,vendor,bf16,tf32,bandwidth_gbps,confidence,source\nOurs,We,,0.5,50,high,a test\n")
        run = ["run", "--backend", "host", "--fill", "normal", "--seed", "1", "--quiet"]
        chip = ["--roofline", "Ours", "--chips", "ours.csv"]
        said = self.assay(*run, *chip, "--op", "gemm,softmax", "--shape", "m64-n64-k64-nn-row,4x128x1", "--dtype", "f32,bf16", "--out", "out")
        self.assertRegex(said, r"gemm host f32\.f32\.f32 +m64-n64-k64-nn-row +\S+ +\S+ +arithmetic")
        self.assertRegex(said, r"softmax host f32\.f32 +4x128x1 +\S+ +\S+ +memory")
        self.assertIn("Ours states no peak for: bf16", said)
        shares = {}
        for outcome in json.loads((self.folder / "out/report.json").read_text())["outcomes"]:
            figures = {figure["name"]: figure["value"] for figure in outcome["measurements"]}
            if "roofline_share" in figures:
                shares[outcome["id"]] = figures["roofline_share"] * figures["kernel_seconds"]
        # 2·64³ operations at 0.5 TFLOP/s; 2·4·128 elements of 4 bytes at 50 GB/s: what each takes at least.
        self.assertAlmostEqual(shares["gemm/host/f32.f32.f32/m64-n64-k64-nn-row/normal"], 2 * 64**3 / 0.5e12, delta=1e-12)
        self.assertAlmostEqual(shares["softmax/host/f32.f32/4x128x1/normal"], 2 * 4 * 128 * 4 / 50e9, delta=1e-12)
        self.assertFalse([id for id in shares if "bf16" in id])
        self.assertIn("<svg", (self.folder / "out/roofline.html").read_text())
        self.assay(*run, "--op", "softmax", "--chips", "ours.csv", code=2, says="give --roofline CHIP")
        self.assay(*run, "--op", "softmax", "--roofline", "h10", code=2, says="beginning of several chips")

    def test_node_by_scheme(self):
        self.node()
        self.check("--scheme", "npd", code=0, says=r"^OK 2/2 devices")
        self.node(width=8)
        self.check("--scheme", "nagios", code=1, says="^WARNING")
        self.check("--scheme", "slurm", code=0, says="^WARNING")
        self.node(devices=1)
        for scheme, code in {"npd": 1, "nagios": 2, "slurm": 1, "nvidia": 1}.items():
            said = self.check("--scheme", scheme, code=code, says="^CRITICAL 0000:01:00.0 is absent")
            self.assertLessEqual(len(said.splitlines()[0].encode()) + 1, 80)
        self.write("node.json", '{"schema": "assay-node/1", "devises": []}')
        for scheme, code in {"npd": 2, "nagios": 3, "slurm": 1, "nvidia": 2}.items():
            said = self.check("--scheme", scheme, code=code, says="^UNKNOWN.*nearest: devices")
            self.assertLessEqual(len(said.splitlines()[0].encode()) + 1, 80)

    def test_node_remembers_and_survives_kill(self):
        self.node(uncorrected=3)
        self.check("--state", "s", "--scheme", "nagios", code=0, says="^OK")
        self.node(uncorrected=4)
        self.check("--state", "s", "--scheme", "nagios", code=2, says="rose by 1")
        for delay in range(12):
            process = subprocess.Popen([ASSAY, "node", "check", "--root", "root", "--manifest", "node.json", "--state", "s", "--no-config"], cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(delay / 400)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertEqual(json.loads((self.folder / "s").read_text())["schema"], "assay-node-state/1")
        self.write("s", "{")
        self.check("--state", "s", "--scheme", "nagios", code=0, says="OK.*is no state of a node")
        self.check("--state", "s", "--scheme", "nagios", code=0, says="^OK")

    def test_node_keeps_its_time(self):
        self.node()
        os.mkfifo(self.folder / "hangs.csv")
        begun = time.monotonic()
        self.check("--readings", "hangs.csv", "--time-limit", "0.5", "--scheme", "npd", code=2, says="^UNKNOWN the check took longer")
        self.assertLess(time.monotonic() - begun, 30)

    def test_node_counts_results_and_readings(self):
        self.node()
        self.write("r.csv", "device,reading,value,state\ngpu0,temperature_celsius,95,\n")
        self.write("node.json", {"schema": "assay-node/1", "limits": [{"device": "gpu*", "reading": "temperature_celsius", "maximum": 90}]})
        self.check("--readings", "r.csv", "--json", "n.json", code=1, says="temperature_celsius is 95")
        self.assay("report", "n.json", "--format", "markdown", "--out", "out", code=0)
        self.check("--results", "n.json", code=1, says="^CRITICAL.*temperature_celsius is 95")

    def test_node_does_not_pass_over_runs_that_decided_nothing(self):
        self.node(width=8)  # a warning
        self.write("hours.csv", "subject,hours,failures\na,10,0\n")
        self.assay("fleet", "burn-in", "hours.csv", "--good-rate", "0.001", "--bad-rate", "0.01", "--json", "open.json", code=2, says="goes on")
        self.check("--results", "open.json", "--scheme", "nagios", code=3, says=r"^UNKNOWN (\(\+\d+\) )?results/open.json: the run decided nothing, or was cut short.*WARNING")
        self.node()
        self.write("hours.csv", "subject,hours,failures\na,1000,0\n")
        self.assay("fleet", "burn-in", "hours.csv", "--good-rate", "0.001", "--bad-rate", "0.01", "--json", "good.json", code=0, says="1 passed")
        self.check("--results", "good.json", "--scheme", "nagios", code=0, says="^OK")
        self.check("--results", "good.json,open.json", "--scheme", "nagios", code=3, says="^UNKNOWN results/open.json")
        cut = json.loads((self.folder / "good.json").read_text())
        cut["planned_cases"] = 2
        self.write("cut.json", cut)
        self.check("--results", "cut.json", "--scheme", "nagios", code=3, says="^UNKNOWN results/cut.json: the run decided nothing, or was cut short")

    def test_recipes_for_slurm(self):
        self.node(devices=1)
        wrapper = self.folder / "assay"
        wrapper.write_text(f'#!/bin/sh\nexec {ASSAY} "$@" --root {self.folder}/root\n')
        wrapper.chmod(0o755)
        scontrol = self.folder / "scontrol"
        scontrol.write_text(f'#!/bin/sh\necho "$@" >> {self.folder}/drained\n')
        scontrol.chmod(0o755)
        environment = {**os.environ, "ASSAY": str(wrapper), "ASSAY_MANIFEST": str(self.folder / "node.json"), "ASSAY_STATE": str(self.folder / "s"), "SCONTROL": str(scontrol), "SLURMD_NODENAME": "n1"}
        run = functools.partial(subprocess.run, env=environment, timeout=60, capture_output=True)
        self.assertEqual(run([RECIPES / "slurm/assay_prolog.sh"]).returncode, 1)
        self.assertEqual(run([RECIPES / "slurm/assay_health_check.sh"]).returncode, 0)
        self.assertRegex((self.folder / "drained").read_text(), "NodeName=n1 State=DRAIN Reason=assay: CRITICAL 0000:01:00.0 is absent")
        self.node()
        (self.folder / "drained").unlink()
        (self.folder / "s").unlink()
        self.assertEqual(run([RECIPES / "slurm/assay_prolog.sh"]).returncode, 0)
        run([RECIPES / "slurm/assay_health_check.sh"])
        self.assertFalse((self.folder / "drained").exists())

    def test_fleet_and_cluster(self):
        rows = ["node,unit,metric,value"] + [f"n{node},gpu{unit},tflops,{700 + (node * 7 + unit) % 5}" for node in range(30) for unit in range(4)]
        self.write("good.csv", "\n".join(rows) + "\n")
        self.assay("fleet", "view", "good.csv", says="120 subjects.*1 passed, 0 failed")
        self.write("bad.csv", "node,unit,metric,value\nn99,gpu0,tflops,500\n")
        self.assay("fleet", "view", "good.csv", "bad.csv", code=1, says="fleet/tflops/n99/gpu0: 28")
        self.assay("fleet", "view", "none.csv", code=2, says="none.csv")
        self.write("unmeasured.csv", "node,unit,metric,value\nn98,gpu0,tflops,ERR!\n")
        self.assay("fleet", "view", "good.csv", "unmeasured.csv", says="fleet/tflops/n98/gpu0: no value of it is a number.*1 passed, 0 failed, 1 undecided")
        self.write("rates.csv", "subject,failures,attempts\nn1,0,1000\nn2,3,1000\n")
        self.assay("fleet", "rates", "rates.csv", code=1, says="n2: 3 of 1000")
        self.write("hours.csv", "subject,hours,failures\na,400,0\nb,10,3\nc,10,0\n")
        self.assay("fleet", "burn-in", "hours.csv", "--good-rate", "0.001", "--bad-rate", "0.01", code=1, says="b: 3 failures.*c: goes on.*1 passed, 1 failed, 1 undecided")
        self.assay("fleet", "burn-in", "--good-rate", "1", "--bad-rate", "0.5", code=2, says="below the bad one")
        self.assay("cluster", "goodput", "--devices", "16384", "--checkpoint", "5000", "--storage", "200", says="best interval.*goodput.*assumed")
        self.assay("cluster", "collectives", "--devices", "512", "--bytes", "1", says="rail-optimized")
        self.assay("cluster", "goodput", "--devices", "0", "--checkpoint", "1", "--storage", "1", code=2, says="1 device")

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed: apt-get install prometheus")
    def test_rules_and_metrics_by_promtool(self):
        for arguments in (["check", "rules", "alerts.yaml"], ["test", "rules", "alerts_test.yaml"]):
            done = subprocess.run(["promtool", *arguments], cwd=RECIPES / "prometheus", capture_output=True, encoding="utf-8", timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.node()
        self.check("--prometheus", "a.prom", code=0, says="^OK")
        done = subprocess.run(["promtool", "check", "metrics"], input=(self.folder / "a.prom").read_text(), capture_output=True, encoding="utf-8", timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.check("--prometheus", "a.txt", code=2, says="does not end in .prom")

    def alerted(self, target, path="/metrics"):
        """The level of the node and the devices that a Prometheus with our rules alerts to be absent."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.write("prometheus.yml", f"""
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{RECIPES}/prometheus/alerts.yaml]
scrape_configs: [{{job_name: node, metrics_path: {path}, static_configs: [{{targets: ["{target}"]}}]}}]
""")
        process = subprocess.Popen(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data", f"--web.listen-address=127.0.0.1:{port}"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def ask(path):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=10) as answer:
                return json.load(answer)["data"]

        deadline, level, alerts = time.monotonic() + 120, [], []
        while time.monotonic() < deadline and not alerts:
            time.sleep(0.5)
            try:
                level = ask("query?query=" + urllib.parse.quote('assay_node_check_level{node="n1"}'))["result"]
                alerts = [one for one in ask("alerts")["alerts"] if one["labels"]["alertname"] == "AssayDeviceAbsent" and one["state"] == "firing"]
            except OSError:
                continue
        return level[0]["value"][1], [one["labels"]["device"] for one in alerts]

    @unittest.skipUnless(shutil.which("prometheus"), "prometheus is not installed: apt-get install prometheus")
    def test_prometheus_scrapes_and_alerts(self):
        self.node(devices=1)
        self.check("--prometheus", "metrics.prom", code=1, says="^CRITICAL")

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {".prom": "text/plain; version=0.0.4"}

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=self.folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.assertEqual(self.alerted(f"127.0.0.1:{server.server_port}", "/metrics.prom"), ("2", ["0000:01:00.0"]))

    @unittest.skipUnless(shutil.which("prometheus"), "prometheus is not installed: apt-get install prometheus")
    def test_prometheus_scrapes_the_exporter(self):
        self.node(devices=1)
        exporter = subprocess.Popen([ASSAY, "node", "export", "--listen", "127.0.0.1:0", "--every", "1", "--root", "root", "--manifest", "node.json", "--no-config"], cwd=self.folder, stdout=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(exporter.stdout.close)
        self.addCleanup(exporter.wait)
        self.addCleanup(exporter.kill)
        target = re.search(r"http://([^/]+)/metrics", exporter.stdout.readline())[1]
        self.assertEqual(self.alerted(target), ("2", ["0000:01:00.0"]))
        for form, accept in (("0.0.4", "text/plain"), ("openmetrics", "application/openmetrics-text;version=1.0.0")):
            with urllib.request.urlopen(urllib.request.Request(f"http://{target}/metrics", headers={"Accept": accept}), timeout=30) as answer:
                self.assertIn(form, answer.headers["Content-Type"])
                text = answer.read().decode()
            done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, encoding="utf-8", timeout=60) if form == "0.0.4" else None
            self.assertTrue(done is None or done.returncode == 0, done and done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
