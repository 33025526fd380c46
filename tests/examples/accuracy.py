"""Runs assay accuracy and assay pipeline as their users do, with every mistake.

  python3 accuracy.py ASSAY [IMAGE_PIPELINE] [unittest options]
"""

import json
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
IMAGES = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None


def npy(path, shape, values, kind="<f4"):
    header = repr({"descr": kind, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    code = {"<f4": "f", "<i8": "q"}[kind]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{code}", *values))


class Tool(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def assay(self, *arguments, code=0, says=""):
        done = subprocess.run([ASSAY, *map(str, arguments), "--no-config"], cwd=self.folder, timeout=120, capture_output=True, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def lines(self, name, rows):
        (self.folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return name

    def outcome(self):
        return json.loads((self.folder / "out/report.json").read_text())["outcomes"][0]


class Accuracy(Tool):
    def test_a_score_alone_is_measured(self):
        (self.folder / "h.txt").write_text("the quik brown fox jumps\n")
        (self.folder / "r.txt").write_text("the quick brown fox\n")
        self.assay("accuracy", "wer", "--predictions", "h.txt", "--references", "r.txt", "--out", "out", says="new_baseline: model/h/wer")
        values = {own["name"]: own["value"] for own in self.outcome()["measurements"]}
        self.assertEqual(values["wer"], 0.5)
        self.assertEqual(values["insertions"], 1)

    def test_within_beyond_and_too_few(self):
        truth = self.lines("r.jsonl", [{"id": i, "label": i % 7} for i in range(4000)])
        same = self.lines("a.jsonl", [{"id": i, "label": i % 7 if i % 10 else 9} for i in range(4000)])
        worse = self.lines("b.jsonl", [{"id": i, "label": i % 7 if i % 5 else 9} for i in range(4000)])
        common = ("accuracy", "accuracy", "--references", truth, "--against", same, "--classes", "10")
        self.assay(*common, "--predictions", same, "--within", "0.005", says="pass: model/a/accuracy")
        self.assay(*common, "--predictions", worse, "--within", "0.005", "--out", "out", code=1, says="fail: .*beyond")
        values = {own["name"]: own["value"] for own in self.outcome()["measurements"]}
        self.assertAlmostEqual(values["difference"], -0.1)
        self.assertAlmostEqual(values["accuracy_baseline"], 0.9)
        self.assertLess(values["p_difference"], 1e-10)
        few = self.lines("c.jsonl", [{"id": i, "label": i % 7} for i in range(50)])
        self.assay("accuracy", "accuracy", "--predictions", few, "--references", few, "--against", few, "--within", "0.5%", code=2, says="inconclusive.*50 samples do not decide")
        self.assay("accuracy", "accuracy", "--predictions", few, "--references", few, "--against", few, "--within", "0.5%", "--require-conclusive", code=1)

    def test_perplexity_against_a_baseline_feeds_the_gate(self):
        good = self.lines("a.jsonl", [{"losses": [1.0, 1.2 + 0.001 * (i % 9)]} for i in range(300)])
        near = self.lines("b.jsonl", [{"logprobs": [-1.0, -1.21 - 0.001 * (i % 9)]} for i in range(300)])
        self.assay("accuracy", "perplexity", "--predictions", near, "--against", good, "--within", "0.5", "--out", "out", says="pass")
        values = {own["name"]: own["value"] for own in self.outcome()["measurements"]}
        self.assertLess(abs(values["perplexity"] - values["perplexity_baseline"]), 0.1)
        self.assay("gate", "out", code=2, says="models/perplexity")

    def test_perplexity_is_paired_by_ids(self):
        rows = [{"id": f"s{i}", "losses": [1.0 + i % 7, 0.5]} for i in range(300)]
        ours, theirs = self.lines("a.jsonl", rows), self.lines("b.jsonl", rows[::-1])
        self.assay("accuracy", "perplexity", "--predictions", ours, "--against", theirs, "--within", "0.1", says="pass: model/a/perplexity")
        # The very same lines, but of other samples: by position they would be equal.
        other = self.lines("c.jsonl", [{**row, "id": f"t{row['id']}"} for row in rows])
        self.assay("accuracy", "perplexity", "--predictions", ours, "--against", other, "--within", "0.1", code=2, says="'c.jsonl' lacks 300 of 300 ids: 's0'")
        unnamed = self.lines("d.jsonl", [{"losses": row["losses"]} for row in rows])
        self.assay("accuracy", "perplexity", "--predictions", ours, "--against", unnamed, "--within", "0.1", says="pass")

    def test_pass_at_k_is_paired_by_problems(self):
        ours = self.lines("a.jsonl", [{"id": f"p{i}", "passed": (i + t) % 3 == 0} for i in range(60) for t in range(3)])
        theirs = self.lines("b.jsonl", [{"id": f"p{i}", "passed": (i + t) % 3 == 0} for i in range(59, -1, -1) for t in range(3)])
        other = self.lines("c.jsonl", [{"id": f"p{i + 1}", "passed": (i + t) % 3 == 0} for i in range(60) for t in range(3)])
        common = ("accuracy", "pass_at_k", "-k", "1", "--predictions", ours, "--within", "0.05")
        self.assay(*common, "--against", theirs, says="pass: model/a/pass_at_1")
        self.assay(*common, "--against", other, code=2, says="2 problems were tried there or in 'a.jsonl' alone: 'p0', 'p60'")

    def test_an_infinite_loss_is_within_no_margin(self):
        rows = [{"losses": [1.0, 1.2]} for _ in range(40)]
        base = self.lines("b.jsonl", rows)
        rows[3] = {"losses": [1.0, float("inf")]}
        self.assay("accuracy", "perplexity", "--predictions", self.lines("a.jsonl", rows), "--against", base, "--within", "0.5", code=1, says="fail: model/a/perplexity.*infinite")

    def test_nan_fails_and_is_named(self):
        nan = float("nan")
        npy(self.folder / "p.npy", (3, 2), [1, 2, nan, 1, 3, 0])
        npy(self.folder / "r.npy", (3,), [1, 0, 0], "<i8")
        self.assay("accuracy", "top1", "--predictions", "p.npy", "--references", "r.npy", code=1, says="fail.*1 samples are broken: sample 1 has NaN")
        (self.folder / "l.jsonl").write_text('{"id":"x","losses":[0.5,NaN]}\n')
        self.assay("accuracy", "perplexity", "--predictions", "l.jsonl", code=1, says="id 'x', token 1 has the loss NaN")
        self.assay("accuracy", "kl", "--predictions", "p.npy", "--references", "p.npy", code=1, says="token 1 has NaN")

    def test_files_that_do_not_belong_together(self):
        a = self.lines("a.jsonl", [{"id": "x", "text": "a"}, {"id": "y", "text": "b"}])
        b = self.lines("b.jsonl", [{"id": "x", "text": "a"}])
        self.assay("accuracy", "wer", "--predictions", b, "--references", a, code=2, says="lacks 1 of 2 ids: 'y' .line 2 of 'a.jsonl'")
        self.assay("accuracy", "wer", "--predictions", a, "--references", b, code=2, says="has 1 ids that 'b.jsonl' lacks: 'y'")
        self.assay("accuracy", "top1", "--predictions", a, "--references", a, code=2, says="line 1 .id 'x'.: \"scores\" are missing")
        self.assay("accuracy", "wer", "--predictions", "none.txt", "--references", a, code=2, says="none.txt")
        self.assay("accuracy", "perplexity", "--predictions", self.lines("n.jsonl", [{"losses": [-1]}]), code=2, says="negative loss.*logprobs")
        (self.folder / "empty.jsonl").write_text("")
        self.assay("accuracy", "wer", "--predictions", "empty.jsonl", "--references", "empty.jsonl", code=2, says="no sample")
        npy(self.folder / "p.npy", (2, 2), [1, 2, 3, 4])
        npy(self.folder / "r.npy", (2,), [1, 2], "<i8")
        self.assay("accuracy", "top1", "--predictions", "p.npy", "--references", "r.npy", code=2, says="sample 1 has the label 2")
        npy(self.folder / "s.npy", (3,), [1, 1, 1], "<i8")
        self.assay("accuracy", "top1", "--predictions", "p.npy", "--references", "s.npy", code=2, says="is 2x2 and 's.npy' is 3")

    def test_empty_references_are_told(self):
        a = self.lines("a.jsonl", [{"id": 1, "text": "x"}, {"id": 2, "text": "b"}])
        b = self.lines("b.jsonl", [{"id": 1, "text": ""}, {"id": 2, "text": "b"}])
        self.assay("accuracy", "wer", "--predictions", a, "--references", b, says="1 references are empty: id '1'.*empty_references *1")

    def test_options(self):
        self.assay("accuracy", "wre", "--predictions", "a", "--references", "b", code=2, says="unknown metric 'wre'; nearest: wer")
        self.assay("accuracy", "wer", "--predictions", "a", code=2, says="asks for --references")
        self.assay("accuracy", "wer", "--predictions", "a", "--references", "b", "--within", "1", code=2, says="within of what")
        self.assay("accuracy", "wer", "--predictions", "a", "--references", "b", "--against", "c", code=2, says="--within is missing")
        self.assay("accuracy", "bleu", "--predictions", "a", "--references", "b", "--tokenizer", "13b", code=2, says="nearest: 13a")
        a = self.lines("a.jsonl", [{"text": "x"}] * 40)
        self.assay("accuracy", "wer", "--predictions", a, "--references", a, "--stated", "0.1", "--within", "-1", code=2, says="must be above 0")
        self.assay("accuracy", "wer", "--predictions", a, "--references", a, "--stated", "0.1", "--within", "0.01", code=1, says="fail")

    def test_attempts_and_formats(self):
        tries = self.lines("t.jsonl", [{"id": p, "passed": (p + t) % 3 == 0} for p in range(4) for t in range(3)])
        self.assay("accuracy", "pass_at_k", "--predictions", tries, "-k", "2", says="pass_at_2 *0.6666")
        self.assay("accuracy", "pass_at_k", "--predictions", tries, "-k", "4", code=2, says="tried 3 times, and k is 4")
        formats = self.lines("f.jsonl", [{"name": "fp16", "accuracy": 76, "bytes": 2e8}, {"name": "int8", "accuracy": 75.9, "bytes": 1e8}, {"name": "bad8", "accuracy": 70, "bytes": 1e8}])
        said = self.assay("accuracy", "pareto", "--predictions", formats, "--out", "out")
        self.assertRegex(said, r"\* +fp16")
        self.assertRegex(said, r"(?m)^ +bad8 .*int8")
        loss = [{"name": name, "metric": "perplexity", "higher_is_better": False, "accuracy": value, "lower": value - 0.1, "upper": value + 0.1, "bytes": size, "seconds": 1}
                for name, value, size in (("fp16", 20, 2e8), ("int8", 20.1, 1e8), ("close8", 20.2, 1.1e8), ("bad8", 25, 1e8))]
        said = self.assay("accuracy", "pareto", "--predictions", self.lines("l.jsonl", loss), "--page", "l.html", "--model", "m")
        self.assertRegex(said, r"(?m)^\* +int8 .*\n")
        self.assertRegex(said, r"(?m)^\? +close8 .*int8")
        self.assertRegex((self.folder / "l.html").read_text(), "close8 \\(\\?\\)[\\s\\S]*bad8 \\(dominated\\)")
        loss[1]["metric"] = "wer"
        self.assay("accuracy", "pareto", "--predictions", self.lines("l.jsonl", loss), code=2, says="line 2.*another than in the first line")
        self.assay("accuracy", "wer", "--predictions", "l.jsonl", "--references", "l.jsonl", "--page", "l.html", code=2, says="--page is of pareto alone")


@unittest.skipIf(IMAGES is None, "the example image_pipeline was not built")
class Stages(Tool):
    def setUp(self):
        super().setUp()
        subprocess.run([IMAGES, self.folder], check=True, stdout=subprocess.DEVNULL)

    def test_the_guilty_stage_of_recorded_outputs(self):
        bounds = self.folder / "bounds.json"
        bounds.write_text('{"*": {"absolute": 1e-4}}')
        for stage in ("01_decode", "02_resize", "03_quantize", "04_normalize", "05_windows", "08_text"):
            said = self.assay("pipeline", "run", "--reference", "reference", "--candidate", f"{stage}/free", "--fed", f"{stage}/fed", "--bounds", bounds, code=1, says=f"the first stage to blame is {stage}")
            self.assertEqual(said.count("on the reference's own inputs this stage differs"), 1, said)
            self.assay("pipeline", "bisect", "--reference", "reference", "--candidate", f"{stage}/free", "--bounds", bounds, code=1, says=f"first stage beyond its bound is {stage}")
        self.assay("pipeline", "run", "--reference", "reference", "--candidate", "reference", "--fed", "reference")
        self.assay("pipeline", "run", "--reference", "reference", "--candidate", "02_resize/free", code=1, says="fail: pipeline/free.*differs from 02_resize on.*inconclusive.*takes its output on the reference's inputs")

    def test_what_is_missing_or_broken(self):
        (self.folder / "02_resize/fed/07_classify.json").unlink()
        self.assay("pipeline", "run", "--reference", "reference", "--candidate", "reference", "--fed", "02_resize/fed", code=1, says="07_classify")
        (self.folder / "03_quantize/free/05_windows.npy").write_bytes(b"no array")
        self.assay("pipeline", "run", "--reference", "reference", "--candidate", "03_quantize/free", code=1, says="error: pipeline/free/05_windows.*not an npy file")
        self.assay("pipeline", "run", "--reference", "none", "--candidate", "reference", code=2, says="no such folder")
        self.assay("pipeline", "rnu", "--reference", "none", "--candidate", "reference", code=2, says="nearest: run")
        self.assay("pipeline", "run", "--reference", "reference", "--candidate", "reference", "--rtol", "x", code=2, says="--rtol is 'x'")


if __name__ == "__main__":
    unittest.main()
