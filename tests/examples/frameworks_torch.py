"""assay frameworks torch: what the package's program says becomes the tool's outcomes, and what is not there, refuses, hangs or crashes is told.

  python3 frameworks_torch.py ASSAY [ENVIRONMENT SITE] [unittest options]

A scripted package stands for examples/python. With a virtual ENVIRONMENT that has PyTorch, and the folder SITE in which the package is installed, both are
tried, too.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
ENVIRONMENT, SITE = [Path(sys.argv.pop(1)).resolve() for _ in range(2)] if len(sys.argv) > 2 and os.path.isdir(sys.argv[1]) else (None, None)

# What a user's Python finds as assay.torch_operators: it writes the outcomes that the operator's name asks for.
SCRIPT = r"""
import argparse, json, os, signal, sys, time

def main(words):
    parser = argparse.ArgumentParser()
    for name in ("device", "op", "dtype", "samples", "timeout", "out"):
        parser.add_argument("--" + name)
    parser.add_argument("--gradients", action="store_true")
    given = parser.parse_args(words)
    if "lgama" in given.op:
        raise SystemExit("assay.torch_operators: no operator matches 'lgama'; nearest: lgamma")
    if "hangs" in given.op:
        time.sleep(600)
    if "crashes" in given.op:
        os.kill(os.getpid(), signal.SIGSEGV)
    outcomes = []
    for operator in given.op.split(","):
        for dtype in given.dtype.split(","):
            for direction in ["forward", "gradient"] if given.gradients else ["forward"]:
                verdict = operator if operator in ("fail", "unsupported", "inconclusive") else "pass"
                outcomes.append({"id": f"{operator}/torch.{given.device}/{dtype}/samples/{direction}", "verdict": verdict, "reason": "" if verdict == "pass" else "scripted",
                    "labels": {"operation": operator, "backend": "torch." + given.device, "formats": dtype, "shape": "samples", "data": direction, "bound": "estimated"},
                    "seed": "0", "duration_seconds": 0.5, "reproduce": "", "derivation": [], "measurements": [{"name": "worst_error_ratio", "value": 0.25, "unit": "1"},
                    {"name": "samples", "value": float(given.samples), "unit": "1"}]})
    run = {"schema": "assay-run/1", "title": "operators", "command": "", "seed": "0", "planned_cases": len(outcomes), "duration_seconds": 1.0, "outcomes": outcomes,
           "rules": {"tolerance": "scripted"}, "environment": {"assay_version": "0.1.0", "host_name": "", "operating_system": "", "processor": "", "logical_processors": 1,
           "instruction_sets": "", "memory_bytes": 1.0, "compiler": "", "compiler_flags": "", "started_at": "2026-01-01T00:00:00Z", "devices": [], "libraries": []}}
    with open(os.path.join(given.out, "report.json"), "w") as file:
        file.write("damaged" if "damaged" in given.op else json.dumps(run))
    return 0
"""


class Scripted(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "site" / "assay").mkdir(parents=True)
        (self.folder / "site" / "assay" / "__init__.py").write_text("")
        (self.folder / "site" / "assay" / "torch_operators.py").write_text(SCRIPT)
        for module in ("torch", "expecttest"):
            (self.folder / "site" / f"{module}.py").write_text("")
        self.python, self.site = sys.executable, str(self.folder / "site")

    def run_tool(self, *words, code):
        done = subprocess.run([ASSAY, "frameworks", "torch", *words], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "ASSAY_PYTHON": self.python, "PYTHONPATH": self.site, "PYTHONDONTWRITEBYTECODE": "1",
                                   "TMPDIR": str(self.folder)})
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertEqual(list(self.folder.glob("assay-torch-*")), [])  # nothing is left behind
        return said

    def test_outcomes_become_those_of_the_tool(self):
        said = self.run_tool("--op", "exp,linalg.*", "--dtype", "f32,bf16", "--gradients", "--samples", "3", "--device", "cpu", "--table", "torch.tsv", "--report", "torch.json", code=0)
        self.assertIn("8 cases in", said)
        self.assertIn("8 pass", said)
        run = json.loads((self.folder / "torch.json").read_text())
        self.assertEqual([each["verdict"] for each in run["outcomes"]], ["pass"] * 8)
        self.assertEqual(run["outcomes"][0]["id"], "exp/torch.cpu/f32/samples/forward")
        self.assertIn(3.0, [each["value"] for each in run["outcomes"][0]["measurements"]])
        lines = (self.folder / "torch.tsv").read_text().splitlines()
        self.assertEqual(lines[0], "pass\texp/torch.cpu/f32/samples/forward\testimated\t0.250\t")
        self.assertEqual(len(lines), 8)
        gate = subprocess.run([ASSAY, "report", "torch.json", "--out", "page"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(gate.returncode, 0, gate.stdout + gate.stderr)

    def test_what_fails_and_what_nobody_judged(self):
        said = self.run_tool("--op", "exp,fail", code=1)
        self.assertIn("fail  fail/torch.cpu/f32/samples/forward", said)
        self.assertIn("scripted", said)
        self.run_tool("--op", "unsupported,inconclusive", code=2)

    def test_what_is_not_there_is_unsupported_with_the_package_to_install(self):
        (self.folder / "site" / "torch.py").unlink()
        (self.folder / "site" / "expecttest.py").unlink()
        isolated = self.folder / "python3"  # the machine's own packages are not seen
        isolated.write_text(f"#!/bin/sh\nexec {sys.executable} -S \"$@\"\n")
        isolated.chmod(0o755)
        self.python = str(isolated)
        said = self.run_tool("--op", "exp", "--report", "none.json", code=2)
        self.assertIn("pip install torch expecttest", said)
        [outcome] = json.loads((self.folder / "none.json").read_text())["outcomes"]
        self.assertEqual(outcome["verdict"], "unsupported")
        self.python = str(self.folder / "no-python")
        said = self.run_tool("--op", "exp", code=2)
        self.assertIn("cannot execute", said)
        self.assertIn("ASSAY_PYTHON", said)

    def test_wrong_questions_are_refused(self):
        self.assertIn("no operator matches 'lgama'; nearest: lgamma", self.run_tool("--op", "lgama", code=2))
        self.assertIn("--provider is for", self.run_tool("--provider", "cpu", code=2))
        done = subprocess.run([ASSAY, "frameworks", "onnx", "--op", "exp"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("--op is for torch", done.stdout + done.stderr)

    def test_what_hangs_crashes_or_is_damaged(self):
        said = self.run_tool("--op", "hangs", "--deadline", "2", code=1)
        self.assertIn("the operators took longer than 2 s", said)
        self.assertIn("Python ended: signal 11", self.run_tool("--op", "crashes", code=1))
        self.run_tool("--op", "damaged", code=2)


@unittest.skipUnless(ENVIRONMENT, "no environment with PyTorch is given")
class Real(Scripted):
    def setUp(self):
        super().setUp()
        self.python, self.site = str(ENVIRONMENT / "bin" / "python3"), str(SITE)

    def test_operators_of_pytorch(self):
        said = self.run_tool("--op", "lgamma,softmax,exp,empty", "--dtype", "f32", "--gradients", "--report", "torch.json", code=0)
        outcomes = json.loads((self.folder / "torch.json").read_text())["outcomes"]
        verdicts = {each["id"].split("/")[0]: each["verdict"] for each in outcomes if each["id"].endswith("forward")}
        self.assertEqual({name: verdicts[name] for name in ("lgamma", "softmax", "exp", "empty")},
                         {"lgamma": "pass", "softmax": "pass", "exp": "pass", "empty": "unsupported"}, said)

    def test_wrong_questions(self):
        self.assertIn("nearest: lgamma", self.run_tool("--op", "lgama", code=2))
        self.assertIn("cannot be had", self.run_tool("--op", "exp", "--device", "cuda:77", code=2))

    # Those of the scripted package are tried above.
    test_outcomes_become_those_of_the_tool = test_what_fails_and_what_nobody_judged = None
    test_what_is_not_there_is_unsupported_with_the_package_to_install = test_wrong_questions_are_refused = test_what_hangs_crashes_or_is_damaged = None


if __name__ == "__main__":
    unittest.main()
