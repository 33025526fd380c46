"""Spreads a run over shards and over processes of mpirun, and puts the parts together again.

Usage: distribution.py ASSAY [PLUGIN]

PLUGIN is the library of examples/plugin_c that drops a tail.
"""
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ASSAY = sys.argv.pop(1)
PLUGIN = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
CASES = ["--backend", "host", "--op", "gemm", "--dtype", "f32.f32.f32", "--fill", "normal", "--no-config"]
FAILING = ["--plugin", PLUGIN, "--only", "gemm/*/f32.f32.f32/m31-*,gemm/*/f32.f32.f32/m8-*", "--no-config"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "distributed"
MPIRUN = shutil.which("mpirun")
PATIENCE = float(os.environ.get("ASSAY_TEST_PATIENCE", 170))  # seconds until a program that should have ended is taken to hang
SCHEDULERS = ("SLURM_", "OMPI_", "PMI_", "PMIX_", "CI_NODE_", "JOB_COMPLETION_", "CIRCLE_", "BUILDKITE_", "AWS_BATCH_", "ASSAY_")


def environment(**more):
    """This process's environment as if no scheduler had started it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(SCHEDULERS)}
    return {**kept, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "1", **more}


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-distribution-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def assay(self, *arguments, code=0, says="", **variables):
        done = subprocess.run([ASSAY, *map(str, arguments)], cwd=self.folder, env=environment(**variables), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(says, done.stdout + done.stderr)
        return done.stdout

    def path_with_tool(self, chosen):
        """A search path whose `assay` is the tool, told to run few cases: the whole suite takes long."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "assay").write_text(f"#!/bin/sh\nif [ \"$1\" = run ]; then set -- \"$@\" {shlex.join(chosen)} --quiet; fi\nexec '{ASSAY}' \"$@\"\n")
        (programs / "assay").chmod(0o755)
        return f"{programs}:{os.environ['PATH']}"

    def report(self, name):
        return json.loads((self.folder / name / "report.json").read_text())


class Shards(Scratch):
    def test_shards_that_a_scheduler_tells_are_merged_into_the_whole(self):
        self.assay("run", *CASES, "--out", "whole", "--quiet")
        for index in range(3):
            self.assay("run", *CASES, "--shard", "from-env", "--out", f"part{index}", "--quiet", JOB_COMPLETION_INDEX=str(index), ASSAY_SHARDS="3")
        self.assertEqual(self.report("part1")["shard"], "2/3")
        parts = [f"part{index}/report.json" for index in (2, 0, 1)]
        self.assay("merge", *parts, "--out", "merged", "--format", "junit", says="3 runs merged")
        whole, merged = self.report("whole"), self.report("merged")
        self.assertEqual([(o["id"], o["verdict"], o["seed"]) for o in merged["outcomes"]], [(o["id"], o["verdict"], o["seed"]) for o in whole["outcomes"]])
        self.assertTrue((self.folder / "merged" / "report.html").exists())
        self.assertEqual(len(list((self.folder / "merged").iterdir())), 3)

        self.assay("merge", *parts[:2], "--out", "partial", code=1, says="missing: shard/2/3")
        self.assertEqual([o["reason"] for o in self.report("partial")["outcomes"] if o["verdict"] == "error"], ["no result of this part was given; run it, or give its file too"])

    def test_what_cannot_be_a_part_is_refused(self):
        self.assay("run", *CASES, "--shard", "from-env", code=2, says="the environment tells no part of a run")
        self.assay("run", *CASES, "--shard", "from-env", code=2, says="set ASSAY_SHARDS", JOB_COMPLETION_INDEX="0")
        self.assay("run", *CASES, "--shard", "1/2", "--out", "a", "--quiet")
        self.assay("run", *CASES, "--shard", "2/2", "--seed", "9", "--out", "b", "--quiet")
        self.assay("merge", "a/report.json", "b/report.json", "--out", "c", code=2, says="seeds 1 and 9")
        self.assay("merge", "nowhere.json", "--out", "c", code=2, says="nowhere.json")
        self.assay("run", "--distribute", "smoke", code=2, says="unknown distributor 'smoke'; known: mpi")
        self.assay("run", "--distribute", "mpi", "--jobs", "2", code=2, says="leave out --jobs")


class JobFiles(Scratch):
    """The files for schedulers do what they promise, with the variables that the schedulers set."""

    def setUp(self):
        super().setUp()
        self.path = self.path_with_tool(CASES)

    def test_a_slurm_array(self):
        for member in range(2):
            done = subprocess.run(["bash", EXAMPLES / "slurm_array.sbatch"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                                  env=environment(PATH=self.path, SLURM_ARRAY_TASK_ID=str(member), SLURM_ARRAY_TASK_COUNT="2", SLURM_ARRAY_TASK_MIN="0"))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assay("merge", "results/part-0/report.json", "results/part-1/report.json", "--out", "results/whole", says="2 runs merged")

    def test_a_kubernetes_job(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("this Python has no yaml")
        job = yaml.safe_load((EXAMPLES / "kubernetes_job.yaml").read_text())
        container = job["spec"]["template"]["spec"]["containers"][0]
        told = {entry["name"]: entry["value"] for entry in container["env"]}
        self.assertEqual(told["ASSAY_SHARDS"], str(job["spec"]["completions"]))
        self.assertEqual(job["spec"]["completionMode"], "Indexed")
        command = [part.replace("/results", "results") for part in container["command"]]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE, env=environment(PATH=self.path, JOB_COMPLETION_INDEX="7", **told))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.report("results/part-7")["shard"], "8/8")

    def test_scripts_are_sound(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck was not found")
        done = subprocess.run(["shellcheck", *EXAMPLES.glob("*.sbatch")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)


class Mpi(Scratch):
    def setUp(self):
        super().setUp()
        told = subprocess.run([ASSAY, "run", "--distribute", "mpi", "--no-config"], env=environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(told.returncode, 2, told.stdout + told.stderr)
        if "built without MPI" in told.stderr:
            self.skipTest("the tool was built without MPI")
        self.assertIn("was started as 1 process", told.stderr)
        if MPIRUN is None:
            self.skipTest("mpirun was not found")
        probe = subprocess.run([MPIRUN, "-n", "2", "--oversubscribe", "true"], env=environment(), capture_output=True, text=True, timeout=60)
        if probe.returncode != 0:
            self.skipTest(f"mpirun cannot start processes here: {probe.stderr}")

    def mpirun(self, processes, *arguments, recovery=True):
        return [MPIRUN, "-n", str(processes), "--oversubscribe", *(["--enable-recovery"] if recovery else []), ASSAY, *map(str, arguments)]

    def test_processes_share_the_cases_and_one_reports(self):
        self.assay("run", *CASES, "--out", "whole", "--quiet")
        done = subprocess.run(self.mpirun(3, "run", *CASES, "--distribute", "mpi", "--out", "spread"), cwd=self.folder, env=environment(), capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("report.html"), 1)
        whole, spread = self.report("whole"), self.report("spread")
        self.assertEqual([(o["id"], o["verdict"], o["seed"]) for o in spread["outcomes"]], [(o["id"], o["verdict"], o["seed"]) for o in whole["outcomes"]])
        self.assertIn("2 processes", spread["environment"]["devices"])

    def test_processes_share_the_cases_of_a_plugin(self):
        if PLUGIN is None:
            self.skipTest("no plugin was built")
        chosen = [*FAILING, "--quiet"]
        self.assay("run", *chosen, "--out", "whole", code=1)
        done = subprocess.run(self.mpirun(3, "run", *chosen, "--distribute", "mpi", "--out", "spread", recovery=False), cwd=self.folder, env=environment(), capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        whole, spread = self.report("whole"), self.report("spread")
        self.assertEqual({o["verdict"] for o in whole["outcomes"]}, {"pass", "fail"})
        self.assertEqual([(o["id"], o["verdict"], o["seed"]) for o in spread["outcomes"]], [(o["id"], o["verdict"], o["seed"]) for o in whole["outcomes"]])

    def test_the_job_for_slurm_fails_where_a_case_does(self):
        if PLUGIN is None:
            self.skipTest("no plugin was built")
        for name, chosen, code in (("right", CASES, 0), ("wrong", FAILING, 1)):
            told = environment(PATH=self.path_with_tool(chosen), SLURM_NTASKS="3", ASSAY_RESULTS=name, OMPI_MCA_rmaps_base_oversubscribe="1")
            done = subprocess.run(["bash", EXAMPLES / "slurm_mpi.sbatch"], cwd=self.folder, env=told, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertTrue((self.folder / name / "report.html").exists())

    def test_a_killed_process_costs_the_case_that_it_was_at(self):
        many = ["--backend", "host", "--op", "gemm", "--dtype", "f32.f32.f32", "--no-config"]
        job = subprocess.Popen(self.mpirun(4, "run", *many, "--distribute", "mpi", "--out", "spread", "--quiet"), cwd=self.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        victim = None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and job.poll() is None:
            ranks = {self.rank_of(child): child for child in self.children_of(job.pid)}
            if 2 in ranks and self.seconds_of(ranks[2]) > PATIENCE / 170:  # has begun, however slow the program is
                victim = ranks[2]
                break
            time.sleep(0.05)
        self.assertIsNotNone(victim, "no process 2 was found")
        os.kill(victim, signal.SIGKILL)
        output, errors = job.communicate(timeout=PATIENCE)
        spread = self.report("spread")
        self.assertEqual(len(spread["outcomes"]), spread["planned_cases"], output + errors)
        lost = [o for o in spread["outcomes"] if o["verdict"] == "error"]
        self.assertLessEqual(len(lost), 1)
        for outcome in lost:
            self.assertIn("process 2 on", outcome["reason"])
        self.assertIn("3 processes, of which 1 were lost", spread["environment"]["devices"])

    @staticmethod
    def children_of(process):
        return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]

    @staticmethod
    def rank_of(process):
        try:
            variables = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
        except OSError:
            return None
        return next((int(entry.split(b"=")[1]) for entry in variables if entry.startswith(b"OMPI_COMM_WORLD_RANK=")), None)

    @staticmethod
    def seconds_of(process):
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main(verbosity=2)
