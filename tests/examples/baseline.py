"""Runs assay baseline as its users do: records, compares, approves, and looks after what is kept.

  python3 baseline.py PROGRAM [unittest options]
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())
CASE = "gemm/host/f32.f32.f32/m33-n17-k1-nn-row/normal"
TWO = ["--op", "gemm", "--backend", "host", "--dtype", "f32.f32.f32", "--shape", "m33-n17-k1-nn-row,m1-n1-k1-nn-row", "--fill", "normal", "--no-config"]
ONE = ["--only", CASE, "--no-config"]
LINE = re.compile(rb"assay-baseline/1 header:(\d+):[0-9a-f]{64} data:(\d+):[0-9a-f]{64} line:[0-9a-f]{64}\n")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def parts(text):
    """The metadata and the data of a record, by its documented form."""
    line = LINE.match(text)
    header, data = int(line[1]), int(line[2])
    assert len(text) == line.end() + header + data
    return json.loads(text[line.end():line.end() + header]), text[line.end() + header:]


def sealed(metadata, data):
    """A record that another program makes of metadata and data, by the documented form."""
    metadata["tensor_sha256"] = sha256(data)
    header = json.dumps(metadata, indent=1).encode() + b"\n"
    line = f"assay-baseline/1 header:{len(header)}:{sha256(header)} data:{len(data)}:{sha256(data)}"
    return f"{line} line:{sha256(line.encode())}\n".encode() + header + data


class Baselines(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def baseline(self, *arguments, code=0, says=""):
        done = subprocess.run([PROGRAM, "baseline", *arguments], cwd=self.folder, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, f"assay baseline {' '.join(arguments)}\n{said}")
        self.assertRegex(said, re.compile(says, re.DOTALL), f"assay baseline {' '.join(arguments)}")
        return done.stdout

    def report(self):
        return {outcome["id"]: outcome for outcome in json.loads((self.folder / "report/report.json").read_text())["outcomes"]}

    def files(self, store="golden"):
        return sorted((self.folder / store).rglob("*.baseline"))

    def change(self, path, shift):
        """Another golden output: the lowest byte of the first element changed, or the highest."""
        metadata, data = parts(path.read_bytes())
        position = 0 if shift == "little" else metadata["code_bytes"] - 1
        path.write_bytes(sealed(metadata, data[:position] + bytes([data[position] ^ 1]) + data[position + 1:]))
        return metadata["key"]

    def test_record_compare_and_report(self):
        self.baseline("compare", "--store", "golden", *TWO, code=2, says="no baseline store.*record a first baseline")
        self.baseline("record", "--store", "golden", *TWO, "--by", "ada")
        self.assertEqual(len(self.files()), 2)
        self.baseline("compare", "--store", "golden", *TWO, "--out", "report")
        outcomes = self.report()
        self.assertEqual(len(outcomes), 2)
        outcome = outcomes[next(identity for identity in outcomes if identity.startswith(f"baseline/{CASE}/"))]
        self.assertEqual((outcome["verdict"], outcome["labels"]["rule"], outcome["labels"]["operation"]), ("pass", "identical", "gemm"))
        self.assertIn("approved by ada", " ".join(outcome["derivation"]))
        self.baseline("record", "--store", "golden", *TWO)  # the same bits again
        self.assertEqual(len(self.files()), 2)
        self.baseline("compare", "--store", "golden", *TWO, "--seed", "2", "--out", "report", code=2)
        self.assertEqual({outcome["verdict"] for outcome in self.report().values()}, {"new_baseline"})
        self.baseline("list", "--store", "golden", says=f"golden +{CASE}/.*tolerance derived.*approved by ada")
        metadata = json.loads(self.baseline("show", CASE, "--store", "golden"))
        self.assertEqual((metadata["test"], metadata["approved_by"], metadata["configuration"]), (CASE, "ada", {"seed": "1"}))

    def test_what_differs_is_told_and_approved(self):
        self.baseline("record", "--store", "golden", *ONE)
        path = self.files()[0]
        self.change(path, "little")
        self.baseline("compare", "--store", "golden", *ONE, "--out", "report")
        outcome = next(iter(self.report().values()))
        self.assertEqual((outcome["verdict"], outcome["labels"]["rule"]), ("pass", "derived"))
        self.assertIn("2*allowed", " ".join(outcome["derivation"]))
        key = self.change(path, "large")
        before = path.read_bytes()
        self.baseline("compare", "--store", "golden", *ONE, "--out", "report", code=1, says="differ from the golden by more than is allowed")
        self.baseline("record", "--store", "golden", *ONE, code=1, says=f"not recorded.*assay baseline approve {key[:12]}")
        self.assertEqual(path.read_bytes(), before)
        self.baseline("diff", key[:12], "--store", "golden", code=1, says="golden / candidate: 1 of [0-9]+ elements differ.*element 0 is")
        self.baseline("approve", key[:12], "--store", "golden", code=2, says="--by NAME")
        self.baseline("approve", key[:12], "--store", "golden", "--by", "ada", "--note", "new driver", says="took the place.*approved by ada")
        self.baseline("compare", "--store", "golden", *ONE)
        self.assertIn('"note": "new driver"', self.baseline("show", key[:12], "--store", "golden"))
        self.baseline("approve", key[:12], "--store", "golden", "--by", "bob", code=2, says="nothing to approve")

    def test_the_record_names_the_rule(self):
        self.baseline("record", "--store", "golden", *ONE, "--tolerance", "ulp", code=1, says="unknown tolerance|tolerance 'ulp'")
        self.baseline("record", "--store", "golden", *ONE, "--tolerance", "exact")
        self.change(self.files()[0], "little")
        self.baseline("compare", "--store", "golden", *ONE, "--out", "report", code=1)
        self.assertEqual(next(iter(self.report().values()))["labels"]["rule"], "exact")
        self.baseline("compare", "--store", "golden", *ONE, "--tolerance", "atol=1", code=2, says="--tolerance is for record")

    def test_damaged_records_are_named_and_never_used(self):
        self.baseline("record", "--store", "golden", *ONE)
        path = self.files()[0]
        whole = path.read_bytes()
        for text, says in [(whole[:-1] + bytes([whole[-1] ^ 1]), "its data"), (whole[:-5], "cut off"), (b"", "without a first line"), (whole.replace(b"gemm", b"gemv"), "its metadata")]:
            path.write_bytes(text)
            self.baseline("compare", "--store", "golden", *ONE, code=1, says=says)
            self.baseline("record", "--store", "golden", *ONE, code=1, says=says)
            self.baseline("list", "--store", "golden", code=2, says=says)
            self.baseline("export", "--store", "golden", "--to", "all", code=2, says="nothing was exported")
            self.assertEqual(path.read_bytes(), text)
        line = "assay-baseline/2 whatever"
        path.write_bytes(f"{line} line:{sha256(line.encode())}\n".encode())
        self.baseline("compare", "--store", "golden", *ONE, code=1, says="newer version of Assay")

    def test_stores_are_carried_and_held_against_each_other(self):
        self.baseline("record", "--store", "golden", *TWO)
        self.baseline("export", "--store", "golden", "--to", "all.baselines", says="2 records exported")
        self.baseline("export", "--store", "golden", "--to", "all.baselines", code=2, says="File exists")
        self.baseline("import", "all.baselines", "--store", "sqlite:golden.db", says="2 imported, 0 there already, 0 in conflict")
        self.baseline("import", "all.baselines", "--store", "sqlite:golden.db", says="0 imported, 2 there already")
        self.baseline("compare", "--store", "sqlite:golden.db", *TWO)
        self.baseline("diff", "--store", "golden", "--with", "sqlite:golden.db", says="2 equal, of 2")
        self.change(self.files()[0], "large")
        self.baseline("diff", "--store", "golden", "--with", "sqlite:golden.db", code=1, says="1 of [0-9]+ elements differ.*1 equal, of 2")
        archive = self.folder / "all.baselines"
        archive.write_bytes(archive.read_bytes()[:-100])
        self.baseline("import", "all.baselines", "--store", "other", code=2, says="is damaged.*nothing of it was imported")
        self.assertEqual(self.files("other"), [])

    def test_pruning_tells_first(self):
        self.baseline("record", "--store", "golden", *TWO)
        self.baseline("compare", "--store", "golden", *ONE, "--out", "report")
        self.baseline("prune", "--store", "golden", code=2, says="asks for what to erase")
        self.baseline("prune", "--store", "golden", "--older-than", "30", says="0 erased, 2 kept")
        self.baseline("prune", "--store", "golden", "--unused-in", "report/report.json", "--dry-run", says="m1-n1-k1-nn-row.*1 would be erased, 1 kept")
        self.assertEqual(len(self.files()), 2)
        self.baseline("prune", "--store", "golden", "--unused-in", "report/report.json", says="1 erased, 1 kept")
        self.assertEqual(len(self.files()), 1)
        self.baseline("compare", "--store", "golden", *ONE)

    def test_usage(self):
        self.baseline("--help", says="record.*Examples:.*Exit code of compare")
        self.baseline("recrod", "--store", "golden", code=2, says="unknown action 'recrod'; nearest: record")
        self.baseline("list", code=2, says="list asks for --store")
        (self.folder / "assay.toml").write_text('[baseline]\nstore = "golden"\n')
        self.baseline("show", "gemm/absent", code=2, says="golden' is no baseline store")
        (self.folder / "assay.toml").unlink()
        self.baseline("record", "--store", "golden", *ONE)
        self.baseline("show", "gemm/absent", "--store", "golden", code=2, says="no test in the baseline store")
        self.baseline("record", CASE, "--store", "golden", code=2, says="choose them by --only")
        self.baseline("list", "--store", "postgresql:host=/no/such/folder", code=2, says="cannot open.*PostgreSQL")
        (self.folder / "thesis").mkdir()
        (self.folder / "thesis/a.tex").write_text("x")
        self.baseline("record", "--store", "thesis", *ONE, code=2, says="holds other things")


if __name__ == "__main__":
    unittest.main()
