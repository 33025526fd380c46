"""Runs assay frameworks, and assay run on a foreign runtime, as an operator does: scripted libraries stand for ONNX Runtime, a plugin of PJRT, OpenVINO, PyTorch and TensorFlow.

  python3 frameworks.py ASSAY SCRIPTED_ONNX_RUNTIME [unittest options]
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
RUNTIME = str(Path(sys.argv.pop(1)).resolve())
PLUGIN = RUNTIME.replace("onnx_runtime", "pjrt")
OPENVINO = RUNTIME.replace("onnx_runtime", "openvino")
TORCH, TENSORFLOW = (RUNTIME.replace("onnx_runtime", name) for name in ("torch", "tensorflow"))


def varint(value):
    done = b""
    while value > 127:
        done += bytes([value & 127 | 128])
        value >>= 7
    return done + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def tensor(name, values):
    return number(1, len(values)) + number(2, 1) + text(8, name) + text(9, struct.pack(f"<{len(values)}f", *values))


def value(name, count):
    return text(1, name) + text(2, text(1, number(1, 1) + text(2, text(1, number(1, count)))))


def model(operation, count):
    graph = text(1, text(1, "x") + text(2, "y") + text(4, operation)) + text(2, "g") + text(11, value("x", count)) + text(12, value("y", count))
    return number(1, 10) + text(7, graph) + text(8, text(1, "") + number(2, 21))


class Frameworks(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.case("test_relu", "Relu", [-1, 2, 3], [0, 2, 3])
        self.case("test_neg", "Neg", [-1, 2], [1, -2])

    def case(self, name, operation, given, expected):
        data = self.folder / "cases" / name / "test_data_set_0"
        data.mkdir(parents=True)
        (data.parent / "model.onnx").write_bytes(model(operation, len(given)))
        (data / "input_0.pb").write_bytes(tensor("x", given))
        (data / "output_0.pb").write_bytes(tensor("y", expected))

    def run_assay(self, *arguments, code=0, fault="right", runtime=RUNTIME, plugin=PLUGIN, openvino=OPENVINO, torch=TORCH, tensorflow=TENSORFLOW):
        done = subprocess.run([ASSAY, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "ASSAY_ONNXRUNTIME": runtime, "ASSAY_SCRIPTED_ONNXRUNTIME": fault,
                                   "ASSAY_PJRT": plugin, "ASSAY_SCRIPTED_PJRT": fault,
                                   "ASSAY_OPENVINO": openvino, "ASSAY_SCRIPTED_OPENVINO": fault,
                                   "ASSAY_TORCH": torch, "ASSAY_SCRIPTED_TORCH": fault,
                                   "ASSAY_TENSORFLOW": tensorflow, "ASSAY_SCRIPTED_TENSORFLOW": fault,
                                   "HOME": str(self.folder), "VIRTUAL_ENV": ""})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def cases(self, *arguments, **more):
        return self.run_assay("frameworks", "onnx", "--cases", "cases", *arguments, **more)

    def test_right_cases_pass_and_others_are_refused(self):
        said = self.cases("--table", "table.tsv")
        self.assertIn("0.0-scripted", said)
        self.assertIn("1 pass, 0 fail, 0 error, 1 unsupported, 0 inconclusive", said)
        table = (self.folder / "table.tsv").read_text()
        self.assertIn("pass\tonnx/ort.cpu.level99/Relu/test_relu\t21\t\n", table)
        self.assertIn("no kernel for Neg", table)

    def test_wrong_numbers_fail_until_somebody_answers_for_them(self):
        wrong = {"fault": "ignores its input"}
        said = self.cases(code=1, **wrong)
        self.assertIn("fail  onnx/ort.cpu.level99/Relu/test_relu", said)
        known = self.folder / "known.txt"
        known.write_text("test_relu | lee | 2999-01-01 | being mended\n")
        self.assertIn("(known)", self.cases("--known-failures", "known.txt", **wrong))
        self.assertIn("hits no failure", self.cases("--known-failures", "known.txt"))
        known.write_text("test_relu | lee | 2001-01-01 | being mended\n")
        self.assertIn("expired on 2001-01-01", self.cases("--known-failures", "known.txt", code=1, **wrong))
        known.write_text("test_relu\n")
        self.assertIn("line 1", self.cases("--known-failures", "known.txt", code=2))

    def test_the_bound_tells_of_a_loose_tolerance_and_of_wrong_data(self):
        self.case("test_relu_first", "Relu", [5, 2], [5, 2])
        said = self.cases(code=1, fault="wrong numbers")
        self.assertIn("too loose to see it", said)
        self.case("test_relu_data", "Relu", [1, 2], [1, 3])
        said = self.cases()
        self.assertIn("refuses what the derived bound proves right", said)
        self.assertIn("the data that ONNX expects fail by the derived bound", said)

    def test_a_runtime_that_crashes_costs_its_cases_only(self):
        said = self.cases(code=1, fault="aborts while running")
        self.assertIn("0 pass, 0 fail, 1 error, 1 unsupported", said)
        self.assertIn("signal 6", said)
        said = self.cases("--timeout", "0.5", "--only", "test_relu", code=1, fault="hangs while compiling")
        self.assertIn("did not answer within 0.5 s", said)

    def test_a_provider_computes_by_itself_or_not_at_all(self):
        self.assertIn("1 pass", self.cases("--provider", "Scripted", "--option", "speed=fast", "--only", "test_relu"))
        said = self.cases("--provider", "Scripted", "--only", "test_relu", code=2, fault="falls back")
        self.assertIn("0 pass, 0 fail, 0 error, 1 unsupported", said)
        self.assertIn("0 pass", self.cases("--provider", "Unheard", code=2))

    def test_damaged_cases_are_errors(self):
        (self.folder / "cases" / "test_neg" / "model.onnx").write_bytes(b"\x0a\xff\xff")
        self.assertIn("broken", self.cases(code=1))

    def test_nothing_is_taken_for_something(self):
        self.assertIn("leave no case", self.cases("--only", "test_nothing", code=2))
        self.assertIn("--level", self.cases("--level", "3", code=2))
        self.assertIn("KEY=VALUE", self.cases("--option", "speed", code=2))
        self.assertIn("unknown action", self.run_assay("frameworks", "keras", code=2))
        said = self.cases(code=2, runtime=str(self.folder / "nowhere"))
        self.assertIn("ASSAY_ONNXRUNTIME", said)

    def test_operations_run_on_the_runtime_as_on_any_backend(self):
        said = self.run_assay("run", "--backend", "ort.cpu.level99", "--op", "relu", "--dtype", "f32")
        self.assertIn("ort.cpu.level99", said)
        self.run_assay("run", "--backend", "ort.cpu.level99", "--op", "relu", "--dtype", "f32", code=1, fault="wrong numbers")
        self.run_assay("run", "--backend", "ort.cpu.level99", "--op", "relu", "--dtype", "f32", "--isolate")
        self.assertIn("no level", self.run_assay("run", "--backend", "ort.cpu.fast", "--op", "relu", code=2))

    def test_a_run_for_gates_tells_which_operators_are_covered(self):
        critical = self.folder / "critical.txt"
        critical.write_text("# mine\nRelu\n")
        said = self.cases("--critical", critical, "--report", "onnx.json")
        self.assertIn("critical_operators_percent 100 %", said)
        run = json.loads((self.folder / "onnx.json").read_text())
        outcomes = {outcome["id"]: outcome for outcome in run["outcomes"]}
        self.assertEqual(set(outcomes), {"onnx/ort.cpu.level99/Relu/test_relu", "onnx/ort.cpu.level99/operators/coverage"})
        self.assertEqual(outcomes["onnx/ort.cpu.level99/Relu/test_relu"]["labels"]["type"], "float32")
        policy = self.folder / "policy.json"
        policy.write_text(json.dumps({"schema": "assay-policy/1", "title": "mine", "gates": [
            {"name": "operators", "group": "frameworks", "level": "hard", "why": "w", "select": {"ids": ["onnx/*"]},
             "require": "each(critical_operators_percent) > 99", "remedy": "r", "treat": {"unmeasured": "ignored"}}]}))
        self.run_assay("gate", "onnx.json", "--policy", "policy.json")
        critical.write_text("Relu\nNeg\nConv\n")
        said = self.cases("--critical", critical, "--report", "onnx.json")
        self.assertIn("not Neg, Conv (no case)", said)
        self.run_assay("gate", "onnx.json", "--policy", "policy.json", code=1)
        critical.write_text("Re lu\n")
        self.assertIn("line 1", self.cases("--critical", critical, code=2))
        said = self.run_assay("frameworks", "critical")
        self.assertIn("MatMul\n", said)
        (self.folder / "mine.txt").write_text(said)
        self.cases("--critical", "mine.txt")

    def test_plugins_of_pjrt_are_backends_too(self):
        relu = ("run", "--op", "relu", "--dtype", "f32", "--backend")
        self.assertIn("xla.no-excess", self.run_assay(*relu, "xla,xla.scripted,xla.no-excess"))
        self.run_assay(*relu, "xla", code=1, fault="wrong numbers")
        self.assertIn("signal 6", self.run_assay(*relu, "xla", code=1, fault="aborts while running"))
        self.assertIn("not of 'tpu'", self.run_assay(*relu, "xla.tpu", code=2))
        self.assertIn("pip install xla-cpu-pjrt", self.run_assay(*relu, "xla", code=2, plugin=""))
        self.assertIn("names no mode of XLA", self.run_assay(*relu, "xla.cpu.fast", code=2))

    def test_openvino_is_a_backend_and_a_provider_of_its_own(self):
        relu = ("run", "--op", "relu", "--dtype", "f32", "--backend")
        said = self.run_assay(*relu, "openvino,openvino.accurate")
        self.assertRegex(said, r"openvino +openvino\.accurate +elementwise +[1-9]\d* +0 +0 +0 +0 +0\n")
        said = self.run_assay(*relu, "openvino.accurate,openvino", code=1, fault="lowers")
        self.assertIn("openvino computed Relu in bf16 (jit_avx512_bf16), declared float32", said)
        self.assertNotIn("openvino.accurate computed", said)
        self.assertIn("modes against one another", said)
        self.assertIn("signal 6", self.run_assay(*relu, "openvino", code=1, fault="aborts while running"))
        self.assertIn("is not registered", self.run_assay(*relu, "openvino.GPU", code=2))
        self.assertIn("pip install openvino", self.run_assay(*relu, "openvino", code=2, openvino=""))
        self.assertIn("names no mode of OpenVINO", self.run_assay(*relu, "openvino.AUTO", code=2))
        said = self.cases("--provider", "openvino.accurate")
        self.assertIn("OpenVINO 0.0-scripted with CPU, NPU: openvino.accurate", said)
        self.assertIn("1 pass, 0 fail, 0 error, 1 unsupported", said)
        self.case("test_relu_fine", "Relu", [-1, 1 + 2 ** -12], [0, 1 + 2 ** -12])
        said = self.cases("--provider", "openvino", code=1, fault="lowers")
        self.assertIn("2 cases were computed in bf16 where the model has float32; 1 of them fail", said)
        self.assertIn("--level", self.cases("--provider", "openvino", "--level", "1", code=2))

    def test_frameworks_are_backends_and_providers_of_their_own(self):
        relu = ("run", "--op", "relu", "--dtype", "f32", "--backend")
        said = self.run_assay(*relu, "torch.cpu,tensorflow.cpu,tensorflow.gpu")
        self.assertRegex(said, r"torch\.cpu +tensorflow\.gpu +elementwise +[1-9]\d* +0 +0 +0 +0 +0\n")
        for backend, missing, package in (("torch.cpu", {"torch": ""}, "torch"), ("tensorflow.cpu", {"tensorflow": ""}, "tensorflow-cpu")):
            self.assertIn("1 failed", self.run_assay(*relu, backend, "--only", "relu/*/8x197/normal", code=1, fault="wrong numbers"))
            self.assertIn("signal 6", self.run_assay(*relu, backend, code=1, fault="aborts while running"))
            self.assertIn("pip install " + package, self.run_assay(*relu, backend, code=2, **missing))
            self.assertIn("pip install " + package, self.run_assay("doctor", **missing))
            self.assertIn("names no mode of", self.run_assay(*relu, backend + ".fast", code=2))
        self.assertIn("and not by /job:localhost/replica:0/task:0/device:GPU:0",
                      self.run_assay(*relu, "tensorflow.gpu", code=2, fault="falls back to the CPU"))
        said = self.cases("--provider", "torch.cpu")
        self.assertIn("PyTorch 2.15.1 with cpu: torch.cpu", said)
        self.assertIn("TensorFlow 0.0-scripted", self.cases("--provider", "tensorflow.cpu"))

    def test_versions_of_an_operator_are_compared(self):
        said = self.run_assay("frameworks", "opsets", "--cases", "cases")
        self.assertIn("1 pass, 0 fail, 0 error, 1 unsupported", said)

    def test_fusions_that_a_runtime_refuses_are_no_pass(self):
        said = self.run_assay("frameworks", "fusions", "--only", "layernorm*", code=2)
        self.assertIn("no kernel for ReduceMean", said)
        self.assertIn("no pattern", self.run_assay("frameworks", "fusions", "--only", "nothing", code=2))

    def test_calibrations_are_recomputed(self):
        values = [-1.5, 3.25, 0.5]
        scale, zero = 4.75 / 255, -47
        self.quantized("int8.onnx", scale, zero)
        self.npz("batch.npz", "x", values)
        ask = ("frameworks", "calibration", "--activations", "batch.npz", "--model")
        self.assertIn("1 pass", self.run_assay(*ask, "int8.onnx", "--report", "calibration.json"))
        self.assertIn("calibration/onnx/int8/x/min-max", (self.folder / "calibration.json").read_text())
        self.quantized("symmetric.onnx", 3.25 / 127, 0)
        said = self.run_assay(*ask, "symmetric.onnx", code=1)
        self.assertIn("the model's range is that of min-max, symmetric", said)
        self.run_assay(*ask, "symmetric.onnx", "--symmetric", "--symmetric-codes")
        self.npz("other.npz", "w", values)
        self.assertIn("1 inconclusive", self.run_assay("frameworks", "calibration", "--activations", "other.npz", "--model", "int8.onnx", code=2))
        self.assertIn("is no method", self.run_assay(*ask, "int8.onnx", "--method", "kl", code=2))
        self.assertIn("--model", self.run_assay("frameworks", "calibration", code=2))

    def quantized(self, name, scale, zero):
        one = number(2, 1) + text(8, "s") + text(9, struct.pack("<f", scale))
        code = number(2, 3) + text(8, "z") + text(9, struct.pack("<b", zero))
        node = text(1, "x") + text(1, "s") + text(1, "z") + text(2, "q") + text(4, "QuantizeLinear")
        graph = text(1, node) + text(2, "g") + text(5, one) + text(5, code) + text(11, value("x", 3)) + text(12, value("q", 3))
        (self.folder / name).write_bytes(number(1, 10) + text(7, graph) + text(8, text(1, "") + number(2, 21)))

    def npz(self, name, array, values):
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
        header += " " * (63 - (len(header) + 10) % 64) + "\n"
        data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)
        with zipfile.ZipFile(self.folder / name, "w") as archive:
            archive.writestr(array + ".npy", data)

    def test_doctor_tells_what_is_here(self):
        said = self.run_assay("doctor")
        self.assertIn("0.0-scripted", said)
        self.assertIn("PJRT 0.81, version 0.0", said)
        self.assertIn("CPU NPU", said)
        self.assertIn("pip install openvino", self.run_assay("doctor", openvino=""))
        self.assertIn("not here", self.run_assay("doctor", runtime=str(self.folder / "nowhere")))


if __name__ == "__main__":
    unittest.main()
