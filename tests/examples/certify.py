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


def other(row, name, labels=None, **more):
    """Another outcome that belongs to a row, and is wrong."""
    labels = dict(zip(("operation", "backend", "formats"), name.split("/")[:3]), **(labels or {})) if row.startswith("kernels/") else labels or {}
    return {**outcome(row), "id": name, "labels": labels, "verdict": "fail", "reason": "the reason", "measurements": [], **more}


def measured(row, value, **more):
    """The outcome of a row with another figure."""
    found = outcome(row)
    return {**found, "measurements": [{**found["measurements"][0], "value": value}, *found["measurements"][1:]], **more}


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


def faults():
    """What turns exactly one row red, beside each row's own outcome as wrong: name, row, what is added to what is right."""
    right_operators = [{**outcome("frameworks/operators"), "id": f"framework/ort.cpu/Add{i}"} for i in range(97)]
    return [
        ("memory crashed", "hardware/memory", [other("hardware/memory", "hardware/memory/walking_ones", verdict="error")]),
        ("stress of integers", "hardware/stress", [other("hardware/stress", "hardware/stress/i64", {"operation": "stress", "backend": "host", "formats": "i64"})]),
        ("a link half as wide", "hardware/bandwidth", [other("hardware/bandwidth", "hardware/bandwidth/pcie0")]),
        ("power of the second device", "hardware/power", [other("hardware/power", "power/gpu1")]),
        ("the second device throttles", "hardware/heat and throttling", [other("hardware/heat and throttling", "thermal/gpu1")]),
        ("an error after hours", "hardware/soak", [other("hardware/soak", "hardware/soak/arithmetic")]),
        ("one uncorrectable error of the second device", "hardware/ECC", [{**measured("hardware/ECC", 1), "id": "counters/gpu1"}]),
        ("the kernel log could not be read", "hardware/kernel log", [other("hardware/kernel log", "hardware/kernel_log", verdict="error")]),
        ("a product of integers", "kernels/GEMM", [other("kernels/GEMM", "int8_gemm/x/i8.i32.i8/m1/normal")]),
        ("a transposed convolution", "kernels/convolution", [other("kernels/convolution", "transposed_convolution/x/f32.f32/n1/normal")]),
        ("attention's gradient", "kernels/attention", [other("kernels/attention", "attention_backward/x/f32.f32/b1/normal")]),
        ("a loss", "kernels/softmax", [other("kernels/softmax", "cross_entropy/x/f32.f32/1x1/normal", verdict="error")]),
        ("RMS norm", "kernels/norms", [other("kernels/norms", "rmsnorm/x/f32.f32/1x1/normal")]),
        ("another kernel crashed", "kernels/all", [other("kernels/all", "gather/x/f32.f32/1x1/normal", verdict="error")]),
        ("98 of 99 operators", "frameworks/operators", [*right_operators, other("frameworks/operators", "framework/ort.cpu/Mod")]),
        ("perplexity falls", "models/perplexity", [{**measured("models/perplexity", 11.7), "id": "quality/other"}]),
        ("a word error rate", "models/accuracy", [other("models/accuracy", "model/asr/wer")]),
        ("another stage", "models/pipelines", [other("models/pipelines", "pipeline/speech/features", verdict="error")]),
        ("a cache answers for another", "serving/answers", [other("serving/answers", "serving/check/prefix_cache", {"operation": "serving"})]),
        ("late first tokens", "serving/service level", [other("serving/service level", "serving/bench/long", {"operation": "serving"})]),
        ("a rank of MPI", "distributed/collectives", [other("distributed/collectives", "all_gather/mpi/f32/n8.count1", {"operation": "all_gather", "backend": "mpi"})]),
        ("a gradient", "training/convergence", [other("training/convergence", "training/gradients", verdict="error")]),
        ("5.1 % slower", "release/performance", [{**measured("release/performance", 5.1), "id": "regression/softmax"}]),
        ("an output that was lost", "release/baselines", [other("release/baselines", "baseline/softmax", verdict="error")])]


def runs(process):
    """Not so a zombie that nobody has taken yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


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

    def red_rows(self, folder):
        gates = json.loads((self.folder / folder / "report/report.json").read_text())["outcomes"]
        return {gate["id"].removeprefix("gate/"): gate["verdict"] for gate in gates if "/" in gate["id"]}

    def test_each_of_fifty_faults_turns_its_row_red_and_no_other(self):
        right = [outcome(row) for row in ROWS]
        cases = [(f"wrong: {row}", row, [outcome(other, wrong=other == row) for other in ROWS]) for row in ROWS]
        cases += [(name, row, right + added) for name, row, added in faults()]
        seen = set()
        for number, (name, row, outcomes) in enumerate(cases):
            with self.subTest(name):
                self.write("all.json", run_of(outcomes))
                self.plan({"name": "all", "command": copied("all.json")})
                self.certify("--plan", "plan.json", "--out", f"out-{number}", "--by", "Ada", "--attest", "notes", code=1, says="no certificate: the release is blocked")
                rows = self.red_rows(f"out-{number}")
                self.assertEqual({gate for gate, verdict in rows.items() if verdict != "pass"}, {row} | ({"kernels/all"} if row in SPAN else set()))
                seen.add(row)
        # The two rows that no outcome of a stage answers.
        self.write("all.json", run_of(right))
        self.plan({"name": "all", "command": copied("all.json")}, {"name": "dies", "command": copied("all.json", "kill -9 $$")})
        self.certify("--plan", "plan.json", "--out", "dies", "--by", "Ada", "--attest", "notes", code=1)
        self.assertEqual({gate for gate, verdict in self.red_rows("dies").items() if verdict != "pass"}, {"stages/complete"})
        self.plan({"name": "all", "command": copied("all.json")})
        self.certify("--plan", "plan.json", "--out", "unread", "--by", "Ada", code=2)
        self.assertEqual({gate for gate, verdict in self.red_rows("unread").items() if verdict != "pass"}, {"release/notes"})
        seen |= {"stages/complete", "release/notes"}
        self.assertEqual(seen, set(self.red_rows("unread")), "a row of the checklist has no fault")
        self.assertGreaterEqual(len(cases) + 2, 50)

    def test_what_is_within_its_limit_is_not_accused(self):
        operators = [{**outcome("frameworks/operators"), "id": f"framework/ort.cpu/Add{i}"} for i in range(199)]
        self.write("all.json", run_of([outcome(row) for row in ROWS if row not in ("models/perplexity", "release/performance")] +
                                      [measured("models/perplexity", 12.7), measured("release/performance", 4.9), *operators, other("frameworks/operators", "framework/ort.cpu/Mod"),
                                       other("kernels/GEMM", "gemm/x/f16.f16.f16/m1/normal", verdict="unsupported")]))
        self.plan({"name": "all", "command": copied("all.json")})
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", "--attest", "notes", code=0, says="certificate:")

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

    def test_killed_at_ten_moments_it_goes_on_to_the_same_verdict(self):
        for jobs in ("1", "3"):
            stages = [{"name": f"s{i}", "command": copied("all.json", "sleep 0.2"), "measures": i == 2} for i in range(5)]
            self.plan(*stages, rows=["stages/*", "kernels/*"])
            command = [ASSAY, "certify", "--plan", "plan.json", "--no-config", "--jobs", jobs, "--out"]
            begin = time.monotonic()
            self.certify(*command[2:], f"whole-{jobs}", code=0)
            whole, killed = time.monotonic() - begin, 0
            for moment in range(10):
                out = f"out-{jobs}-{moment}"
                with self.subTest(out):
                    running = subprocess.Popen([*command, out], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    time.sleep(whole * (moment + 0.5) / 10)
                    os.kill(running.pid, signal.SIGKILL)
                    killed += running.wait() == -signal.SIGKILL
                    if (self.folder / out).exists():
                        with open(self.folder / out / "journal.jsonl", "a") as journal:
                            journal.write('{"stage": "s1", "key": "to')
                    self.certify(*command[2:], out, "--by", "Ada", code=0, says="certificate:")
                    self.certify("--verify", out, code=0)
                    self.assertEqual(self.red_rows(out), self.red_rows(f"whole-{jobs}"))
                    self.check_times(out, measuring={"s2"})
                    ran = (self.folder / out / "journal.jsonl").read_text()
                    self.certify(*command[2:], out, code=0, says="s4 +pass +ended before")  # a torn line spoils no line that follows it
                    self.assertEqual((self.folder / out / "journal.jsonl").read_text(), ran)
            self.assertGreater(killed, 0)

    def check_times(self, out, measuring, overlapping=()):
        """By the times that were recorded: what measures has the machine to itself."""
        stages = json.loads((self.folder / out / "evidence/stages.json").read_text())["outcomes"]
        times = {stage["labels"]["stage"]: {entry["name"]: entry["value"] for entry in stage["measurements"]} for stage in stages if stage["id"].startswith("certify/")}

        def overlap(one, other):
            return max(times[one]["start"], times[other]["start"]) < min(times[one]["end"], times[other]["end"])

        for one in measuring:
            for other in times:
                self.assertTrue(one == other or not overlap(one, other), times)
        for one, other in overlapping:
            self.assertTrue(overlap(one, other), times)

    def test_stages_that_check_run_side_by_side_and_one_that_measures_alone(self):
        def met(name, *others):
            wait = " && ".join(f"while [ ! -e began-{other} ]; do sleep 0.02; done" for other in others) or "true"
            return {"name": name, "measures": False, "minutes": 1, "command": copied("all.json", f"touch began-{name} running-{name} && {wait} && rm running-{name}")}

        alone = {"name": "alone", "command": copied("all.json", "ls && ! ls running-* && sleep 0.3 && ! ls running-*")}  # a foreign program: measures unless it is told
        stages = [met("a", "b"), met("b", "a"), {**alone, "name": "first"}, {**alone, "name": "second"}, met("c", "d", "e"), met("d", "c", "e"), met("e", "c", "d")]
        self.plan(*stages, rows=["stages/*", "kernels/*"])
        self.certify("--plan", "plan.json", "--out", "out", "--jobs", "3", "--by", "Ada", code=0, says="certificate:")
        self.check_times("out", {"first", "second"}, [("a", "b"), ("c", "d"), ("d", "e"), ("c", "e")])
        names = [stage["id"] for stage in json.loads((self.folder / "out/evidence/stages.json").read_text())["outcomes"]]
        self.assertEqual(names, [f"certify/{stage['name']}" for stage in stages])  # in the plan's order, whatever ended first
        # One at a time, the first would wait for ever: it is killed, and no evidence.
        for file in self.folder.glob("began-*"):
            file.unlink()
        self.plan({**met("a", "b"), "minutes": 0.02}, met("b"), rows=["stages/*", "kernels/*"])
        self.certify("--plan", "plan.json", "--out", "single", "--jobs", "1", code=1, says="stage a +error +took longer.*stage b +pass")
        self.check_times("single", {"a", "b"})

    def test_time_is_that_of_the_clock_where_stages_share_it(self):
        slow = {"name": "slow", "measures": False, "minutes": 1, "command": copied("all.json", "sleep 6")}
        more = {"name": "more", "measures": False, "minutes": 0.95, "command": copied("all.json")}
        self.plan(slow, more, minutes=1, rows=["stages/*", "kernels/*"])
        self.certify("--plan", "plan.json", "--out", "together", "--jobs", "2", code=0, says="more +pass")
        self.certify("--plan", "plan.json", "--out", "one", "--jobs", "1", code=2, says="more +skipped +left out")

    def test_a_late_stage_beside_others_is_killed_alone(self):
        self.plan({"name": "late", "measures": False, "minutes": 0.01, "command": copied("all.json", "sleep 60")},
                  {"name": "right", "measures": False, "command": copied("all.json", "sleep 2")}, rows=["stages/*", "kernels/*"])
        self.certify("--plan", "plan.json", "--out", "out", "--jobs", "2", code=1, says="stage late +error +took longer.*stage right +pass")

    def test_a_folder_is_one_process_at_a_time(self):
        self.plan({"name": "waits", "command": copied("all.json", "touch began && while [ ! -e go ]; do sleep 0.02; done")}, rows=["stages/*", "kernels/*"])
        first = subprocess.Popen([ASSAY, "certify", "--plan", "plan.json", "--out", "out", "--no-config"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not (self.folder / "began").exists():
                self.assertIsNone(first.poll())
                time.sleep(0.02)
            self.certify("--plan", "plan.json", "--out", "out", code=2, says="another assay certify is at work")
        finally:
            (self.folder / "go").touch()
            self.assertEqual(first.wait(timeout=60), 0)

    @unittest.skipUnless(sys.platform == "linux", "Linux tells a process that its parent was killed")
    def test_what_a_killed_certification_had_running_ends_with_it(self):
        self.plan({"name": "waits", "command": copied("all.json", "(sleep 600 & echo $! > inner; wait) & echo $$ > outer; wait")}, rows=["stages/*", "kernels/*"])
        running = subprocess.Popen([ASSAY, "certify", "--plan", "plan.json", "--out", "out", "--no-config"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not all((self.folder / name).exists() and (self.folder / name).read_text().strip() for name in ("inner", "outer")):
            self.assertIsNone(running.poll())
            time.sleep(0.02)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        left = [int((self.folder / name).read_text()) for name in ("inner", "outer")]
        deadline = time.monotonic() + 60
        while left and time.monotonic() < deadline:
            left = [process for process in left if runs(process)]
            time.sleep(0.05)
        self.assertEqual(left, [])

    def test_what_did_not_end_makes_no_certificate_whatever_rows_count(self):
        self.plan({"name": "right", "command": copied("all.json")}, {"name": "dies", "command": copied("all.json", "exit 9")}, rows=["kernels/*"])
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", code=2, says="no certificate: certify/dies: ended with exit code 9")
        self.assertFalse((self.folder / "out/certificate.json").exists())

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
        self.assertRegex(said, r"memory +2 +alone: it measures +in one\n *kernels +3 +beside others +in one\n *collectives +2 +beside others")
        nightly = self.certify("--plan", "nightly", "--print-checklist", code=0)
        self.assertRegex(nightly, "kernels +240 +beside others +a part in each")
        self.assertRegex(nightly, "hardware +90 +alone: it measures +in each")
        self.assertRegex(self.certify("--plan", "driver-release", "--print-checklist", code=0), "release/notes +hard +no stage")
        self.assertIn('"assay-plan/1"', self.certify("--plan", "nightly", "--print-plan", code=0))
        self.assertIn('"assay-policy/1"', self.certify("--print-policy", code=0))

    def test_stages_of_the_tool_itself(self):
        self.plan({"name": "kernels", "command": ["assay", "run", "--no-config", "--backend", "host", "--op", "softmax", "--dtype", "f32", "--shape", "1x*", "--out", "{out}"], "answers": ["kernels/softmax"]},
                  rows=["stages/*", "kernels/softmax"])
        self.certify("--plan", "plan.json", "--out", "out", "--by", "Ada", code=0, says="stage kernels +pass +ended after")


if __name__ == "__main__":
    unittest.main()
