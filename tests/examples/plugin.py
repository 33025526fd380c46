"""The option --plugin of the `assay` tool, and libassay_host, which does the same within a process. Plugins that misbehave are in plugin_faulty.py.

  python3 plugin.py PROGRAM LIBRARY FAULTY [unittest options]

LIBRARY is libassay_host; FAULTY is tests/testing/faulty_plugin.cpp as a library, a copy of which has the fault that it is named after.
"""

import ctypes
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, LIBRARY, FAULTY = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(3))
CASE = "softmax/right/f32.f32/7x31x1/normal"


class Plugin(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        for name in ("right", "next-abi", "untouched"):
            shutil.copy(FAULTY, self.folder / f"lib{name}.so")

    def assay(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def outcomes(self):
        return {each["id"]: each for each in json.loads((self.folder / "report" / "report.json").read_text())["outcomes"]}

    def test_without_a_backend_the_plugins_alone_are_meant(self):
        self.assertEqual(self.assay("list", "backends", "--plugin", "libright.so").split(), ["right"])
        self.assertEqual(self.assay("list", "ops", "--plugin", "libright.so").split(), ["softmax"])
        both = self.assay("list", "backends", "--plugin", "libright.so", "--backend", "host", "--backend", "right").split()
        self.assertEqual(both, ["host", "right"])
        self.assertIn("unknown backend 'right'", self.assay("list", "cases", "--backend", "right", code=2))

    def test_plugins_are_isolated_unless_that_is_refused(self):
        self.assay("run", "--plugin", "libuntouched.so", "--only", CASE.replace("right", "untouched"), "--out", "report", code=1)
        (outcome,) = self.outcomes().values()
        self.assertIn("--plugin libuntouched.so --isolate --timeout 120 --only", outcome["reproduce"])
        self.assay(*outcome["reproduce"].replace("'", "").split()[1:], code=1)
        self.assay("run", "--plugin", "libright.so", "--no-isolate", "--only", CASE, "--out", "report")
        self.assertIn("--no-isolate excludes", self.assay("run", "--plugin", "libright.so", "--no-isolate", "--timeout", "3", code=2))

    def test_what_cannot_be_loaded_is_told_whatever_is_selected(self):
        said = self.assay("run", "--plugin", "libnext-abi.so", "--plugin", "libright.so", "--backend", "right", "--only", CASE, "--out", "report", code=1)
        self.assertIn("built for plugin ABI 3.0", said)
        self.assertEqual({id: each["verdict"] for id, each in self.outcomes().items()}, {CASE: "pass", "load/next-abi/-/libnext-abi.so/-": "error"})
        self.assertIn("plugin ABI 3.0", self.assay("run", "--plugin", "libnext-abi.so", "--backend", "next-abi", code=1))
        shards = ["--plugin", "libnext-abi.so", "--plugin", "libright.so", "--op", "softmax", "--dtype", "f32", "--shard"]
        listed = [self.assay("list", "cases", *shards, f"{i}/2").split() for i in (1, 2)]
        self.assertEqual([any(id.startswith("load/") for id in part) for part in listed], [True, False])

    def test_doctor_names_plugins(self):
        said = self.assay("doctor", "--plugin", "libright.so", "--plugin", "libnext-abi.so")
        self.assertRegex(said, r"right +plugin libright.so: softmax")
        self.assertIn("plugin libnext-abi.so: it was built for plugin ABI 3.0", said)

    def test_a_failing_case_is_shrunk_and_kept(self):
        said = self.assay("minimize", CASE.replace("right", "untouched"), "--plugin", "libuntouched.so", "--out", "case.json")
        self.assertIn("assay run --no-config --case case.json --plugin libuntouched.so", said)
        self.assay("run", "--case", "case.json", "--plugin", "libuntouched.so", code=1)

    def host(self, *arguments):
        """What assay_validate returns without a plugin, in a process of its own, and what it says."""
        script = ("import ctypes, sys; library = ctypes.CDLL(sys.argv[1]); arguments = [each.encode() for each in sys.argv[2:]]\n"
                  "sys.exit(library.assay_validate(None, len(arguments), (ctypes.c_char_p * len(arguments))(*arguments)))")
        done = subprocess.run([sys.executable, "-c", script, LIBRARY, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def test_the_host_library_refuses_what_it_cannot_do(self):
        try:
            library = ctypes.CDLL(LIBRARY)
        except OSError as refused:
            if re.search("__(asan|ubsan|tsan)_", str(refused)):
                print("\nskipped: calls of the host library: Python is built without the sanitizer that it has", flush=True)
                self.skipTest(str(refused))
            raise
        self.assertEqual(library.assay_host_abi() >> 16, 2)
        for arguments, words in ((["run"], "it gave no description"), ([], "no arguments"), (["run", "--isolate"], "start processes"),
                                 (["run", "--timeout", "3"], "start processes"), (["run", "--backend", "onednn@avx2"], "start processes"),
                                 (["rum"], "unknown command 'rum'")):
            code, said = self.host(*arguments)
            self.assertEqual(code, 2, said)
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
