"""Runs assay quantize-report as its users do, on weights that the example makes and on files made here.

  python3 quantize_report.py ASSAY WEIGHTS_PROGRAM [unittest options]
"""

import json
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY, WEIGHTS = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))


def file_of(header, data):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def one_tensor(values, name="w", shape=None):
    data = struct.pack(f"<{len(values)}f", *values)
    return file_of({name: {"dtype": "F32", "shape": shape or [len(values)], "data_offsets": [0, len(data)]}}, data)


class QuantizeReport(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        subprocess.run([WEIGHTS, "weights.safetensors"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def report(self, *arguments, code=0, says=""):
        done = subprocess.run([ASSAY, "quantize-report", *arguments, "--no-config"], cwd=self.folder, timeout=120, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return done.stdout

    def rows(self, *arguments):
        """First word → the others, of every line that begins with a format."""
        return {line.split()[0]: line.replace(" * ", " ").split()[1:] for line in self.report(*arguments).splitlines() if re.match(r"[a-z0-9_]+ .*\d", line)}

    def test_all_formats_on_all_tensors(self):
        said = self.report("weights.safetensors", says=r"7 tensors.*left out: 1 of 8 tensors\n  positions: I64 holds integers")
        for name in ("bf16", "f16", "e4m3fn", "e5m2", "fp8_tensor", "int8_channel", "uint4_group128", "nf4_64", "mxfp8_e4m3", "mxfp6_e2m3", "mxfp4", "mxint8", "nvfp4"):
            self.assertRegex(said, rf"(?m)^{name} ")

    def test_the_numbers_tell_formats_apart_as_they_should(self):
        def ratio(tensor, name):
            return float(self.rows("weights.safetensors", "--tensor", tensor, "--format", name)[name][1])
        attention, channels, tiny = "layers.0.attention.weight", "layers.0.mlp.outlier_channels.weight", "layers.1.tiny.weight"
        self.assertEqual(ratio(attention, "bf16"), float("inf"))
        self.assertGreater(ratio(attention, "int8_channel"), 38)
        self.assertGreater(ratio(attention, "mxfp8_e4m3"), 30)
        self.assertTrue(16 < ratio(attention, "mxfp4") < ratio(attention, "nvfp4") < 22)
        self.assertLess(ratio(tiny, "e4m3fn"), 1)  # below the smallest subnormal number
        self.assertGreater(ratio(tiny, "fp8_tensor"), 30)
        worst = self.rows("weights.safetensors", "--tensor", channels, "--format", "int8_*")
        self.assertLess(float(worst["int8_tensor"][2]), 20)  # one scale for all rows is that of the loudest
        self.assertGreater(float(worst["int8_channel"][2]), 35)
        shifted = self.rows("weights.safetensors", "--tensor", "layers.1.shifted.weight", "--format", "*int4*")
        self.assertEqual(list(shifted), ["int4_group128", "uint4_group128"])

    def test_values_computed_by_hand(self):
        (self.folder / "hand.safetensors").write_bytes(one_tensor([448, 464, 500, 1.0625, -465]))
        row = self.rows("hand.safetensors", "--format", "e4m3fn")["e4m3fn"]
        self.assertEqual(row[:2], ["8.00", "24.3"])  # 10·log10((448² + 464² + 500² + 1.0625² + 465²) / (16² + 52² + 0.0625² + 17²))
        self.assertIn("52", row)
        self.assertIn("40.0", row)  # % clipped
        (self.folder / "nan.safetensors").write_bytes(one_tensor([float("nan")] + [1.0] * 63))
        self.report("nan.safetensors", "--format", "mxfp8_e4m3", says=r"1 \+ 31 lost")

    def test_a_few_formats_are_told_tensor_by_tensor(self):
        self.report("weights.safetensors", "--format", "nvfp4,mxfp4", "--tensor", "layers.*", says=r"6 tensors.*SQNR in dB of each tensor.*tensor +mxfp4 +nvfp4.*layers\.1\.tiny\.weight")

    def test_the_page_is_whole_and_loads_nothing(self):
        self.report("weights.safetensors", "--out", "q.html", says="report: q.html")
        page = (self.folder / "q.html").read_text()
        for part in ("Noise against size", "layers.0.mlp.outlier_channels.weight", "nvfp4", "positions: I64", "magnitudes", "</html>", "assay quantize-report weights.safetensors --out q.html"):
            self.assertIn(part, page)
        self.assertNotRegex(page, r"<script|https?:|\bsrc=|url\(")

    def test_mistakes_are_told(self):
        self.report("weights.safetensors", "--format", "nvpf4", code=2, says="unknown format 'nvpf4'; nearest: nvfp4")
        self.report("weights.safetensors", "--tensor", "layers.0.atention.weight", code=2, says="no tensor 'layers.0.atention.weight'.*nearest: 'layers.0.attention.weight'")
        self.report("weights.safetensors", "--tensor", "positions", code=2, says="nothing was measured")
        self.report("absent.safetensors", code=2, says="absent.safetensors: no such file")
        self.report("weights.safetensors", "--out", ".", code=2, says="--out.*is a folder")
        self.report("weights.safetensors", "--out", "no/such/q.html", code=2, says="--out.*no/such")
        self.report("weights.safetensors", "--fromat", "bf16", code=2, says="unknown option '--fromat'; nearest: --format")
        self.report(code=2, says="file is required")
        for name, content, says in (("empty", b"", "not a safetensors file"),
                                    ("text", b"this is no safetensors file", "not a safetensors file"),
                                    ("cut", one_tensor([1.0] * 4)[:-1], "have 16 bytes of data, the file has 15"),
                                    ("lying", one_tensor([1.0] * 4, shape=[5]), "need 20 bytes, its data_offsets .0, 16. hold 16")):
            (self.folder / name).write_bytes(content)
            self.report(name, code=2, says=f"{name}: .*{says}")

    def test_a_page_that_was_there_survives_a_mistake(self):
        (self.folder / "q.html").write_text("old")
        self.report("absent.safetensors", "--out", "q.html", code=2)
        self.report("weights.safetensors", "--tensor", "positions", "--out", "q.html", code=2)
        self.assertEqual((self.folder / "q.html").read_text(), "old")


if __name__ == "__main__":
    unittest.main()
