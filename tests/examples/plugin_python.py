"""examples/plugin_python: functions of NumPy pass, mistaken ones fail and say why, exceptions are errors of their cases, and its structures are those of plugin.h.

  python3 plugin_python.py LIBRARY SCRIPT [unittest options]

LIBRARY is libassay_host. Exit status 77, which ctest calls skipped, where numpy is not installed; PyTorch is tried where it is.
"""

import ctypes
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

if not importlib.util.find_spec("numpy"):
    print("skipped: numpy is not installed (Debian and Ubuntu: apt-get install python3-numpy)")
    sys.exit(77)

LIBRARY, SCRIPT = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
HEADERS = SCRIPT.parents[2] / "include"


def module():
    specification = importlib.util.spec_from_file_location("validate", SCRIPT)
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded


class PluginInPython(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def outcomes(self, name, *arguments, code):
        done = subprocess.run([sys.executable, "-B", SCRIPT, LIBRARY, name, "run", "--no-config", "--out", "report", *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)
        self.said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, self.said)
        return json.loads((self.folder / "report" / "report.json").read_text())["outcomes"]

    def verdicts(self, outcomes):
        found = {}
        for outcome in outcomes:
            operation, _, formats = outcome["id"].split("/")[:3]
            found.setdefault((operation, formats), set()).add(outcome["verdict"])
        return found

    def test_numpy_passes(self):
        gemm = "gemm/*/m31-n37-k41-*,gemm/*/m65-n66-k67-*,gemm/*/m48-n40-k300-*,gemm/*/m0-*,gemm/*/m8-n8-k0-*"
        outcomes = self.outcomes("numpy", "--dtype", "f32,f64", "--only", f"softmax/*,layernorm/*,sqrt/*,{gemm}", code=0)
        found = self.verdicts(outcomes)
        for offered in (("gemm", "f32.f32.f32"), ("gemm", "f64.f64.f64"), ("softmax", "f32.f32"), ("layernorm", "f32.f32.f32"), ("sqrt", "f32.f32")):
            self.assertIn("pass", found[offered], offered)
        for each, verdicts in found.items():
            self.assertLessEqual(verdicts, {"pass", "unsupported", "inconclusive"}, each)

    def test_mistakes_fail_and_say_why(self):
        cases = ["softmax/*/4x128x1/canceling", "layernorm/*/7x31/normal", "gemm/*/m31-n37-k41-nn-row/normal", "exp/*/31/normal", "sqrt/*/31/normal"]
        outcomes = {each["id"]: each for each in self.outcomes("mistaken", "--dtype", "f32", "--only", ",".join(cases), code=1)}

        def told(case, verdict, text):
            outcome = outcomes[case]
            self.assertEqual(outcome["verdict"], verdict, case)
            self.assertRegex("\n".join([outcome["reason"], *outcome.get("diagnosis", [])]), re.compile(text, re.DOTALL), case)

        told("softmax/mistaken/f32.f32/4x128x1/canceling", "fail", "NaN|maximum|overflow")  # around 200
        told("layernorm/mistaken/f32.f32.f32/7x31/normal", "fail", "lie outside")
        told("gemm/mistaken/f32.f32.f32/m31-n37-k41-nn-row/normal", "fail", "lie outside")
        told("exp/mistaken/f32.f32/31/normal", "error", r"ValueError: cannot reshape array of size 31 into shape \(7,.*\(line \d+ of validate\.py, in exponential\)")
        told("sqrt/mistaken/f32.f32/31/normal", "fail", "NaN|not written")

    def test_torch_passes(self):
        if not importlib.util.find_spec("torch"):
            self.skipTest("torch is not installed")
        found = self.verdicts(self.outcomes("torch", "--only", "softmax/*/f32.f32/*,softmax/*/bf16.bf16/4x128x1/*,gemm/*/bf16.f32.bf16/m31-n37-k41-*/normal*", code=0))
        for offered in (("gemm", "bf16.f32.bf16"), ("softmax", "bf16.bf16"), ("softmax", "f32.f32")):
            self.assertIn("pass", found[offered], offered)

    def test_ctrl_c_ends_runs(self):
        script = f"""
import importlib.util, os, signal
specification = importlib.util.spec_from_file_location("validate", {str(SCRIPT)!r})
validate = importlib.util.module_from_spec(specification)
specification.loader.exec_module(validate)
for arguments in (["run", "--no-config", "--no-diagnosis", "--op", "softmax", "--dtype", "f32"], ["minimize", "softmax/slow/f32.f32/4x128x1/normal", "--out", "case.json"]):
    plugin, calls = validate.Plugin("slow", "1", lambda tensor, launch: tensor), []

    @plugin.kernel("softmax", formats=["f32.f32"])
    def softmax(request, *tensors):
        calls.append(request.name)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):  # Python heeds signals between its instructions
                pass

    try:
        plugin.validate({str(LIBRARY)!r}, arguments)
        print("not interrupted", len(calls))
    except KeyboardInterrupt:
        print("interrupted", len(calls))
"""
        done = subprocess.run([sys.executable, "-B", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=300)
        said = [line for line in done.stdout.splitlines() if "interrupted " in line]
        self.assertEqual((done.returncode, said), (0, ["interrupted 2", "interrupted 2"]), done.stdout + done.stderr)

    def test_promises_reach_the_tool(self):
        validate = module()
        plugin = validate.Plugin("known", "1", lambda tensor, launch: tensor)
        plugin.kernel("gemm", promises="flush_products=bf16")(lambda request, *tensors: None)
        library = str(LIBRARY)
        self.assertEqual(plugin.validate(library, ["explain", "gemm/known/bf16.f32.bf16/m31-n37-k41-nn-row/normal", "--no-config"]), 0)
        wrong = validate.Plugin("wrong", "1", lambda tensor, launch: tensor)
        wrong.kernel("gemm", promises="flush_subnormals,keep_subnormals")(lambda request, *tensors: None)
        self.assertEqual(wrong.validate(library, ["list", "cases", "--no-config"]), 2)

    def test_cases_are_listed_and_calls_checked(self):
        command = [sys.executable, "-B", SCRIPT]
        listed = subprocess.run([*command, LIBRARY, "numpy", "list", "cases", "--no-config"], capture_output=True, text=True, timeout=120)
        self.assertIn("softmax/numpy/f32.f32/4x128x1/normal\n", listed.stdout, listed.stderr)
        for wrong in ([], [LIBRARY], [LIBRARY, "pandas"]):
            done = subprocess.run([*command, *wrong], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, "validate.py LIBRARY" in done.stderr), (1, True), wrong)
        self.assertEqual(subprocess.run([*command, LIBRARY, "numpy", "run", "--nonsense"], capture_output=True, timeout=60).returncode, 2)

    def test_structures_are_those_of_the_header(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler cc")
        validate = module()
        names = {"assay_plugin_array": validate.Array, "assay_plugin_tensor": validate.Tensor, "assay_plugin_attribute": validate.Attribute,
                 "assay_plugin_problem": validate.Problem, "assay_plugin_launch": validate.Launch, "assay_plugin_kernel": validate.Kernel,
                 "assay_plugin": validate.Description}
        merged = {"device_type": "device.device_type", "device_id": "device.device_id", "code": "dtype.code", "bits": "dtype.bits", "lanes": "dtype.lanes"}
        lines, expected = [], []
        for name, structure in names.items():
            lines.append(f'printf("%zu\\n", sizeof({name}));')
            expected.append(ctypes.sizeof(structure))
            for field, *_ in structure._fields_:
                member = merged.get(field, field) if structure is validate.Array else field
                lines.append(f'printf("%zu\\n", offsetof({name}, {member}));')
                expected.append(getattr(structure, field).offset)
        source = self.folder / "layout.c"
        source.write_text('#include <stddef.h>\n#include <stdio.h>\n#include "assay/plugin/plugin.h"\nint main(void) {\n' + "\n".join(lines) + "\nreturn 0; }\n")
        subprocess.run([compiler, f"-I{HEADERS}", source, "-o", self.folder / "layout"], check=True)
        printed = subprocess.run([self.folder / "layout"], capture_output=True, text=True, check=True).stdout
        self.assertEqual([int(number) for number in printed.split()], expected)


if __name__ == "__main__":
    unittest.main()
