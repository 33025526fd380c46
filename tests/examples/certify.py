"""Runs assay certify as a release manager does: plans of stages made here, killed, resumed, forged, blocked.

  python3 certify.py ASSAY [unittest options]
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
ENVIRONMENT = {"assay_version": "0", "host_name": "lab1", "operating_system": "os", "processor": "cpu", "logical_processors": 1, "instruction_sets": "", "memory_bytes": 1,
               "compiler": "", "compiler_flags": "", "started_at": "2026-01-02T03:04:05Z", "devices": [], "libraries": []}

# An outcome that answers each row of the checklist: its id, its labels, and measurements where the row asks for one: right, wrong.
ROWS = {
    "hardware/memory": ("hardware/memory/march_c-", {"operation": "memory", "backend": "host"}),
    "hardware/stress": ("hardware/stress/f32", {"operation": "stress", "backend": "host", "formats": "f32"}),
    "hardware/bandwidth": ("hardware/bandwidth/stream", {}),
    "hardware/power": ("power/gpu0", {}),
    "hardware/heat and throttling": ("thermal/gpu0", {}),
    "hardware/soak": ("hardware/soak/memory", {}),
    "hardware/ECC": ("counters/gpu0", {}, "uncorrectable_ecc_errors", 0, 1),
    "hardware/kernel log": ("hardware/kernel_log", {}),
    "kernels/GEMM": ("gemm/x/f32.f32.f32/m1/normal", {"operation": "gemm", "backend": "x", "formats": "f32.f32.f32"}),
    "kernels/convolution": ("convolution/x/f32.f32/n1/normal", {"operation": "convolution", "backend": "x", "formats": "f32.f32"}),
    "kernels/attention": ("attention/x/f32.f32/b1/normal", {"operation": "attention", "backend": "x", "formats": "f32.f32"}),
    "kernels/softmax": ("softmax/x/f32.f32/1x1/normal", {"operation": "softmax", "backend": "x", "formats": "f32.f32"}),
    "kernels/norms": ("layernorm/x/f32.f32/1x1/normal", {"operation": "layernorm", "backend": "x", "formats": "f32.f32"}),
    "kernels/all": ("relu/x/f32.f32/1x1/normal", {"operation": "relu", "backend": "x", "formats": "f32.f32"}),
    "frameworks/operators": ("framework/ort.cpu/Relu", {}),
    "models/perplexity": ("quality/llm", {}, "perplexity", 12.3, 13.1),
    "models/accuracy": ("model/resnet/top1", {}),
    "models/pipelines": ("pipeline/ocr/decode", {}),
    "serving/answers": ("serving/check/batch", {"operation": "serving"}),
    "serving/service level": ("serving/bench/chat", {"operation": "serving"}),
    "distributed/collectives": ("all_reduce.sum/in_process.ring/int8/n4.count1/decode", {"operation": "all_reduce", "backend": "in_process.ring", "formats": "int8"}),
    "training/convergence": ("training/loss", {}),
    "release/performance": ("regression/gemm", {}, "regression_percent", 1, 9),
    "release/baselines": ("baseline/gemm", {}),
}
SPAN = {"kernels/GEMM", "kernels/convolution", "kernels/attention", "kernels/softmax", "kernels/norms"}  # kernels/all sees these, too


def outcome(row, wrong=False):
    name, labels, *measured = ROWS[row]
    measurements, failed = [], wrong
    if measured:
        failed = False
        measurements = [{"name": measured[0], "value": measured[2 if wrong else 1], "unit": "%" if measured[0] == "regression_percent" else "1"}]
        if measured[0] == "perplexity":
            measurements.append({"name": "perplexity_baseline", "value": 12.3, "unit": "1"})
    return {"id": name, "verdict": "fail" if failed else "pass", "reason": "the reason" if failed else "", "labels": labels, "seed": "1", "duration_seconds": 0.1, "reproduce": "x",
            "measurements": measurements}


def run_of(outcomes):
    return {"schema": "assay-run/1", "title": "t", "command": "c", "seed": "1", "planned_cases": len(outcomes), "duration_seconds": 1, "environment": ENVIRONMENT, "outcomes": outcomes}


def copied(file, then="true"):
    return ["sh", "-c", f"echo ran >> ran-{file}; cp {file} {{report}} && {then}"]


class Certify(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.write("all.json", run_of([outcome(row) for row in ROWS]))

    def write(self, name, content):
        (self.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    def plan(self, *stages, **more):
        return self.write("plan.json", {"schema": "assay-plan/1", "title": "driver 2.1", "stages": list(stages), **more})

    def certify(self, *arguments, code, says=""):
        done = subprocess.run([ASSAY, "certify", *arguments, "--no-config"], cwd=self.folder, timeout=120, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def test_an_approved_release_is_signed_and_what_is_changed_later_is_void(self):
        self.plan({"name": "all", "command": copied("all.json")})
        plan = ("--plan", "plan.json", "--out", "out")
        self.certify(*plan, code=2, says="release/notes")  # nobody has read them
        self.certify(*plan, "--attest", "notes", code=2, says="--by")
        self.assertFalse((self.folder / "out/certificate.json").exists())
        self.certify(*plan, "--by", "Ada", "--attest", "notes", code=0, says="not repeated.*certificate: out/certificate.json")
        self.assertEqual((self.folder / "ran-all.json").read_text(), "ran\n")
        self.assertIn("release/notes", (self.folder / "out/report/report.html").read_text())
        self.certify("--verify", "out", code=0, says="valid: signed by Ada")
        page = self.folder / "out/evidence/all/report.json"
        was = page.read_text()
        for forged in (was.replace("layernorm", "layernorn", 1), ""):
            page.write_text(forged)
            self.certify("--verify", "out", code=1, says="changed: evidence/all/report.json.*void")
        page.write_text(was)
        (self.folder / "out/evidence/more.json").write_text(was)
        self.certify("--verify", "out", code=1, says="added: evidence/more.json")
        (self.folder / "out/evidence/more.json").unlink()
        (self.folder / "out/evidence/all/log.txt").unlink()
        self.certify("--verify", "out", code=1, says="absent: evidence/all/log.txt")
        # forged evidence is not taken over either: its stage runs again
        page.write_text(was.replace("layernorm", "layernorn", 1))
        self.certify(*plan, "--by", "Ada", "--attest", "notes", code=0)
        self.assertEqual((self.folder / "ran-all.json").read_text(), "ran\nran\n")

    def test_a_fault_turns_its_row_red_and_no_other(self):
        for row in ROWS:
            with self.subTest(row):
                self.write("all.json", run_of([outcome(other, wrong=other == row) for other in ROWS]))
                self.plan({"name": "all", "command": copied("all.json")})
                self.certify("--plan", "plan.json", "--out", f"out-{list(ROWS).index(row)}", "--by", "Ada", "--attest", "notes", code=1, says="no certificate: the release is blocked")
                gates = json.loads((self.folder / f"out-{list(ROWS).index(row)}/report/report.json").read_text())["outcomes"]
                red = {gate["id"].removeprefix("gate/") for gate in gates if gate["verdict"] != "pass" and "/" in gate["id"]}
                self.assertEqual(red, {row} | ({"kernels/all"} if row in SPAN else set()))

    def test_a_row_that_nobody_answers_is_not_green(self):
        for row in ROWS:
            if row == "kernels/all":
                continue  # other kernels answer it
            with self.subTest(row):
                self.write("all.json", run_of([outcome(other) for other in ROWS if other != row]))
                self.plan({"name": "all", "command": copied("all.json")})
                self.certify("--plan", "plan.json", "--out", f"out-{list(ROWS).index(row)}", "--by", "Ada", "--attest", "notes", code=2, says="no certificate: not every row is answered")

    def test_stages_that_do_not_end_are_no_evidence(self):
        right = {"name": "right", "command": copied("all.json")}
        rows = ["stages/*", "kernels/*"]
        cases = {"killed": (copied("all.json", "kill -9 $$"), "was killed by signal 9"),
                 "late": (copied("all.json", "sleep 60"), "took longer than its 0.6 s, and was killed"),
                 "broken": (copied("all.json", "echo the last word; exit 3"), "exit code 3; its last line: the last word"),
                 "empty": (["sh", "-c", "echo nothing here # {out}"], "its last line: nothing here"),
                 "torn": (["sh", "-c", "head -c 300 all.json > {report}"], "exit code 0, .*report.json"),
                 "absent": (["./no_such_program", "{out}"], "cannot be started")}
        for name, (command, says) in cases.items():
            with self.subTest(name):
                self.plan(right, {"name": name, "minutes": 0.01 if name == "late" else 1, "command": command}, rows=rows)
                said = self.certify("--plan", "plan.json", "--out", name + ".out", "--by", "Ada", code=1, says=f"stage {name} +error +.*{says}")
                self.assertIn("stages/complete", said)
                self.assertFalse((self.folder / f"{name}.out/evidence/{name}").exists())

    def test_what_the_time_leaves_out_is_not_seen(self):
        self.plan({"name": "slow", "minutes": 1, "command": copied("all.json", "sleep 1")}, {"name": "more", "minutes": 1, "command": copied("all.json")}, minutes=1, rows=["stages/*", "kernels/*"])
        self.certify("--plan", "plan.json", "--out", "out", code=2, says="more +skipped +left out")

    def test_killed_at_any_moment_it_goes_on_to_the_same_verdict(self):
        stages = [{"name": f"s{i}", "command": copied("all.json", "sleep 0.3")} for i in range(4)]
        self.plan(*stages, rows=["stages/*", "kernels/*"])
        for moment in (0.02, 0.2, 0.5, 0.8, 1.1):
            running = subprocess.Popen([ASSAY, "certify", "--plan", "plan.json", "--out", "out", "--no-config"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moment)
            os.kill(running.pid, signal.SIGKILL)
            running.wait()
        with open(self.folder / "out/journal.jsonl", "a") as journal:
            journal.write('{"stage": "s1", "key": "to')
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", code=0, says="certificate:")
        self.certify("--verify", "out", code=0)

    def test_bad_plans_are_refused(self):
        self.certify("--plan", "smok", "--out", "out", code=2, says="nearest: smoke|smoke")
        self.certify("--plan", "absent.json", "--out", "out", code=2, says="absent.json")
        self.certify("--plan", "smoke", code=2, says="--out")
        self.certify(code=2, says="--plan")
        self.plan({"name": "a", "command": copied("all.json"), "answers": ["kernel/GEMM"]})
        self.certify("--plan", "plan.json", "--out", "out", code=2, says="kernels/GEMM")
        self.plan({"name": "a", "comand": ["x"]})
        self.certify("--plan", "plan.json", "--out", "out", code=2, says="comand.*command")
        self.assertFalse((self.folder / "out").exists())
        self.plan({"name": "a", "command": copied("all.json")}, rows=["kernels/*"])
        self.certify("--plan", "plan.json", "--out", "out", code=0)
        self.certify("--verify", "out", code=2, says="certificate.json")
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", code=0)
        self.plan({"name": "b", "command": copied("all.json")}, rows=["kernels/*"])
        self.certify("--plan", "plan.json", "--out", "out", code=2, says="another plan")
        self.certify("--verify", "out", code=0)  # what is refused takes nothing away

    def test_a_policy_of_ones_own_is_kept_with_the_evidence(self):
        self.write("own.json", {"schema": "assay-policy/1", "title": "ours", "gates": [{"name": "relu", "level": "hard", "select": {"ids": ["relu/*"]}, "require": "no fail"}]})
        self.plan({"name": "all", "command": copied("all.json"), "answers": ["relu"]}, policy="own.json")
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", code=0, says="ours")
        (self.folder / "own.json").unlink()
        self.certify("--verify", "out", code=0, says="valid: signed by Ada")

    def test_the_checklist_tells_what_answers_each_row(self):
        said = self.certify("--plan", "smoke", "--print-checklist", code=0)
        self.assertRegex(said, "kernels/GEMM +hard +kernels")
        self.assertNotIn("models/", said)
        self.assertRegex(self.certify("--plan", "driver-release", "--print-checklist", code=0), "release/notes +hard +no stage")
        self.assertIn('"assay-plan/1"', self.certify("--plan", "nightly", "--print-plan", code=0))
        self.assertIn('"assay-policy/1"', self.certify("--print-policy", code=0))

    def test_stages_of_the_tool_itself(self):
        self.plan({"name": "kernels", "command": ["assay", "run", "--no-config", "--backend", "host", "--op", "softmax", "--dtype", "f32", "--shape", "1x*", "--out", "{out}"], "answers": ["kernels/softmax"]},
                  rows=["stages/*", "kernels/softmax"])
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", code=0, says="stage kernels +pass +ended after")


if __name__ == "__main__":
    unittest.main()
