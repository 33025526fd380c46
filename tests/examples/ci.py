"""Tests examples/ci as far as a machine without build servers and containers can: the templates are YAML of the shape that GitHub and
GitLab document, the Dockerfile is made of instructions that Docker has, and the script that both templates call runs for real, on a
stand-in for the tool that notes how it was called, and on the tool itself where that is given.

  python3 ci.py SOURCE_FOLDER [ASSAY] [unittest options]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()
ASSAY = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and os.access(sys.argv[1], os.X_OK) else None
CI = SOURCE / "examples/ci"
SCRIPT = CI / "validate_release.sh"

try:
    import yaml
except ImportError:
    yaml = None

STAND_IN = r'''#!/usr/bin/env python3
import json, os, pathlib, sys
arguments = sys.argv[1:]
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(arguments) + "\n")
words = [word for word in arguments[:2] if not word.startswith("-")]
name = "_".join(words[:2] if words[0] in ("matrix", "history", "baseline") else words[:1])
out = arguments[arguments.index("--out") + 1] if "--out" in arguments else None
code = int(os.environ.get("EXIT_" + name, "0"))
if (code < 2 or name == "history_scan" and "undecided.jsonl" in arguments) and out and name in ("run", "gate", "history_scan", "baseline_compare"):
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    (pathlib.Path(out) / "report.json").write_text("{}")
    (pathlib.Path(out) / "report.md").write_text("## Release gate\n")
if code == 0 and name == "matrix_shard":
    for combination in ("c-000000000000000b", "c-000000000000000a"):
        (pathlib.Path(out) / combination).mkdir(parents=True)
        (pathlib.Path(out) / combination / "combination.json").write_text("{}")
sys.exit(code)
'''


class Templates(unittest.TestCase):
    def load(self, name):
        if yaml is None:
            self.skipTest("python3-yaml is not installed")
        return yaml.safe_load((CI / name).read_text(encoding="utf-8"))

    def test_the_github_workflow_has_the_shape_that_github_documents(self):
        workflow = self.load("github-actions.yml")
        self.assertLessEqual(set(workflow), {"name", True, "permissions", "concurrency", "env", "jobs"})  # YAML 1.1 reads the key "on" as true
        self.assertIn("schedule", workflow[True])
        jobs = workflow["jobs"]
        for name, job in jobs.items():
            self.assertIn("runs-on", job, name)
            self.assertIn("timeout-minutes", job, name)
            for need in [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", []):
                self.assertIn(need, jobs)
            for step in job["steps"]:
                self.assertEqual(1, ("uses" in step) + ("run" in step), step)
                if "uses" in step:
                    self.assertRegex(step["uses"], r"^[\w-]+/[\w./-]+@v\d+$")
        text = (CI / "github-actions.yml").read_text()
        for job, output in re.findall(r"needs\.(\w+)\.outputs\.(\w+)", text):
            self.assertIn(output, jobs[job]["outputs"])
        for step, _ in re.findall(r"steps\.(\w+)\.outputs\.(\w+)", text):
            self.assertIn(step, [entry.get("id") for job in jobs.values() for entry in job["steps"]])
        self.assertFalse(jobs["collect"]["strategy"]["fail-fast"])
        self.assertIn("!cancelled()", jobs["decide"]["if"])

    def test_the_gitlab_template_has_the_shape_that_gitlab_documents(self):
        template = self.load("gitlab-ci.yml")
        jobs = {name: job for name, job in template.items() if name not in ("stages", "variables", "workflow")}
        for name, job in jobs.items():
            base = {**jobs.get(job.get("extends"), {}), **job}
            self.assertIn(base["stage"], template["stages"], name)
            self.assertTrue(all(isinstance(line, str) for line in base["script"]), name)
            for need in base.get("needs", []):
                self.assertIn(need["job"] if isinstance(need, dict) else need, jobs)
            if "extends" in job:
                self.assertIn(job["extends"], jobs)
            self.assertLessEqual(set(base), {"stage", "image", "script", "artifacts", "needs", "interruptible", "timeout", "parallel", "tags", "cache", "when", "extends", "rules", "allow_failure"})
        self.assertEqual({"exit_codes": [2]}, jobs["decide nightly"]["allow_failure"])
        self.assertIs(False, jobs["decide release"]["allow_failure"], "cannot tell is no approval")

    def test_the_published_schemas_accept_the_templates(self):
        checker = shutil.which("check-jsonschema")
        if checker is None:
            self.skipTest("check-jsonschema, which brings the schemas, is not installed")
        for name, schema in (("github-actions.yml", ["vendor.github-workflows"]), ("gitlab-ci.yml", ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"])):
            done = subprocess.run([checker, "--builtin-schema", *schema, str(CI / name)], capture_output=True, text=True)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_templates_call_commands_that_the_script_has(self):
        commands = set(re.findall(r"^  (\w+)\) ", SCRIPT.read_text(), re.MULTILINE))
        for name in ("github-actions.yml", "gitlab-ci.yml"):
            called = set(re.findall(r"validate_release\.sh (\w+)", (CI / name).read_text().split("jobs:" if "github" in name else "workflow:")[1]))
            self.assertEqual({"plan", "collect", "decide"}, called)
            self.assertLessEqual(called, commands)

    def test_shell_in_the_templates_is_shell(self):
        def scripts(node):
            if isinstance(node, dict):
                for key, value in node.items():
                    if key in ("run", "script"):
                        yield "\n".join(value) if isinstance(value, list) else value
                    else:
                        yield from scripts(value)
            elif isinstance(node, list):
                for entry in node:
                    yield from scripts(entry)
        for name in ("github-actions.yml", "gitlab-ci.yml"):
            found = [re.sub(r"\$\{\{.*?\}\}", "expression", text) for text in scripts(self.load(name))]
            self.assertGreaterEqual(len(found), 3)
            for text in found:
                done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
                self.assertEqual((0, ""), (done.returncode, done.stderr), text)


class OwnWorkflow(unittest.TestCase):
    """.github/workflows/ci.yml, which runs Assay's own tests on a public server."""

    FILE = SOURCE / ".github/workflows/ci.yml"

    def setUp(self):
        if not self.FILE.exists():
            self.skipTest("there is no .github in this tree")
        if yaml is None:
            self.skipTest("python3-yaml is not installed")
        self.jobs = yaml.safe_load(self.FILE.read_text(encoding="utf-8"))["jobs"]

    def test_jobs_end_and_take_actions_of_one_organization(self):
        for name, job in self.jobs.items():
            self.assertLessEqual(job["timeout-minutes"], 240, name)
            self.assertFalse(job["strategy"]["fail-fast"], name)
            for step in job["steps"]:
                self.assertEqual(1, ("uses" in step) + ("run" in step), step)
                self.assertRegex(step.get("uses", "actions/x@v1"), r"^actions/[\w-]+@v\d+$")
                text = re.sub(r"\$\{\{.*?\}\}", "expression", step.get("run", "true"))
                self.assertEqual((0, ""), (lambda done: (done.returncode, done.stderr))(subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)), text)

    def test_stages_and_compilers_are_ours(self):
        stages = re.search(r"^assay_stages=\((.*)\)$", (SOURCE / "cmake/stages.sh").read_text(), re.M)[1].split()
        for entry in self.jobs["tests"]["strategy"]["matrix"]["include"]:
            self.assertIn(entry["stage"], stages)
            self.assertEqual(entry["command"], "./cmake/test.sh" + ("" if entry["stage"] == "regular" else f" --stage {entry['stage']}"))
        matrix = self.jobs["consumers"]["strategy"]["matrix"]
        self.assertEqual([compiler["program"] for compiler in matrix["compiler"]], ["g++-12", "clang++-16", "clang++-19"])
        self.assertEqual([mode["target"] for mode in matrix["mode"]], ["assay::assay", "assay::compiled"])
        consumer = (SOURCE / "tests/structure/consumer/CMakeLists.txt").read_text()
        for variable in re.findall(r"-D(ASSAY_\w+)=", self.FILE.read_text()):
            self.assertIn(variable, consumer)


class Dockerfile(unittest.TestCase):
    INSTRUCTIONS = {"ARG", "FROM", "SHELL", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}

    def instructions(self):
        lines = [line for line in (CI / "Dockerfile").read_text().splitlines() if line.strip() and not line.startswith("#")]
        whole = []
        for line in lines:
            if whole and whole[-1].endswith("\\"):
                whole[-1] = whole[-1][:-1] + line
            else:
                whole.append(line)
        return [line.split(None, 1) for line in whole]

    def test_it_is_made_of_instructions_that_docker_has(self):
        found = self.instructions()
        self.assertLessEqual({name for name, _ in found}, self.INSTRUCTIONS)
        self.assertEqual("ARG", found[0][0], "the base image is an argument of the build")
        self.assertEqual(2, sum(name == "FROM" for name, _ in found))
        self.assertEqual("USER", [name for name, _ in found if name in ("USER", "ENTRYPOINT")][0], "the tool does not run as root")
        for name, rest in found:
            if name in ("SHELL", "ENTRYPOINT", "CMD"):
                self.assertTrue(all(isinstance(word, str) for word in json.loads(rest)))
            if name == "RUN":
                done = subprocess.run(["bash", "-n"], input=rest, capture_output=True, text=True)
                self.assertEqual((0, ""), (done.returncode, done.stderr), rest)

    def test_what_it_copies_and_sources_is_there(self):
        for name, rest in self.instructions():
            words = [word for word in rest.split() if not word.startswith("--")] if name == "COPY" else []
            if words and words[0] != "." and "--from=" not in rest:
                self.assertTrue((SOURCE / words[0]).exists(), words[0])
        setup = subprocess.run(["bash", "-euc", '. cmake/setup.sh; printf "%s\n" "${assay_program_packages[@]}"; type assay_setup assay_jobs >/dev/null'], cwd=SOURCE, capture_output=True, text=True)
        self.assertEqual(0, setup.returncode, setup.stderr)
        self.assertIn("cmake", setup.stdout.split())


class Script(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.tool = self.folder / "assay"
        self.tool.write_text(STAND_IN)
        self.tool.chmod(0o755)

    def run_script(self, command, code=0, says="", **settings):
        environment = {"PATH": os.environ["PATH"], "ASSAY": str(self.tool), "CALLS": str(self.folder / "calls"), **settings}
        done = subprocess.run(["bash", str(SCRIPT), command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, re.compile(says, re.DOTALL))
        return done.stdout

    def calls(self):
        path = self.folder / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def call(self, *words):
        found = [call for call in self.calls() if call[:len(words)] == list(words)]
        self.assertEqual(1, len(found), self.calls())
        return found[0]

    def test_it_is_shell_that_shellcheck_passes(self):
        done = subprocess.run(["bash", "-n", str(SCRIPT)], capture_output=True, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertTrue(os.access(SCRIPT, os.X_OK), "it can be executed")
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        done = subprocess.run(["shellcheck", str(SCRIPT)], capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stdout)

    def test_a_plan_is_json_of_the_combinations(self):
        (self.folder / "matrix.json").write_text("{}")
        said = self.run_script("plan", MATRIX="matrix.json")
        self.assertEqual(["c-000000000000000a", "c-000000000000000b"], json.loads(said))
        self.assertEqual(["matrix", "shard", "matrix.json", "--out", "results", "--by"], self.calls()[0][:6])
        self.assertEqual(["here"], json.loads(self.run_script("plan", RESULTS="other")), "without a matrix this machine is all there is")
        self.run_script("plan", 2, "gives no combinations", MATRIX="matrix.json", RESULTS="third", EXIT_matrix_shard="2")

    def test_what_kernels_do_wrong_is_for_the_gate(self):
        (self.folder / "results/c-1").mkdir(parents=True)
        for code, expected in (("0", 0), ("1", 0), ("2", 2), ("139", 2)):
            self.run_script("collect", expected, COMBINATION="c-1", EXIT_run=code)
        self.run_script("collect", 2, "baseline compare gave no results", COMBINATION="c-1", BASELINES="baselines", EXIT_baseline_compare="2")
        self.run_script("collect", 0, COMBINATION="c-1", BASELINES="baselines", EXIT_baseline_compare="1")
        self.assertIn("--isolate", self.calls()[0])
        self.assertEqual("results/c-1", self.calls()[0][self.calls()[0].index("--out") + 1])

    def test_a_combination_must_be_named_and_planned(self):
        self.run_script("collect", 2, "COMBINATION is not set", MATRIX="matrix.json")
        self.run_script("collect", 2, "is no folder", COMBINATION="c-9")
        self.run_script("nonsense", 2, "give plan, collect, decide or all")
        self.assertEqual([], self.calls())

    def test_the_answer_is_that_of_the_gate(self):
        (self.folder / "results/here").mkdir(parents=True)
        (self.folder / "results/here/report.json").write_text("{}")
        for code, expected, says in (("0", 0, "approved"), ("1", 1, "blocked"), ("2", 2, "cannot tell"), ("139", 2, "cannot tell"), ("127", 2, "cannot tell")):
            self.run_script("decide", expected, says, EXIT_gate=code)
        self.run_script("decide", 0, "::notice::the release is approved", GITHUB_ACTIONS="true")
        self.run_script("decide", 1, "::error::the release is blocked", GITHUB_ACTIONS="true", EXIT_gate="1")
        self.run_script("decide", 0, "there is no dashboard", EXIT_report="2")

    def test_the_gate_sees_every_report_and_the_policy(self):
        for place in ("c-1", "c-2/baseline", "c-3"):
            (self.folder / "results" / place).mkdir(parents=True)
        for place in ("c-1", "c-2", "c-2/baseline"):
            (self.folder / "results" / place / "report.json").write_text("{}")
        (self.folder / "benchmarks").mkdir()
        (self.folder / "benchmarks/times.json").write_text("{}")
        self.run_script("decide", HISTORY="h.jsonl", BENCHMARKS="benchmarks", VERSION="1.2", MATRIX="matrix.json", POLICY="policy.json", GITHUB_STEP_SUMMARY="summary.md", EXIT_history_scan="1", EXIT_matrix_report="2")
        self.assertEqual(["history", "import", "benchmarks/times.json", "--into", "h.jsonl", "--label", "version=1.2"], self.call("history", "import"))
        gate = self.call("gate")
        self.assertEqual(["results/c-1/report.json", "results/c-2/baseline/report.json", "results/c-2/report.json", "reports/history/report.json", "--policy", "policy.json", "--out", "reports/gate"], gate[1:])
        report = self.call("report")
        self.assertEqual(["--history", "h.jsonl", "--matrix", "matrix.json", "--results", "results", "--gate", "reports/gate/report.json", "--out", "reports/dashboard.html"], report[1:])
        self.assertEqual("## Release gate\n", (self.folder / "summary.md").read_text())

    def test_times_that_cannot_be_read_are_no_approval(self):
        (self.folder / "times.json").write_text("{}")
        self.run_script("decide", 2, "cannot be imported", HISTORY="h.jsonl", BENCHMARKS="times.json", EXIT_history_import="2")
        self.run_script("decide", 2, "cannot be scanned", HISTORY="h.jsonl", EXIT_history_scan="2")
        self.assertEqual([], [call for call in self.calls() if call[0] == "gate"])
        self.run_script("decide", 2, "cannot tell", HISTORY="undecided.jsonl", EXIT_history_scan="2", EXIT_gate="2")
        self.assertIn("reports/history/report.json", self.call("gate"), "a scan that decides nothing yet is shown to the gate")
        self.assertEqual(["--baseline", "10"], [call for call in self.calls() if call[:2] == ["history", "scan"]][-1][3:5])

    def test_all_of_it_on_one_machine(self):
        (self.folder / "matrix.json").write_text("{}")
        self.run_script("all", 1, "blocked", MATRIX="matrix.json", EXIT_gate="1", EXIT_run="1")
        self.assertEqual(2, sum(call[0] == "run" for call in self.calls()))
        self.assertEqual(2, sum("results/c-" in word for word in self.call("gate")))

    def test_the_tool_itself(self):
        if ASSAY is None:
            self.skipTest("the tool was not given")
        done = self.run_script("all", 2, r"CANNOT TELL.*cannot tell, which is no approval", ASSAY=ASSAY, RUN_OPTIONS="--backend host --only gemm/host/f32.f32.f32/m1-n1-k1-* --no-config")
        self.assertTrue((self.folder / "results/here/report.json").exists(), done)
        self.assertTrue((self.folder / "reports/dashboard.html").exists(), done)
        (self.folder / "policy.json").write_text(json.dumps({"schema": "assay-policy/1", "gates": [{"name": "kernels", "level": "hard", "require": "no fail"}]}))
        self.run_script("all", 0, "approved", ASSAY=ASSAY, POLICY="policy.json", RESULTS="r", RUN_OPTIONS="--backend host --only gemm/host/f32.f32.f32/m1-n1-k1-* --no-config")


if __name__ == "__main__":
    unittest.main()
