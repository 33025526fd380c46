"""Certifies in shards, joins them, and plays the recipes for Slurm, Kubernetes and mpirun.

  python3 certify_shards.py ASSAY FOLDER_OF_RECIPES [unittest options]
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ASSAY, RECIPES = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))
SCHEDULERS = ("SLURM_", "OMPI_", "PMI_", "PMIX_", "CI_NODE_", "JOB_COMPLETION_", "CIRCLE_", "BUILDKITE_", "AWS_BATCH_", "ASSAY_")
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
CASES = ["--no-config", "--quiet", "--backend", "host", "--op", "softmax", "--dtype", "f32", "--shape", "7x*", "--isolate"]


def environment(**more):
    """This process's environment as if no scheduler had started it."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith(SCHEDULERS)}, **MPI, "OMP_NUM_THREADS": "1", **more}


def outcome(name, verdict="pass"):
    return {"id": name, "verdict": verdict, "reason": "" if verdict == "pass" else "the reason", "labels": {}, "seed": "1", "duration_seconds": 0.1, "reproduce": "x", "measurements": []}


def run_of(*outcomes):
    told = {"assay_version": "0", "host_name": "lab1", "operating_system": "os", "processor": "cpu", "logical_processors": 1, "instruction_sets": "", "memory_bytes": 1, "compiler": "",
            "compiler_flags": "", "started_at": "2026-01-02T03:04:05Z", "devices": [], "libraries": []}
    return {"schema": "assay-run/1", "title": "t", "command": "c", "seed": "1", "planned_cases": len(outcomes), "duration_seconds": 1, "environment": told, "outcomes": list(outcomes)}


def stage(name, minutes=1, then="true", **more):
    return {"name": name, "minutes": minutes, "measures": False, "command": ["sh", "-c", f"echo {name} >> ran; cp {name}.json {{report}} && {then}"], **more}


class Scratch(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        for name in ("long", "middle", "short"):
            self.write(f"{name}.json", run_of(outcome(f"model/{name}")))
        self.write("node.json", run_of(outcome("hardware/memory/march")))
        self.stages = [stage("short", 1), stage("long", 8), stage("middle", 4), stage("node", 2, everywhere=True)]
        self.plan(self.stages)

    def write(self, name, content):
        (self.folder / name).write_text(json.dumps(content))

    def plan(self, stages, rows=("stages/*", "models/accuracy", "hardware/memory")):
        self.write("plan.json", {"schema": "assay-plan/1", "title": "driver 2.1", "rows": list(rows), "stages": stages})

    def certify(self, *arguments, code, says="", **variables):
        done = subprocess.run([ASSAY, "certify", *arguments, "--no-config"], cwd=self.folder, env=environment(**variables), timeout=300, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def shard(self, index, count, code=0, says="", plan="plan.json"):
        return self.certify("--plan", plan, "--shard", f"{index}/{count}", "--out", f"part-{index}", code=code, says=says)

    def ran(self):
        return sorted((self.folder / "ran").read_text().split())


class Shards(Scratch):
    def test_shards_run_the_plan_between_them_and_one_certificate_is_made(self):
        self.assertIn("2 stages, all ended", self.shard(1, 2))  # the longest, and what each node answers
        self.assertEqual(self.ran(), ["long", "node"])
        self.shard(2, 2, says="stage short +pass.*stage middle +pass.*stage node +pass.*3 stages, all ended")
        self.assertEqual(self.ran(), ["long", "middle", "node", "node", "short"])
        self.certify("--join", "part-1", "part-2", "--out", "whole", "--by", "Ada", code=0, says="certificate: whole/certificate.json")
        self.certify("--verify", "whole", code=0, says="valid: signed by Ada")
        self.assertTrue((self.folder / "whole/evidence/node/shard-2-of-2/report.json").exists())
        told = {each["id"]: each for each in json.loads((self.folder / "whole/evidence/stages.json").read_text())["outcomes"]}
        self.assertEqual(set(told), {"certify/long", "certify/middle", "certify/short", "certify/node/shard-1-of-2", "certify/node/shard-2-of-2"})
        self.assertEqual(told["certify/middle"]["labels"]["shard"], "2/2")
        # A shard that is there again runs nothing again; a join that is made again, in any order, is the same.
        self.shard(2, 2, says="not repeated")
        self.assertEqual(len(self.ran()), 5)
        self.certify("--join", "part-2,part-1", "--out", "whole", "--by", "Ada", code=0)
        self.certify("--verify", "whole", code=0)
        # What one node found, all are blocked by.
        self.write("node.json", run_of(outcome("hardware/memory/march", "fail")))
        shutil.rmtree(self.folder / "part-2")
        self.shard(2, 2)
        self.certify("--join", "part-1", "part-2", "--out", "whole", "--by", "Ada", code=1, says="hardware/memory.*no certificate: the release is blocked")
        self.assertFalse((self.folder / "whole/certificate.json").exists())

    def test_a_missing_shard_is_not_seen(self):
        for index in (1, 3):
            self.shard(index, 3)
        for rows in (("stages/*", "models/accuracy"), ("models/accuracy",)):  # whether or not the plan asks for complete stages
            with self.subTest(rows):
                self.certify("--join", "part-1", "part-3", "--out", "whole", "--by", "Ada", code=2, says="shard 2/3, which runs it, is not there.*no certificate")
                self.assertFalse((self.folder / "whole/certificate.json").exists())
            for name in ("part-1", "part-3", "whole"):
                shutil.rmtree(self.folder / name)
            self.plan(self.stages, rows=("models/accuracy",))
            for index in (1, 3):
                self.shard(index, 3)

    def test_what_a_shard_did_not_end_is_no_evidence(self):
        rows = ("stages/*", "models/accuracy")
        self.plan([stage("long", 8), stage("middle", 4, "exit 9"), stage("short", 1)], rows)
        self.shard(1, 2)
        self.shard(2, 2, code=1, says="stage middle +error.*not all ended")
        self.certify("--join", "part-1", "part-2", "--out", "whole", "--by", "Ada", code=1, says="middle +error +ended with exit code 9 .shard 2/2")
        # A shard that was killed: what it has ended counts, the rest is not seen; it goes on where it stopped.
        self.plan([stage("long", 8), stage("short", 1), stage("middle", 4, "touch began && while [ ! -e go ]; do sleep 0.02; done")], rows)
        for name in ("part-1", "part-2", "whole"):
            shutil.rmtree(self.folder / name)
        self.shard(1, 2)
        (self.folder / "began").unlink(missing_ok=True)
        running = subprocess.Popen([ASSAY, "certify", "--plan", "plan.json", "--shard", "2/2", "--out", "part-2", "--no-config"], cwd=self.folder, stdout=subprocess.DEVNULL, env=environment())
        while not (self.folder / "began").exists():
            self.assertIsNone(running.poll())
            time.sleep(0.02)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        self.certify("--join", "part-1", "part-2", "--out", "whole", "--by", "Ada", code=2, says="short +pass.*middle +skipped +shard 2/2 has not ended it")
        (self.folder / "go").touch()
        self.shard(2, 2, says="short +pass +ended before.*middle +pass")
        self.certify("--join", "part-1", "part-2", "--out", "whole", "--by", "Ada", code=0, says="certificate:")

    def test_parts_that_make_no_whole_are_refused(self):
        self.shard(1, 2)
        self.shard(2, 2)
        shutil.copytree(self.folder / "part-2", self.folder / "copy")
        self.certify("--join", "part-1", "part-2", "copy", "--out", "whole", code=2, says="both shard 2/2")
        self.certify("--join", "part-1", "nowhere", "--out", "whole", code=2, says="nowhere.*no part of a certification")
        self.certify("--join", "part-1", "part-2", "--out", "part-1", code=2, says="is itself a part")
        self.certify("--join", "part-1", "part-2", code=2, says="--out")
        self.certify("--join", "part-1", "--plan", "plan.json", "--out", "whole", code=2, says="leave out --plan")
        self.certify("--plan", "plan.json", "--shard", "1/2", "--out", "part-2", code=2, says="is of shard 2/2")
        self.certify("--plan", "plan.json", "--out", "part-2", code=2, says="is of shard 2/2")
        self.certify("--plan", "plan.json", "--shard", "3/2", "--out", "x", code=2, says="does not exist")
        self.certify("--plan", "plan.json", "--shard", "from-env", "--out", "x", code=2, says="tells no part of a run")
        self.certify("--plan", "plan.json", "--shard", "1/2", "--out", "part-1", "--by", "Ada", code=2, says="give them with --join")
        self.certify("--plan", "plan.json", "--shard", "1/3", "--out", "third", code=0)
        self.certify("--join", "third", "part-2", "--out", "whole", code=2, says="1/3 and 2/2, which make no whole")
        # Evidence that is not what its stage left.
        forged = self.folder / "copy/evidence/middle/report.json"
        forged.write_text(forged.read_text().replace("model/middle", "model/muddle"))
        self.certify("--join", "part-1", "copy", "--out", "whole", code=2, says="copy/evidence/middle/report.json' is not what stage 'middle' left")
        forged.unlink()
        self.certify("--join", "part-1", "copy", "--out", "whole", code=2, says="is not what stage 'middle' left")
        (self.folder / "copy/shard.json").write_text("{}")
        self.certify("--join", "part-1", "copy", "--out", "whole", code=2, says="shard.json': no text")
        self.plan(self.stages[1:])
        self.certify("--plan", "plan.json", "--shard", "2/2", "--out", "other", code=0)
        self.certify("--join", "part-1", "other", "--out", "whole", code=2, says="different plans")
        self.plan([stage("long", everywhere=True, command=["sh", "-c", "cp long.json {report} # {shard}"])])
        self.certify("--plan", "plan.json", "--out", "x", code=2, says="runs everywhere, and its command does a part")

    def test_a_stage_of_the_tool_is_divided_by_its_cases(self):
        self.plan([{"name": "kernels", "minutes": 5, "answers": ["kernels/softmax"], "command": ["assay", "run", *CASES, "--shard", "{shard}", "--out", "{out}"]}], rows=["stages/*", "kernels/softmax"])
        self.certify("--plan", "plan.json", "--out", "undivided", "--by", "Ada", code=0)
        for index in (1, 2, 3):
            self.shard(index, 3)
        self.certify("--join", *(f"part-{index}" for index in (1, 2, 3)), "--out", "whole", "--by", "Ada", code=0, says="certificate:")

        def cases(*places):
            return sorted((each["id"], each["verdict"], each["seed"]) for place in places for each in json.loads((self.folder / place / "report.json").read_text())["outcomes"])

        whole = cases(*(f"whole/evidence/kernels/shard-{index}-of-3" for index in (1, 2, 3)))
        self.assertEqual(whole, cases("undivided/evidence/kernels"))
        self.assertGreaterEqual(len(whole), 9)
        self.assertLess(len(cases("part-1/evidence/kernels")), len(whole))


class Recipes(Scratch):
    """The files for schedulers, with the variables that the schedulers set."""

    def setUp(self):
        super().setUp()
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "assay").write_text(f"#!/bin/sh\nexec '{ASSAY}' \"$@\" --no-config\n")
        (programs / "assay").chmod(0o755)
        self.path = f"{programs}:{os.environ['PATH']}"

    def join(self, count):
        self.certify("--join", *(f"results/part-{index}" for index in range(count)), "--out", "results/whole", "--by", "Ada", code=0, says="certificate: results/whole")
        self.certify("--verify", "results/whole", code=0)

    def test_a_slurm_array(self):
        for member in range(2):
            done = subprocess.run(["bash", f"{RECIPES}/certify_slurm_array.sbatch", "plan.json"], cwd=self.folder, capture_output=True, text=True, timeout=120,
                                  env=environment(PATH=self.path, SLURM_ARRAY_TASK_ID=str(member), SLURM_ARRAY_TASK_COUNT="2", SLURM_ARRAY_TASK_MIN="0"))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.join(2)

    def test_a_kubernetes_job(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("this Python has no yaml")
        job = yaml.safe_load(Path(RECIPES, "certify_kubernetes_job.yaml").read_text())
        container = job["spec"]["template"]["spec"]["containers"][0]
        told = {entry["name"]: entry["value"] for entry in container["env"]}
        self.assertEqual(told["ASSAY_SHARDS"], str(job["spec"]["completions"]))
        command = [part.replace("/results", "results") for part in container["command"]]
        for index in range(job["spec"]["completions"]):
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120,
                                  env=environment(**{**told, "ASSAY_PLAN": "plan.json", "PATH": self.path, "JOB_COMPLETION_INDEX": str(index)}))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.join(4)

    def test_processes_of_mpirun(self):
        mpirun = shutil.which("mpirun")
        if mpirun is None:
            self.skipTest("mpirun was not found")
        start = [mpirun, "-n", "2", "--oversubscribe"]
        if subprocess.run([*start, "true"], env=environment(), capture_output=True, timeout=60).returncode != 0:
            self.skipTest("mpirun cannot start processes here")
        # One of the stages starts ranks of its own.
        nested = {"name": "ranks", "minutes": 2, "command": ["sh", "-c", f"{mpirun} -n 2 --oversubscribe sh -c 'echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE' > {{out}}/ranks.txt && cp long.json {{report}}"]}
        self.plan([*self.stages, nested])
        done = subprocess.run([*start, f"{RECIPES}/certify_mpi.sh", "plan.json"], cwd=self.folder, env=environment(PATH=self.path), capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(re.findall(r"shard (\d/2) ended with exit code (\d)", done.stdout)), [("1/2", "0"), ("2/2", "0")], done.stdout)
        self.join(2)
        self.assertEqual(sorted((self.folder / "results/whole/evidence/ranks/ranks.txt").read_text().splitlines()), ["rank 0 of 2", "rank 1 of 2"])
        # A shard whose stage fails ends no other.
        shutil.rmtree(self.folder / "results")
        self.plan([stage("long", 8, "exit 9"), stage("middle", 4, "sleep 1")])
        done = subprocess.run([*start, f"{RECIPES}/certify_mpi.sh", "plan.json"], cwd=self.folder, env=environment(PATH=self.path), capture_output=True, text=True, timeout=200)
        self.assertEqual(sorted(re.findall(r"shard (\d/2) ended with exit code (\d)", done.stdout)), [("1/2", "1"), ("2/2", "0")], done.stdout)
        self.certify("--join", "results/part-0", "results/part-1", "--out", "results/whole", code=1, says="long +error.*middle +pass")

    def test_scripts_are_sound(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck was not found")
        done = subprocess.run(["shellcheck", *(str(file) for file in Path(RECIPES).glob("certify_*") if file.suffix != ".yaml")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
