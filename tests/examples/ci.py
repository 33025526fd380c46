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
if code < 2 and name == "certify" and "--verify" not in arguments:
    (pathlib.Path(out) / "report").mkdir(parents=True, exist_ok=True)
    (pathlib.Path(out) / "report/report.md").write_text("## Release gate\n")
sys.exit(int(os.environ.get("EXIT_verify", "0")) if "--verify" in arguments else code)
'''

SCHEMAS = {"github-actions.yml": ["vendor.github-workflows"], "certify-github-actions.yml": ["vendor.github-workflows"], "gitlab-ci.yml": ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
           "certify-gitlab-ci.yml": ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"], "certify-buildkite.yml": ["vendor.buildkite"], "compose.yaml": ["vendor.compose-spec"]}


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
        for name, schema in SCHEMAS.items():
            done = subprocess.run([checker, "--builtin-schema", *schema, str(CI / name)], capture_output=True, text=True)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_the_published_schemas_see_what_is_wrong(self):
        checker = shutil.which("check-jsonschema")
        if checker is None:
            self.skipTest("check-jsonschema, which brings the schemas, is not installed")
        wrong = {"certify-github-actions.yml": ("runs-on:", "runs-onn:"), "certify-gitlab-ci.yml": ("exit_codes: [2]", "exit_codes: [two]"), "certify-buildkite.yml": ("soft_fail:\n      - exit_status: 2", "soft_fail:\n      - exit_status: [two]"),
                 "compose.yaml": ("    image: assay:debian-12", "    imagee: assay:debian-12")}
        with tempfile.TemporaryDirectory() as folder:
            for name, (old, new) in wrong.items():
                text = (CI / name).read_text()
                self.assertIn(old, text)
                (Path(folder) / name).write_text(text.replace(old, new, 1))
                self.assertEqual(1, subprocess.run([checker, "--builtin-schema", *SCHEMAS[name], str(Path(folder) / name)], capture_output=True).returncode, name)

    def test_templates_call_commands_that_the_script_has(self):
        commands = set(re.findall(r"^  (\w+)\) ", SCRIPT.read_text(), re.MULTILINE))
        for name in ("github-actions.yml", "gitlab-ci.yml"):
            called = set(re.findall(r"validate_release\.sh (\w+)", (CI / name).read_text().split("jobs:" if "github" in name else "workflow:")[1]))
            self.assertEqual({"plan", "collect", "decide"}, called)
            self.assertLessEqual(called, commands)
        self.assertIn("examples/ci/validate_release.sh certify", self.load("certify-gitlab-ci.yml")[".certify"]["script"])
        for service in self.load("compose.yaml")["services"].values():
            self.assertEqual(["validate_release.sh", "certify"], service["entrypoint"])
        self.assertIn("certify", commands)

    def test_shell_in_the_templates_is_shell(self):
        def scripts(node):
            if isinstance(node, dict):
                for key, value in node.items():
                    if key in ("run", "script", "command"):
                        yield "\n".join(value) if isinstance(value, list) else value
                    else:
                        yield from scripts(value)
            elif isinstance(node, list):
                for entry in node:
                    yield from scripts(entry)
        for name in SCHEMAS.keys() - {"compose.yaml"}:
            found = [re.sub(r"\$\{\{.*?\}\}", "expression", text).replace("$$", "$") for text in scripts(self.load(name))]
            self.assertGreaterEqual(len(found), 1 if "certify" in name else 3)
            for text in found:
                done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
                self.assertEqual((0, ""), (done.returncode, done.stderr), text)


class Certify(unittest.TestCase):
    """Every build server runs the plan in every image, takes 1 and 2 for no release, and keeps what was found."""

    IMAGES = {"debian-12": "debian:12", "ubuntu-24.04": "ubuntu:24.04"}

    def load(self, name):
        return Templates.load(self, name)

    def test_the_matrix_is_the_same_everywhere(self):
        services = self.load("compose.yaml")["services"]
        self.assertEqual(self.IMAGES, {name: service["build"]["args"]["BASE"] for name, service in services.items()})
        for name, service in services.items():
            self.assertEqual(SOURCE / service["build"]["dockerfile"], CI / "Dockerfile")
            self.assertEqual(SOURCE, (CI / service["build"]["context"]).resolve())
            self.assertEqual(f"certificates/{name}", service["environment"]["CERTIFICATE"])
            self.assertIn("PLAN", service["environment"])
            self.assertNotEqual("0", service["user"].split(":")[0])
        self.assertEqual([*self.IMAGES], self.load("certify-github-actions.yml")["jobs"]["certify"]["strategy"]["matrix"]["image"])
        self.assertEqual([{"BASE": [*self.IMAGES.values()]}], self.load("certify-gitlab-ci.yml")[".certify"]["parallel"]["matrix"])
        for step in self.load("certify-buildkite.yml")["steps"]:
            self.assertEqual([*self.IMAGES], step["matrix"])
        self.assertEqual([*self.IMAGES], re.findall(r"'([\w.-]+)'", re.search(r"values (.*)", (CI / "certify.Jenkinsfile").read_text())[1]))

    def test_a_release_needs_an_approval_and_evidence_is_kept(self):
        github = self.load("certify-github-actions.yml")["jobs"]["certify"]
        self.assertFalse(github["strategy"]["fail-fast"])
        [certify] = [step for step in github["steps"] if step.get("name") == "Certify"]
        self.assertNotIn("continue-on-error", certify)
        self.assertNotIn("||", certify["run"])
        [kept] = [step for step in github["steps"] if step.get("uses", "").startswith("actions/upload-artifact@")]
        self.assertIn("!cancelled()", kept["if"])
        gitlab = self.load("certify-gitlab-ci.yml")
        self.assertEqual({"exit_codes": [2]}, gitlab["certify nightly"]["allow_failure"])
        self.assertIs(False, gitlab["certify release"]["allow_failure"])
        self.assertEqual("always", gitlab[".certify"]["artifacts"]["when"])
        nightly, release = self.load("certify-buildkite.yml")["steps"]
        self.assertEqual([{"exit_status": 2}], nightly["soft_fail"])
        self.assertIs(False, release["soft_fail"])
        self.assertTrue(nightly["artifact_paths"] and release["artifact_paths"])
        # Conditions of Buildkite exclude each other and leave nothing out.
        self.assertEqual(("build.tag == null", "build.tag != null"), (nightly["if"], release["if"]))

    def sections(self, text):
        """The blocks of a declarative pipeline as nested lists of (name, block); strings and comments are out of the way."""
        strings = []
        text = re.sub(r"'''(.*?)'''|'((?:[^'\\\\\n]|\\\\.)*)'|\"((?:[^\"\\\\\n]|\\\\.)*)\"|//[^\n]*", lambda found: "" if found[0].startswith("//") else strings.append(found[0]) or "S", text, flags=re.DOTALL)
        stack = [[]]
        for name, mark in re.findall(r"([\w.]+(?:\s*\([^(){}]*\))?)?\s*([{}])", text):
            if mark == "{":
                stack[-1].append((name.split("(")[0].strip(), []))
                stack.append(stack[-1][-1][1])
            else:
                stack.pop()
                self.assertTrue(stack, "a brace too many")
        self.assertEqual(1, len(stack), "a brace is missing")
        return stack[0], strings

    def test_the_jenkinsfile_is_a_declarative_pipeline(self):
        text = (CI / "certify.Jenkinsfile").read_text()
        [(name, pipeline)], strings = self.sections(text)
        self.assertEqual("pipeline", name)
        self.assertLessEqual({each for each, _ in pipeline}, {"agent", "environment", "options", "parameters", "triggers", "stages", "post"})
        [(_, [(stage, inside)])] = [each for each in pipeline if each[0] == "stages"]
        self.assertEqual(("stage", ["matrix"]), (stage, [each for each, _ in inside]))
        matrix = dict(inside)["matrix"]
        self.assertEqual(["axes", "agent", "stages", "post"], [each for each, _ in matrix])
        self.assertEqual(["stage", "stage"], [each for each, _ in dict(matrix)["stages"]])
        self.assertEqual(["always"], [each for each, _ in dict(matrix)["post"]])
        self.assertRegex(text, r"always \{\s+archiveArtifacts [^\n]*allowEmptyArchive: false")
        self.assertRegex(text, r"code == 2 && env.TAG_NAME == null\) \{\s+unstable\([^\n]*\n\s+\} else if \(code != 0\) \{\s+error\(")
        scripts = [each.strip("'") for each in strings if "docker compose" in each]
        self.assertEqual(2, len(scripts))
        for script in scripts:
            self.assertEqual("", subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True).stderr)
        for wrong in (text + "}", text.replace("}", "", 1)):
            with self.assertRaises(AssertionError):
                self.sections(wrong)


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
        self.run_script("nonsense", 2, "give plan, collect, decide, all or certify")
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

    def test_the_answer_of_a_plan_is_that_of_its_checklist(self):
        for code, expected, says in (("0", 0, "approved"), ("1", 1, "blocked"), ("2", 2, "not every row"), ("139", 2, "no approval")):
            self.run_script("certify", expected, says, EXIT_certify=code)
        self.assertEqual(["certify", "--plan", "smoke", "--out", "certificate"], self.calls()[0])
        self.run_script("certify", 0, "approved", PLAN="driver-release", BY="Ada L.", ATTEST="notes", PREVIOUS="last", CERTIFICATE="c", GITHUB_STEP_SUMMARY="summary.md")
        self.assertEqual([["certify", "--plan", "driver-release", "--out", "c", "--by", "Ada L.", "--attest", "notes", "--previous", "last"], ["certify", "--verify", "c"]], self.calls()[-2:])
        self.assertEqual("## Release gate\n", (self.folder / "summary.md").read_text())
        self.run_script("certify", 2, "does not hold", BY="Ada", EXIT_verify="1")

    def test_a_plan_of_the_tool_itself(self):
        if ASSAY is None:
            self.skipTest("the tool was not given")
        stage = {"name": "kernels", "command": ["assay", "run", "--no-config", "--backend", "host", "--op", "softmax", "--dtype", "f32", "--shape", "1x*", "--out", "{out}"], "answers": ["kernels/softmax"]}
        plan = {"schema": "assay-plan/1", "title": "lab", "stages": [stage], "rows": ["stages/*", "kernels/softmax"]}
        (self.folder / "plan.json").write_text(json.dumps(plan))
        self.run_script("certify", 0, "valid: signed by Ada.*approved", ASSAY=ASSAY, PLAN="plan.json", BY="Ada")
        (self.folder / "more.json").write_text(json.dumps({**plan, "rows": [*plan["rows"], "kernels/norms"]}))
        self.run_script("certify", 2, "not every row", ASSAY=ASSAY, PLAN="more.json", CERTIFICATE="more")
        (self.folder / "killed.json").write_text(json.dumps({**plan, "stages": [{**stage, "command": ["sh", "-c", "kill -9 $$ # {out}"]}]}))
        self.run_script("certify", 1, "blocked", ASSAY=ASSAY, PLAN="killed.json", CERTIFICATE="killed")

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
