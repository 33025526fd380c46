"""examples/plugin_c through the `assay` tool: what is right passes, what drops the K tail fails with its diagnosis, and README's line builds the same plugin.

  python3 plugin_c.py PROGRAM RIGHT WRONG FOLDER [unittest options]

RIGHT and WRONG are the two libraries, FOLDER has their sources.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, RIGHT, WRONG, FOLDER = (Path(sys.argv.pop(1)).resolve() for _ in range(4))
HEADER = FOLDER.parents[1] / "include" / "assay" / "plugin" / "plugin.h"
# Of gemm those shapes that blocks, tails, transposition, leading dimensions, batches, scalars and emptiness make special.
SHAPES = ["m1-n1-k1-*", "m31-n37-k41-*", "m33-n17-k1-*", "m64-n64-k48-b12-*", "m65-n66-k67-*", "m48-n40-k300-*", "m8-n8-k0-*", "m0-n8-*", "m24-n40-k56-b5-*"]
GEMM = ",".join(f"gemm/*/f32.f32.f32/{shape}/*" for shape in SHAPES)


class PluginInC(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def outcomes(self, library, *arguments, code):
        done = subprocess.run([PROGRAM, "run", "--no-config", "--plugin", library, "--out", "report", *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=600)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads((self.folder / "report" / "report.json").read_text())["outcomes"]

    def test_right_kernels_pass(self):
        outcomes = self.outcomes(RIGHT, "--only", f"softmax/*,layernorm/*,{GEMM}", code=0)
        verdicts = {}
        for outcome in outcomes:
            operation, backend, formats = outcome["id"].split("/")[:3]
            self.assertEqual(backend, "mine")
            verdicts.setdefault((operation, formats), set()).add(outcome["verdict"])
            if outcome["verdict"] == "unsupported":
                self.assertRegex(outcome["reason"], "is there for|does not know")
        for offered in (("gemm", "f32.f32.f32"), ("softmax", "f32.f32"), ("layernorm", "bf16.f32.bf16")):
            self.assertIn("pass", verdicts[offered])
            self.assertLessEqual(verdicts[offered], {"pass", "unsupported", "inconclusive"})
        self.assertEqual(verdicts[("gemm", "f32.f32.f32")], {"pass"})
        self.assertEqual(verdicts[("softmax", "f16.f16")], {"unsupported"})

    def test_the_dropped_tail_is_found_and_named(self):
        outcomes = {each["id"]: each for each in self.outcomes(WRONG, "--only", GEMM, code=1)}
        self.assertEqual({each["id"].split("/")[1] for each in outcomes.values()}, {"mine-tail-dropped"})
        whole = [each for each in outcomes.values() if int(re.search(r"-k(\d+)-", each["id"])[1]) % 8 == 0]
        self.assertTrue(whole)
        for each in whole:
            self.assertEqual(each["verdict"], "pass", each["id"])
        alone = "gemm/mine-tail-dropped/f32.f32.f32/m31-n37-k41-nn-row/normal"
        tail = next(each for each in self.outcomes(WRONG, "--only", alone, code=1) if each["id"] == alone)
        self.assertEqual(tail["verdict"], "fail")
        self.assertRegex("\n".join(tail["diagnosis"]), "missing_work, terms_missing: the terms k = 40 of 41 are left out")

    def test_the_line_of_the_readme_builds_it(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler cc")
        line = next(line for line in (FOLDER / "README.md").read_text().splitlines() if line.startswith("cc "))
        for source in (*FOLDER.glob("*.c"), *FOLDER.glob("*.h")):
            shutil.copy(source, self.folder)
        (self.folder / "include" / "assay" / "plugin").mkdir(parents=True)  # the one header, and nothing else of Assay
        shutil.copy(HEADER, self.folder / "include" / "assay" / "plugin")
        subprocess.run([*shlex.split(line), "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"], cwd=self.folder, check=True)
        library = self.folder / re.search(r"-o (\S+)", line)[1]
        self.assertTrue(all(each["verdict"] == "pass" for each in self.outcomes(library, "--only", "softmax/*/f32.f32/7x31x1/*", code=0)))

    def test_the_header_is_strict_c_and_cpp(self):
        for compiler, name, options in (("cc", "c", ["-std=c99"]), ("c++", "cpp", ["-std=c++11"]), ("c++", "cpp", ["-std=c++20"])):
            if not shutil.which(compiler):
                continue
            source = self.folder / f"alone.{name}"
            source.write_text('#include "plugin.h"\n#include "host.h"\nint main(void) { return (int)sizeof(assay_plugin) == 0; }\n')
            subprocess.run([compiler, *options, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", f"-I{HEADER.parent}", "-fsyntax-only", source],
                           check=True)


if __name__ == "__main__":
    unittest.main()
