"""Runs assay gate as release managers and build servers do, on results made here.

  python3 gate.py ASSAY [unittest options]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())

ENVIRONMENT = {"assay_version": "0", "host_name": "lab1", "operating_system": "os", "processor": "cpu", "logical_processors": 1, "instruction_sets": "", "memory_bytes": 1,
               "compiler": "", "compiler_flags": "", "started_at": "2026-01-02T03:04:05Z", "devices": [], "libraries": []}


def outcome(name, verdict="pass", labels=None, **measurements):
    return {"id": name, "verdict": verdict, "reason": "" if verdict == "pass" else "the reason", "labels": labels or {}, "seed": "1", "duration_seconds": 0.1, "reproduce": f"assay run --only {name}",
            "measurements": [{"name": key, "value": value, "unit": "1"} for key, value in measurements.items()]}


def run_of(*outcomes, planned=None):
    return {"schema": "assay-run/1", "title": "nightly", "command": "assay run", "seed": "1", "planned_cases": len(outcomes) if planned is None else planned, "duration_seconds": 1,
            "environment": ENVIRONMENT, "outcomes": list(outcomes)}


def policy_of(*gates, **more):
    return {"schema": "assay-policy/1", "title": "driver 550", "gates": list(gates), **more}


KERNELS = {"name": "kernels", "level": "hard", "select": {"ids": ["gemm/*"]}, "require": "no fail", "remedy": "run it alone"}
MODELS = {"name": "models", "level": "hard", "require": "each(perplexity) within 12.3 +- 0.5"}
SPEED = {"name": "speed", "level": "soft", "require": "max(regression) <= 3"}
WAIVER = {"ids": ["gemm/2"], "owner": "ada", "reason": "ticket 7", "expires": "2026-03-31"}


class Gate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    def gate(self, *arguments, code, says=""):
        done = subprocess.run([ASSAY, "gate", *arguments, "--no-config"], cwd=self.folder, timeout=60, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return done.stdout

    def judge(self, policy, *runs, code, says="", more=()):
        self.write("policy.json", policy)
        names = [self.write(f"run{i}.json", run) for i, run in enumerate(runs)]
        return self.gate(*names, "--policy", "policy.json", "--today", "2026-01-31", *more, code=code, says=says)

    def test_approved_blocked_and_cannot_tell(self):
        good = run_of(outcome("gemm/1"), outcome("model/a", perplexity=12.8), outcome("bench/a", regression=2))
        self.judge(policy_of(KERNELS, MODELS, SPEED), good, code=0, says="APPROVED  driver 550: all 2 hard gates are kept.*3 gates passed: kernels, models, speed")
        self.judge(policy_of(KERNELS, MODELS), good, run_of(outcome("gemm/2", "fail")), code=1,
                   says=r"BLOCKED.*1 of 2 hard gates is violated.*✗ kernels: 1 of 2 is bad\n    gemm/2: the reason  \[run1.json\]\n    to do: run it alone")
        self.judge(policy_of(KERNELS, MODELS), run_of(outcome("gemm/1")), code=2, says="CANNOT TELL.*models cannot tell: saw no results")
        self.judge(policy_of(KERNELS), run_of(outcome("gemm/1"), planned=3), code=2, says="cut short: 2 of 3")
        self.judge(policy_of(KERNELS, MODELS), run_of(outcome("gemm/1"), outcome("m", perplexity="nan")), code=1, says="perplexity = NaN")
        self.gate("--policy", "policy.json", code=2, says="CANNOT TELL.*there are no results")

    def test_a_rate_at_its_boundary_holds(self):
        run = run_of(*(outcome(f"gemm/{i}", "fail" if i == 0 else "pass") for i in range(1000)))
        gate = {"name": "kernels", "level": "hard", "require": "pass_rate >= 99.9 %"}
        self.judge(policy_of(gate), run, code=0, says="APPROVED")
        self.judge(policy_of({**gate, "require": "pass_rate > 99.9 %"}), run, code=1, says="BLOCKED")

    def test_what_was_there_before_and_is_not_now_is_undecided(self):
        self.write("before.json", run_of(outcome("gemm/1", labels={"rank": "0"}), outcome("gemm/2", labels={"rank": "1"})))
        policy = policy_of(KERNELS)
        self.judge(policy, run_of(outcome("gemm/1", labels={"rank": "0"})), code=2, says=r"CANNOT TELL.*2 things that were there before are absent.*case 'gemm/2'.*rank '1'", more=("--previous", "before.json"))
        self.judge(policy, run_of(outcome("gemm/1", labels={"rank": "0"}), outcome("gemm/2", labels={"rank": "1"})), code=0, says="APPROVED", more=("--previous", "before.json"))

    def test_results_of_other_tools_are_outcomes(self):
        self.write("r/pytest.xml", '<testsuites><testsuite name="gemm" tests="2"><testcase classname="t" name="a"/><testcase classname="t" name="b"><failure message="assert 1 == 2"/></testcase></testsuite></testsuites>')
        self.write("policy.json", policy_of(KERNELS))
        self.gate("r", "--policy", "policy.json", code=1, says=r"BLOCKED.*gemm/t/b: assert 1 == 2")
        self.write("r/pytest.xml", '<testsuite name="gemm" tests="3"><testcase classname="t" name="a"/></testsuite>')
        self.gate("r", "--policy", "policy.json", code=2, says="cut short: 2 of 3")

    def test_soft_gates_warn(self):
        self.judge(policy_of(KERNELS, SPEED), run_of(outcome("gemm/1"), outcome("bench/a", regression=9.5)), code=0, says=r"APPROVED.*! speed \(warns\): 1 of 1 break it, worst regression = 9.5")

    def test_a_waiver_lets_one_through_until_it_expires(self):
        run = run_of(outcome("gemm/1"), outcome("gemm/2", "fail"))
        policy = policy_of(KERNELS, waivers=[WAIVER])
        self.judge(policy, run, code=0, says="APPROVED.*~ kernels: 1 right, 1 waived")
        self.gate("run0.json", "--policy", "policy.json", "--today", "2026-03-31", code=0, says="ends on 2026-03-31, in 0 days")
        self.gate("run0.json", "--policy", "policy.json", "--today", "2026-04-01", code=1, says="BLOCKED.*expired on 2026-03-31 and is void; it would have let 1 through")
        self.judge(policy_of(KERNELS), run, code=0, more=["--waivers", self.write("waivers.json", {"schema": "assay-policy/1", "waivers": [WAIVER]})])
        self.judge(policy_of(KERNELS), run, code=2, more=["--waivers", self.write("gates.json", policy_of(KERNELS))], says="--waivers takes waivers")
        self.judge(policy_of(KERNELS, waivers=[{**WAIVER, "ids": ["gemm/9"]}]), run, code=1, says="matches nothing that is wrong")

    def test_the_quarantine_takes_flaky_tests_only(self):
        policy = policy_of(KERNELS, quarantine=[{"ids": ["gemm/2"], "owner": "bob", "reason": "ticket 8", "expires": "2026-12-31"}])
        self.judge(policy, run_of(outcome("gemm/1"), outcome("gemm/2", "fail", attempts=4, failure_rate=0.25)), code=0, says="1 flaky in quarantine")
        self.judge(policy, run_of(outcome("gemm/1"), outcome("gemm/2", "fail", attempts=4, failure_rate=1)), code=1, says="quarantine refused: gemm/2: it failed in all of 4 attempts")
        self.judge(policy, run_of(outcome("gemm/1"), outcome("gemm/2", "fail")), code=1, says="--retries")

    def test_every_form_of_report(self):
        run = run_of(outcome("gemm/1"), outcome("gemm/2", "fail"), outcome("gemm/<3>", "fail"), outcome("bench/a", regression=9.5))
        self.judge(policy_of(KERNELS, SPEED, waivers=[WAIVER]), run, code=1, more=["--out", "out"], says="report: out/report.sarif")
        report = json.loads((self.folder / "out/report.json").read_text())
        self.assertEqual([(entry["id"], entry["verdict"]) for entry in report["outcomes"]], [("gate", "fail"), ("gate/kernels", "fail"), ("gate/speed", "inconclusive")])
        suites = xml.etree.ElementTree.parse(self.folder / "out/report.junit.xml").getroot()
        self.assertEqual(sum(int(suite.get("failures")) for suite in suites), 2)
        sarif = json.loads((self.folder / "out/report.sarif").read_text())["runs"][0]
        suppressed = [result for result in sarif["results"] if "suppressions" in result]
        self.assertEqual([result["suppressions"][0]["properties"]["expires"] for result in suppressed], ["2026-03-31"])
        self.assertEqual(sarif["invocations"][0]["exitCode"], 1)
        notes = (self.folder / "out/report.md").read_text()
        self.assertIn("## Release gate: blocked", notes)
        self.assertIn("ada, until 2026-03-31", notes)
        self.assertNotIn("<3>", notes)
        page = (self.folder / "out/report.html").read_text()
        self.assertTrue("run it alone" in page)
        self.assertIn("Blocked", page)
        self.assertIn("gemm/&lt;3&gt;", page)
        self.judge(policy_of(KERNELS), run_of(outcome("gemm/1")), code=0, more=["--out", "few", "--format", "markdown,junit"])
        self.assertEqual(sorted(path.name for path in (self.folder / "few").iterdir()), ["report.junit.xml", "report.md"])

    def test_a_folder_of_results_with_the_axes_of_their_combinations(self):
        for driver in ("550", "580"):
            self.write(f"results/c-{driver}/combination.json", {"schema": "assay-combination/1", "combination": {"driver": driver}})
            self.write(f"results/c-{driver}/report.json", run_of(outcome("gemm/1")))
        for wanted, code in ((["550", "580"], 0), (["550", "580", "590"], 2)):
            self.write("policy.json", policy_of({**KERNELS, "cover": {"driver": wanted}}))
            self.gate("results", "--policy", "policy.json", code=code, says="" if code == 0 else "saw nothing of driver=590")
        self.write("results/c-600/combination.json", {"schema": "assay-combination/1", "combination": {"driver": "600"}})
        self.write("policy.json", policy_of(KERNELS))
        self.gate("results", "--policy", "policy.json", code=2, says="1 combination was not run: driver=600")

    def test_the_default_policy(self):
        text = self.gate("--print-default-policy", code=0)
        self.write("default.json", text)
        self.write("run.json", run_of(outcome("gemm/1", labels={"operation": "gemm", "backend": "x", "formats": "f32"})))
        printed = self.gate("run.json", "--policy", "default.json", code=2, says="CANNOT TELL.*hardware/health cannot tell")
        self.assertEqual(self.gate("run.json", code=2), printed)
        self.assertLessEqual(len(printed.splitlines()), 40)

    def test_what_is_wrong_with_the_input_is_said(self):
        run = run_of(outcome("gemm/1"))
        self.judge({**policy_of(KERNELS), "waiver": []}, run, code=2, says="policy.json.*unknown member 'waiver'; nearest: waivers")
        self.judge(policy_of({**KERNELS, "minimun": 3}), run, code=2, says="/gates/0.*nearest: minimum")
        self.judge(policy_of({**KERNELS, "require": "nofail"}), run, code=2, says="/gates/0/require")
        self.judge(policy_of({**KERNELS, "level": "soft"}), run, code=2, says="no hard gate")
        self.judge(policy_of(KERNELS), run, code=2, more=["absent.json"], says="absent.json.*no such file")
        self.gate("run0.json", "--today", "2026-02-30", code=2, says="--today.*calendar")
        self.judge(policy_of(KERNELS), run, code=2, more=["--out", "o", "--format", "htm"], says="unknown format 'htm'; nearest: html")
        self.judge(policy_of(KERNELS), run, code=2, more=["--format", "html"], says="--out is missing")
        self.write("torn.json", '{"schema": "assay-run/1"')
        self.judge(policy_of(KERNELS), run, code=2, more=["torn.json"], says="torn.json")


if __name__ == "__main__":
    unittest.main()
