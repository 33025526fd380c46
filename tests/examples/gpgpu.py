"""examples/gpgpu through the `assay` tool, on OpenCL (PoCL), Vulkan (lavapipe) and WebGPU (wgpu-native): right kernels pass, wrong ones are caught, and what drivers do costs a case.

  python3 gpgpu.py PROGRAM FOLDER INTERFACE [unittest options]

FOLDER is examples/gpgpu; INTERFACE is opencl, vulkan or webgpu. Ends with 77, and the reason, where there is no device or no compiler of shaders.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, FOLDER, INTERFACE = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve(), sys.argv.pop(1)
# Of gemm those that tiles, tails, transposition, leading dimensions, batches, scalars and emptiness make special.
GEMM = [f"gemm/*/f32.f32.f32/{shape}" for shape in ("m1-n1-k1-*", "m31-n37-k41-nn-row/normal", "m64-n64-k48-b12-*", "m65-n66-k67-*/normal", "m48-n40-k300-*/normal", "m8-n8-k0-*")]
# The whole default suite takes minutes: it belongs to the stage of long tests.
PATTERNS = [] if "ASSAY_WHOLE_SUITE" in os.environ else ["--fill", "normal"]
ROWS = ["gemm/*/f32.f32.f32/m31-n37-k41-nn-row/normal"]


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


class Kernels(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_tool(self, *arguments, code=None, changes={}):
        """Outcomes of a run, and what it said."""
        done = subprocess.run([PROGRAM, "run", "--no-config", "--no-diagnosis", "--out", "report", *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=900, env={**os.environ, "LC_ALL": "C.UTF-8", **changes})
        if code is not None:
            self.assertEqual(done.returncode, code, (done.stdout + done.stderr)[-4000:])
        report = self.folder / "report" / "report.json"
        outcomes = json.loads(report.read_text())["outcomes"] if report.exists() else []
        return outcomes, done.stdout + done.stderr

    def verdicts(self, outcomes):
        return collections.Counter(outcome["verdict"] for outcome in outcomes)

    def write_kernels(self, change, name=INTERFACE):
        """A copy of the examples in a folder of that name, with their file changed."""
        folder = self.folder / name
        shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
        path = folder / f"{INTERFACE}.json"
        described = json.loads(path.read_text())
        change(described)
        path.write_text(json.dumps(described, indent=1))
        return str(path)

    def assert_all_caught(self, faults):
        """In one run, each fault a backend of its own; returns its outcomes by fault."""
        files, only = [], []
        for operation, fault, patterns in faults:
            files += [f"--{INTERFACE}", self.faulty(operation, fault)]
            only += [pattern.replace("/*/", f"/{fault}/", 1) for pattern in patterns]
        outcomes, said = self.run_tool(*files, "--only", ",".join(only), code=1)
        by_fault = {fault: [outcome for outcome in outcomes if outcome["id"].split("/")[1] == fault] for _, fault, _ in faults}
        for fault, those in by_fault.items():
            with self.subTest(fault):
                counts = self.verdicts(those)
                self.assertGreater(counts["fail"], 0, said[-2000:])
                self.assertEqual(counts["error"], 0, said[-2000:])
        return by_fault

    def assert_all_right(self, outcomes, said, reasons):
        """Nothing fails, and what is not offered is what the file says."""
        counts = self.verdicts(outcomes)
        self.assertEqual(counts["fail"] + counts["error"], 0, said[-4000:])
        passed = collections.Counter(outcome["id"].split("/")[0] for outcome in outcomes if outcome["verdict"] == "pass")
        for outcome in outcomes:
            if outcome["verdict"] == "unsupported":
                self.assertRegex(outcome["reason"], reasons)
        print(f"{INTERFACE}:", dict(counts), "passed by operation:", dict(passed), file=sys.stderr)
        return passed


class OpenCl(Kernels):
    def faulty(self, operation, fault):
        def change(described):
            described["name"] = fault
            described["kernels"] = [kernel for kernel in described["kernels"] if kernel["operation"] == operation and kernel["formats"][0] not in ("f64.f64.f64", "f16.f16")]
            for kernel in described["kernels"]:
                kernel["options"] += f" -D{fault}"
        return self.write_kernels(change, fault)

    def test_right_kernels_pass(self):
        outcomes, said = self.run_tool("--opencl", str(FOLDER / "opencl.json"), *PATTERNS, code=0)
        passed = self.assert_all_right(outcomes, said, r"requires (storage == 'dense'|4 \* keys \+ 1024 <= device.local_memory|device.fp64)")
        self.assertEqual(set(passed), {"gemm", "softmax", "layernorm", "attention", "int8_gemm"})
        self.assertGreater(min(passed.values()), 8 if PATTERNS else 40)

    def test_oclgrind(self):
        """Races that give right sums on a device are found by the simulator, and right kernels have none."""
        ids = ["softmax/opencl/f32.f32/7x31x1/normal", "layernorm/opencl/f32.f32.f32/4x128-*/normal", "gemm/opencl/f32.f32.f32/m31-n37-k41-nn-row/normal"]
        right = str(FOLDER / "opencl.json")
        outcomes, said = self.run_tool("--opencl", right, "--oclgrind", "--only", ",".join(ids))
        if "Oclgrind is not here" in said:
            self.skipTest(said.strip())
        self.assertNotEqual(outcomes, [], said[-2000:])
        if "cannot be loaded beside" in outcomes[0]["reason"]:
            self.skipTest(outcomes[0]["reason"])
        self.assertEqual(self.verdicts(outcomes)["pass"], len(outcomes), said[-2000:])
        self.assertEqual(len({outcome["id"].split("/")[0] for outcome in outcomes}), 3)
        # without the barrier that stands before the sum is read
        racing = Path(self.write_kernels(lambda described: None))
        source = racing.parent / "softmax.cl"
        source.write_text(source.read_text().replace("if (id < half_of) partial[id] += partial[id + half_of];\n  }\n  barrier(CLK_LOCAL_MEM_FENCE);\n",
                                                     "if (id < half_of) partial[id] += partial[id + half_of];\n  }\n", 1))
        self.assertNotEqual(source.read_text(), (FOLDER / "softmax.cl").read_text())
        outcomes, said = self.run_tool("--opencl", str(racing), "--oclgrind", "--only", ids[0], code=1)
        self.assertEqual(self.verdicts(outcomes), {"error": 1})
        self.assertRegex(outcomes[0]["reason"], r"Oclgrind in softmax: .*data race at local memory address .*softmax\.cl:\d+:\d+")
        _, said = self.run_tool("--oclgrind", code=2)
        self.assertIn("name them by --opencl", said)
        _, said = self.run_tool("--opencl", right, "--oclgrind", "--only", ids[0], code=2, changes={"ASSAY_OCLGRIND": "/nowhere"})
        self.assertIn("apt-get install oclgrind", said + json.dumps(outcomes))

    def test_faults_are_caught(self):
        softmax, attention = ["softmax/*/f32.f32/3x1000x1/normal", "softmax/*/f32.f32/7x31x1/*"], ["attention/*/*/b2h4k2-q7x13-d8/*", "attention/*/*/b2h4k2-q7x19-d16-causal_br/*"]
        norm, integers = ["layernorm/*/*/3x768-*", "layernorm/*/*/4x128-*"], ["int8_gemm/*/*/21x35x31-*", "int8_gemm/*/uint8.int32/12x40x768-*", "int8_gemm/*/int8.int32/16x32x64/constant"]
        found = self.assert_all_caught((
            ("gemm", "FAULT_LOST_PRODUCT", ROWS), ("gemm", "FAULT_HALF_INPUTS", ROWS), ("gemm", "FAULT_ROW_TOO_MANY", ROWS), ("gemm", "FAULT_K_TAIL", GEMM),
            ("gemm", "FAULT_IGNORES_STRIDE", ["gemm/*/f32.f32.f32/m65-n66-k67-nt-row-ld/*"]), ("gemm", "FAULT_NARROW_BATCH_OFFSET", ["gemm/*/f32.f32.f32/*-b12-*"]),
            ("softmax", "FAULT_NO_MAXIMUM", softmax), ("softmax", "FAULT_LOST_TAIL", softmax), ("layernorm", "FAULT_ONE_PASS", norm), ("layernorm", "FAULT_NO_EPSILON", norm),
            ("attention", "FAULT_HEAD_STRIDE", attention), ("attention", "FAULT_TOP_LEFT", attention),
            ("int8_gemm", "FAULT_ONE_ZERO_POINT", integers), ("int8_gemm", "FAULT_SATURATES", integers)))
        self.assertRegex(found["FAULT_ROW_TOO_MANY"][0]["reason"], "outside|beside|written")

    def test_clblast(self):
        # Its kernels take seconds each to be compiled: the whole suite is in the area's page.
        outcomes, said = self.run_tool("--backend", "clblast", "--only", ",".join([*GEMM, "gemm/*/f64.f64.f64/m31-n37-k41-nn-row/normal"]))
        if all("CLBlast is not here" in outcome["reason"] for outcome in outcomes):
            self.skipTest(outcomes[0]["reason"])
        self.assertEqual(len({outcome["id"].split("/")[2] for outcome in outcomes}), 2)
        self.assert_all_right(outcomes, said, r"CLBlast refuses these extents|has not this precision")

    def softmax_alone(self, source=None, **changes):
        def change(described):
            described["kernels"] = [kernel for kernel in described["kernels"] if kernel["operation"] == "softmax"][:1]
            described["kernels"][0].update(changes)
        path = self.write_kernels(change)
        if source is not None:
            text = (self.folder / INTERFACE / "softmax.cl").read_text()
            (self.folder / INTERFACE / "softmax.cl").write_text(text.replace("  __local float partial[GROUP];\n", "  __local float partial[GROUP];\n" + source, 1))
        return path

    def test_what_a_driver_does_costs_a_case(self):
        ids = ["softmax/opencl/f32.f32/1x1x1/normal", "softmax/opencl/f32.f32/4x128x1/normal"]
        crash = self.softmax_alone("  if (length == 1) ((volatile __global int*)16)[0] = 1;\n")
        outcomes, _ = self.run_tool("--opencl", crash, "--only", ",".join(ids), code=1)
        self.assertEqual({outcome["id"]: outcome["verdict"] for outcome in outcomes}, {ids[0]: "error", ids[1]: "pass"})
        hang = self.softmax_alone("  volatile int one = 1; while (length == 1 && one != 0) ;\n")
        outcomes, _ = self.run_tool("--opencl", hang, "--only", ",".join(ids), "--timeout", "25", code=1)
        self.assertEqual({outcome["id"]: outcome["verdict"] for outcome in outcomes}, {ids[0]: "error", ids[1]: "pass"})
        broken = self.softmax_alone(options="-DGROUP_OF_NOTHING -Dfloat=nothing")
        outcomes, _ = self.run_tool("--opencl", broken, "--only", ids[0], code=1)
        self.assertRegex(outcomes[0]["reason"], r"softmax\.cl' cannot be built with.*nothing")

    def test_without_a_loader_nothing_passes(self):
        for backend in (["--opencl", str(FOLDER / "opencl.json")], ["--backend", "clblast"]):
            outcomes, _ = self.run_tool(*backend, "--only", "gemm/*/f32.f32.f32/m1-n1-k1-*", code=2, changes={"ASSAY_OPENCL": "/nowhere/libOpenCL.so.1"})
            self.assertEqual(set(self.verdicts(outcomes)), {"unsupported"})
            self.assertIn("install ocl-icd-libopencl1", outcomes[0]["reason"])
        outcomes, _ = self.run_tool("--backend", "clblast", "--only", "gemm/*/f32.f32.f32/m1-n1-k1-*", code=2, changes={"ASSAY_CLBLAST": "/nowhere/libclblast.so.1"})
        self.assertIn("install libclblast1", outcomes[0]["reason"])
        empty = self.folder / "vendors"
        empty.mkdir()
        outcomes, _ = self.run_tool("--backend", "clblast", "--only", "gemm/*/f32.f32.f32/m1-n1-k1-*", code=2, changes={"OCL_ICD_VENDORS": str(empty)})
        self.assertIn("OpenCL has no platform here", outcomes[0]["reason"])

    def test_what_is_wrong_in_a_file(self):
        path = Path(self.write_kernels(lambda described: described["kernels"][0].update(operation="gem")))
        _, said = self.run_tool("--opencl", str(path), code=2)
        self.assertRegex(said, r"opencl\.json:\d+:\d+: unknown operation 'gem'; nearest: gemm")
        path.write_text("{\n  \"kernels\": [,]\n}\n")
        _, said = self.run_tool("--opencl", str(path), code=2)
        self.assertIn("opencl.json:2:15: no JSON", said)
        path = Path(self.softmax_alone(**{"global": ["outer * innner * 64"]}))
        outcomes, _ = self.run_tool("--opencl", str(path), "--only", "softmax/opencl/f32.f32/1x1x1/*", code=1)
        self.assertRegex(outcomes[0]["reason"], r"opencl\.json:\d+:\d+: unknown name 'innner'; nearest: inner")
        self.assertEqual(set(self.verdicts(outcomes)), {"error"})

    def test_doctor_lists_devices(self):
        said = subprocess.run([PROGRAM, "doctor", "--no-config"], capture_output=True, text=True, timeout=120).stdout
        self.assertRegex(said, r"OpenCL +device +kind")
        said = subprocess.run([PROGRAM, "doctor", "--no-config"], capture_output=True, text=True, timeout=120, env={**os.environ, "ASSAY_OPENCL": "/nowhere.so"}).stdout
        self.assertIn("OpenCL: the loader of OpenCL is not here", said)


class Vulkan(Kernels):
    def write_kernels(self, change, name=INTERFACE, definitions=()):
        path = super().write_kernels(change, name)
        for source in Path(path).parent.glob("*.comp"):
            subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.2", *definitions, str(source), "-o", str(source.with_suffix(".spv"))],
                           check=True, capture_output=True)
        return path

    def faulty(self, operation, fault):
        return self.write_kernels(lambda described: described.update(name=fault), fault, [f"-D{fault}"])

    def test_right_kernels_pass(self):
        outcomes, said = self.run_tool("--vulkan", self.write_kernels(lambda described: None), *PATTERNS, code=0)
        passed = self.assert_all_right(outcomes, said, r"requires (!logarithm|storage == 'dense')")
        self.assertEqual(set(passed), {"gemm", "softmax", "layernorm", "attention", "int8_gemm"})
        self.assertGreater(min(passed.values()), 8 if PATTERNS else 40)

    def test_faults_are_caught(self):
        norm, attention = ["layernorm/*/*/3x768-*", "layernorm/*/*/4x128-*"], ["attention/*/*/b2h4k2-q7x13-d8/*", "attention/*/*/b2h4k2-q7x19-d16-causal_br/*"]
        integers = ["int8_gemm/*/*/21x35x31-*", "int8_gemm/*/uint8.int32/12x40x768-*", "int8_gemm/*/int8.int32/16x32x64/constant"]
        self.assert_all_caught((("gemm", "FAULT_LOST_PRODUCT", ROWS), ("gemm", "FAULT_HALF_INPUTS", ROWS), ("gemm", "FAULT_ROW_TOO_MANY", ROWS),
                                ("gemm", "FAULT_IGNORES_STRIDE", ["gemm/*/f32.f32.f32/m65-n66-k67-nt-row-ld/*"]), ("softmax", "FAULT_LOST_TAIL", ["softmax/*/f32.f32/3x1000x1/normal"]),
                                ("layernorm", "FAULT_ONE_PASS", norm), ("layernorm", "FAULT_NO_EPSILON", norm),
                                ("attention", "FAULT_HEAD_STRIDE", attention), ("attention", "FAULT_TOP_LEFT", attention),
                                ("int8_gemm", "FAULT_ONE_ZERO_POINT", integers), ("int8_gemm", "FAULT_SATURATES", integers)))

    def test_what_is_not_here(self):
        path = self.write_kernels(lambda described: None)
        one = ["--only", "gemm/*/f32.f32.f32/m1-n1-k1-*"]
        outcomes, _ = self.run_tool("--vulkan", path, *one, code=2, changes={"ASSAY_VULKAN": "/nowhere/libvulkan.so.1"})
        self.assertEqual(set(self.verdicts(outcomes)), {"unsupported"})
        self.assertIn("install libvulkan1", outcomes[0]["reason"])
        outcomes, _ = self.run_tool("--vulkan", path, *one, code=2, changes={"VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"})
        self.assertIn("mesa-vulkan-drivers", outcomes[0]["reason"])
        (self.folder / INTERFACE / "gemm.spv").write_text("no SPIR-V at all, but more than twenty bytes")
        outcomes, _ = self.run_tool("--vulkan", path, *one, code=1)
        self.assertIn("is no SPIR-V", outcomes[0]["reason"])

    def test_an_exponential_of_the_driver_has_the_promise_of_vulkan(self):
        def softmax_alone(**changes):
            def change(described):
                described["kernels"] = [dict(kernel, **changes) for kernel in described["kernels"] if kernel["operation"] == "softmax"]
            return change
        only = ["--only", "softmax/*/f32.f32/*"]
        usual, said = self.run_tool("--vulkan", self.write_kernels(softmax_alone(), "usual", ["-DDRIVER_EXP"]), *PATTERNS, *only)
        promised, said = self.run_tool("--vulkan", self.write_kernels(softmax_alone(function_errors=[6, 4]), "promised", ["-DDRIVER_EXP"]), *PATTERNS, *only, code=0)
        print("the driver's exp as 8 unit roundoffs:", dict(self.verdicts(usual)), "as 6 + 4|x|:", dict(self.verdicts(promised)), file=sys.stderr)
        self.assertGreater(self.verdicts(promised)["pass"], 8)
        caught = self.write_kernels(softmax_alone(function_errors=[6, 4]), "caught", ["-DDRIVER_EXP", "-DFAULT_LOST_TAIL"])
        outcomes, _ = self.run_tool("--vulkan", caught, "--only", "softmax/*/f32.f32/3x1000x1/normal", code=1)
        self.assertGreater(self.verdicts(outcomes)["fail"], 0)


class WebGpu(Kernels):
    def faulty(self, operation, fault):
        path = Path(self.write_kernels(lambda described: described.update(name=fault, kernels=[kernel for kernel in described["kernels"] if kernel["operation"] == operation]), fault))
        source = path.parent / f"{operation}.wgsl"
        text = source.read_text()
        self.assertIn(f"const {fault} = false;", text)
        source.write_text(text.replace(f"const {fault} = false;", f"const {fault} = true;"))
        return str(path)

    def test_right_kernels_pass(self):
        outcomes, said = self.run_tool("--webgpu", str(FOLDER / "webgpu.json"), *PATTERNS, code=0)
        passed = self.assert_all_right(outcomes, said, r"requires !logarithm|overlap, and WebGPU lets no kernel")
        self.assertEqual(set(passed), {"gemm", "softmax", "layernorm"})
        self.assertGreater(min(passed.values()), 8 if PATTERNS else 40)

    def test_faults_are_caught(self):
        norm, softmax = ["layernorm/*/*/3x768-*", "layernorm/*/*/4x128-*"], ["softmax/*/f32.f32/3x1000x1/normal", "softmax/*/f32.f32/7x31x1/*"]
        found = self.assert_all_caught((("gemm", "fault_lost_product", ROWS), ("gemm", "fault_half_inputs", ROWS), ("gemm", "fault_row_too_many", ROWS),
                                        ("gemm", "fault_ignores_stride", ["gemm/*/f32.f32.f32/m65-n66-k67-nt-row-ld/*"]),
                                        ("softmax", "fault_lost_tail", softmax), ("softmax", "fault_no_maximum", softmax),
                                        ("layernorm", "fault_one_pass", norm), ("layernorm", "fault_no_epsilon", norm)))
        self.assertRegex(found["fault_row_too_many"][0]["reason"], "outside|beside|written")

    def test_what_is_wrong_in_a_kernel_is_told_with_its_place(self):
        path = Path(self.write_kernels(lambda described: None))
        source = path.parent / "softmax.wgsl"
        text = source.read_text().replace("let lane = i32(group.x);", "let lane = i32(grupp.x);", 1)
        line = text[:text.index("grupp")].count("\n") + 1
        source.write_text(text)
        outcomes, _ = self.run_tool("--webgpu", str(path), "--only", "softmax/webgpu/f32.f32/1x1x1/normal", code=1)
        self.assertEqual(self.verdicts(outcomes), {"error": 1})
        self.assertRegex(outcomes[0]["reason"], rf"softmax\.wgsl:{line}:\d+: .*grupp")
        path = Path(self.write_kernels(lambda described: described["kernels"][0]["arguments"].append({"long": "m"})))
        _, said = self.run_tool("--webgpu", str(path), code=2)
        self.assertRegex(said, r"webgpu\.json:\d+:\d+: unknown member 'long'")

    def test_what_is_not_here(self):
        one = ["--webgpu", str(FOLDER / "webgpu.json"), "--only", "gemm/*/f32.f32.f32/m1-n1-k1-*"]
        outcomes, _ = self.run_tool(*one, code=2, changes={"ASSAY_WEBGPU": "/nowhere/libwgpu_native.so"})
        self.assertEqual(set(self.verdicts(outcomes)), {"unsupported"})
        self.assertIn("pip install wgpu==", outcomes[0]["reason"])
        outcomes, _ = self.run_tool(*one, code=2, changes={"VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"})
        self.assertIn("mesa-vulkan-drivers", outcomes[0]["reason"])
        outcomes, _ = self.run_tool(*one, code=2, changes={"ASSAY_WEBGPU_DEVICE": "no such adapter"})
        self.assertIn("there are", outcomes[0]["reason"])

    def test_doctor_lists_adapters(self):
        said = subprocess.run([PROGRAM, "doctor", "--no-config"], capture_output=True, text=True, timeout=120).stdout
        self.assertRegex(said, r"WebGPU +device +kind")
        said = subprocess.run([PROGRAM, "doctor", "--no-config"], capture_output=True, text=True, timeout=120, env={**os.environ, "ASSAY_WEBGPU": "/nowhere.so"}).stdout
        self.assertIn("pip install wgpu==", said)


if __name__ == "__main__":
    listed = subprocess.run([PROGRAM, "devices", INTERFACE], capture_output=True, text=True, timeout=60)
    if listed.returncode != 0 or listed.stdout.startswith(("OpenCL: ", "Vulkan: ", "WebGPU: ")):
        skip((listed.stdout + listed.stderr).strip() or f"the driver ended the process that asked it: {listed.returncode}")
    if INTERFACE == "vulkan" and shutil.which("glslangValidator") is None:
        skip("glslangValidator is not here; install glslang-tools")
    unittest.main(argv=[sys.argv[0], *(sys.argv[1:] or [{"opencl": "OpenCl", "vulkan": "Vulkan", "webgpu": "WebGpu"}[INTERFACE]])])
