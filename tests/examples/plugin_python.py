"""examples/plugin_python by `assay run --python MODULE`: right functions of NumPy pass, mistaken ones are caught and named, and what Python does costs a case.

  python3 plugin_python.py PROGRAM FOLDER ENVIRONMENT [unittest options]

FOLDER is examples/plugin_python. Python is that of the virtual ENVIRONMENT where it is there, and else the one that runs this. Ends with 77, and the reason,
where it has no NumPy. PyTorch is tried where it is.
"""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

PROGRAM, FOLDER, ENVIRONMENT = (Path(sys.argv.pop(1)).absolute() for _ in range(3))
PYTHON = str(ENVIRONMENT / "bin" / "python3") if (ENVIRONMENT / "bin" / "python3").exists() else sys.executable


def has(package):
    return subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True).returncode == 0


class Modules(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_tool(self, *arguments, code=None, command="run", changes={}):
        """Outcomes of a run by id; what it said is kept."""
        out = ["--out", "report"] if command == "run" else []
        done = subprocess.run([PROGRAM, command, "--no-config", *out, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=900,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "ASSAY_PYTHON": PYTHON, "PYTHONDONTWRITEBYTECODE": "1", **changes})
        self.said = done.stdout + done.stderr
        if code is not None:
            self.assertEqual(done.returncode, code, self.said[-4000:])
        report = self.folder / "report" / "report.json"
        return {each["id"]: each for each in json.loads(report.read_text())["outcomes"]} if report.exists() else {}

    def module(self, text, name="mine.py"):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("import numpy\n" + textwrap.dedent(text))
        return str(path)

    def test_right_kernels_pass(self):
        outcomes = self.run_tool("--python", str(FOLDER / "numpy_kernels.py"), "--no-diagnosis", "--only",
                                 "gemm/*/m31-n37-k41-*,gemm/*/m0-*,gemm/*/m8-n8-k0-*,softmax/*,layernorm/*,reduce_*,exp/*/31/*,sqrt/*,cos/*/*/31/*", code=0)
        passed, seen = {}, {}
        for id, outcome in outcomes.items():
            operation, backend, formats = id.split("/")[:3]
            self.assertEqual(backend, "numpy")
            seen.setdefault(operation, set()).add(outcome["verdict"])
            passed.setdefault((operation, formats), []).append(outcome["verdict"] == "pass")
        self.assertEqual(set(seen), {"gemm", "softmax", "layernorm", "reduce_sum", "reduce_mean", "reduce_product", "reduce_prefix_sum", "exp", "sqrt", "cos"})
        for offered in (("gemm", "f32.f32.f32"), ("gemm", "f64.f64.f64"), ("softmax", "f32.f32"), ("layernorm", "f32.f32.f32"), ("sqrt", "f16.f16"), ("reduce_sum", "f32.f32")):
            self.assertTrue(any(passed[offered]), offered)
        reasons = {outcome["reason"] for outcome in outcomes.values() if outcome["verdict"] == "unsupported"}
        self.assertTrue(any("does not take mask" in reason for reason in reasons), reasons)
        self.assertTrue(any("numpy.cumsum is inclusive" in reason for reason in reasons), reasons)

    def test_mistaken_kernels_are_caught(self):
        caught = {"softmax": "softmax/*/*/canceling", "layernorm": "layernorm/*/*/7x31/normal", "gemm": "gemm/*/m31-n37-k41-nn-row/normal", "relu": "relu/*/f32.f32/*",
                  "tanh": "tanh/*/31/normal", "reduce_mean": "reduce_mean/*/*/normal", "reduce_prefix_sum": "reduce_prefix_sum/*/*/normal", "add": "add/*/2x3x5x7/normal",
                  "multiply": "multiply/*/2x3x5x7/normal", "silu": "silu/*/31/*"}
        outcomes = self.run_tool("--python", str(FOLDER / "mistaken_kernels.py"), "--no-diagnosis", "--dtype", "f32", "--only", ",".join(caught.values()), code=1)
        for operation in caught:
            with self.subTest(operation):
                verdicts = {outcome["verdict"] for id, outcome in outcomes.items() if id.startswith(operation + "/")}
                self.assertIn("fail", verdicts, self.said[-3000:])
                self.assertNotIn("error", verdicts)
        guarded = [outcome["reason"] for id, outcome in outcomes.items() if id.startswith("multiply/") and outcome["verdict"] == "fail"]
        self.assertRegex(guarded[0], "outside|beside|written|changed")

    def test_what_python_does_costs_a_case(self):
        wanted = {"exp": r"ValueError: cannot reshape array of size 31 into shape \(7,.*\(line \d+ of mistaken_kernels\.py, in exp\)",
                  "sqrt": r"ValueError: the function returned a shape of \(30,\) where \(31,\) is asked for",
                  "log": r"TypeError: the function returned float64 where float32 is asked for",
                  "sin": "the function returned None",
                  "cos": r"Python ended: signal 6.*in line \d+ of mistaken_kernels\.py, cos",
                  "erf": r"Python ended: signal 11.*in line \d+ of",
                  "softplus": r"Python ended: exit code 0",
                  "gelu": r"SystemExit: 3 \(line \d+ of mistaken_kernels\.py, in gelu\)",
                  "rsqrt": r"Python ended: signal 9"}
        only = ",".join(f"{operation}/*/31/normal" for operation in [*wanted, "sigmoid"]) + ",cos/*/257/normal,cos/*/192/normal"
        outcomes = self.run_tool("--python", str(FOLDER / "mistaken_kernels.py"), "--no-diagnosis", "--dtype", "f32.f32", "--only", only, "--timeout", "20", code=1)
        for operation, reason in wanted.items():
            with self.subTest(operation):
                [outcome] = [outcome for id, outcome in outcomes.items() if id == f"{operation}/mistaken/f32.f32/31/normal"]
                self.assertEqual(outcome["verdict"], "error")
                self.assertRegex(outcome["reason"], reason)
        hanging = outcomes["sigmoid/mistaken/f32.f32/31/normal"]
        self.assertEqual(hanging["verdict"], "error")
        self.assertIn("20 s", hanging["reason"])
        others = {id: outcome["verdict"] for id, outcome in outcomes.items() if id.startswith("cos/") and "/31/" not in id}
        self.assertTrue(others and set(others.values()) == {"pass"}, others)

    def test_a_reason_to_refuse_and_what_is_stated(self):
        path = self.module("""
            name, version = "stated", "7"
            def halves(x, axis, keepdims): return numpy.add.reduce(x.astype("f2"), axis=axis, keepdims=bool(keepdims), dtype="f2").astype("f4")
            def refuses(x): raise NotImplementedError("not today")
            kernels = {"sum": {"function": halves, "formats": ["f32.f32"], "accumulator": "f16"},
                       "exp": [{"function": numpy.exp, "formats": "f32.*"}, {"function": refuses, "formats": "f16.*"}]}
        """)
        outcomes = self.run_tool("--python", path, "--no-diagnosis", "--only", "exp/*/31/normal,reduce_sum/*/f32.f32/3x7x1/normal,reduce_sum/*/f32.f32/4x128x1/normal", code=0)
        self.assertEqual(outcomes["exp/stated/f32.f32/31/normal"]["verdict"], "pass")
        self.assertEqual((outcomes["exp/stated/f16.f16/31/normal"]["verdict"], outcomes["exp/stated/f16.f16/31/normal"]["reason"].split(": ")[-1]), ("unsupported", "not today"))
        report = json.loads((self.folder / "report" / "report.json").read_text())
        self.assertIn({"name": "stated", "version": "7"}, report["environment"]["libraries"])

    def test_a_dotted_module_in_this_process(self):
        self.module("kernels = {'exp': numpy.exp}\n", "package/__init__.py")
        outcomes = self.run_tool("--python", "package", "--no-isolate", "--only", "exp/*/f32.f32/31/normal", code=0)
        self.assertEqual([outcome["verdict"] for outcome in outcomes.values()], ["pass"])

    def test_what_makes_no_sense_is_an_error_of_the_environment(self):
        says = {"kernels = {'sofmax': numpy.exp}": "unknown operation 'sofmax'; nearest: softmax",
                "kernels = {'exp': 3}": r"kernels\['exp'\] is a int; give a function",
                "kernels = {'exp': {'function': numpy.exp, 'formts': []}}": r"kernels\['exp'\] has 'formts'; known: accumulator, contract, formats",
                "kernels = {'exp': {'function': numpy.exp, 'accumulator': 'f77'}}": "f77",
                "kernels = {'exp': {'function': numpy.exp, 'promises': 'wonders'}}": "wonders",
                "x = 1": "names no kernels; give it kernels =",
                "framework = 'theano'\nkernels = {'exp': numpy.exp}": "framework 'theano' is not known; known: numpy, torch",
                "device = 'cuda'\nkernels = {'exp': numpy.exp}": "NumPy has no device 'cuda'",
                "import nothing_of_this": r"cannot be imported: ModuleNotFoundError: .*has no package nothing_of_this: install it there, or name another interpreter by ASSAY_PYTHON",
                "1 / 0": r"cannot be imported: ZeroDivisionError: division by zero \(line 2 of mine\.py, in <module>\)",
                "def": r"cannot be imported: SyntaxError: invalid syntax",
                "import os; os.abort()": r"Python ended: signal 6.*, in line 2 of mine\.py",
                "import os; os._exit(5)": "Python ended: exit code 5",
                "import sys; sys.exit(4)": "cannot be imported: SystemExit: 4"}
        for text, reason in says.items():
            with self.subTest(text):
                self.run_tool("--python", self.module(text + "\n"), code=2)
                self.assertRegex(self.said, reason)
        self.run_tool("--python", "nowhere.py", code=2)
        self.assertIn("'nowhere.py': there is no such file", self.said)
        self.run_tool("--python", "nowhere/kernels", code=2)
        self.assertIn("neither a file that ends with .py nor the name of a module", self.said)
        self.run_tool("--python", self.module("import time\ntime.sleep(1000)\n"), "--timeout", "3", code=2)
        self.assertIn("was not imported within 3 s", self.said)
        self.run_tool("--python", self.module("kernels = {'exp': numpy.exp}\n"), code=2, changes={"ASSAY_PYTHON": "/nowhere/python3"})
        self.assertRegex(self.said, "cannot execute '/nowhere/python3'.*name its interpreter by ASSAY_PYTHON")

    def test_cases_are_listed_and_explained_as_any_others(self):
        path = self.module("kernels = {'exp': numpy.exp}\n")
        self.run_tool("--python", path, "--dtype", "f32", "--jobs", "2", "--fill", "normal", code=0)
        self.assertIn("exp/mine/f32.f32/31/normal", json.dumps(json.loads((self.folder / "report" / "report.json").read_text())))

    def test_torch(self):
        if not has("torch"):
            self.skipTest("torch is not installed")
        outcomes = self.run_tool("--python", str(FOLDER / "torch_kernels.py"), "--no-diagnosis", "--only",
                                 "softmax/*/f32.f32/4x128x1*/*,gemm/*/bf16.f32.bf16/m31-n37-k41-*/normal*,layernorm/*/f32.f32.f32/7x31/normal", code=0)
        for offered in ("gemm/torch/bf16.f32.bf16", "softmax/torch/f32.f32", "layernorm/torch/f32.f32.f32"):
            self.assertTrue(any(id.startswith(offered) and outcome["verdict"] == "pass" for id, outcome in outcomes.items()), offered)


if __name__ == "__main__":
    if not has("numpy"):
        print(f"skipped: {PYTHON} has no numpy (Debian and Ubuntu: apt-get install python3-numpy)")
        sys.exit(77)
    unittest.main()
