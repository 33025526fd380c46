"""Whether pages.py and snippets.py see what is wrong: each on a small project that has one mistake.

  python3 pages_itself.py SOURCE
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()
HERE = SOURCE / "tests/structure"

BENCH = "# bench\n\n## Rates\n\n| fault | ours | theirs |\n|---|---|---|\n| **all** | 100 | 48 |\n\nNone of 1,000 runs is accused.\n"
TABLE = "<!-- figures by column: **all**: Rates -->\n| rule | caught |\n|---|---|\n| **ours** | **100** |\n| theirs | 48 |\n"


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        for name in ("bench", "include", "cmake"):
            (self.root / name).mkdir()
        (self.root / "cmake/components.cmake").write_text((SOURCE / "cmake/components.cmake").read_text())
        (self.root / "bench/README.md").write_text(BENCH)

    def run_script(self, script, page, *arguments):
        (self.root / "README.md").write_text(page)
        done = subprocess.run([sys.executable, "-B", HERE / script, *arguments[:1], self.root, *arguments[1:]] if script == "snippets.py" else [sys.executable, "-B", HERE / script, self.root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class Pages(Project):
    figures = (TABLE + "\n") * 12  # as many as a project has at least

    def test_what_is_right_is_not_accused(self):
        page = "# A title, twice\n\n[there](bench/README.md#rates), [here](#a-title-twice), `[code](nowhere)`\n\n```sh\n# [x](nowhere)\n```\n\n<!-- figures: None of 1,000 runs -->\nOf 1,000 runs none.\n\n"
        self.assertEqual(self.run_script("pages.py", page + self.figures), (0, "2 pages, 2 links, 25 figures\n"))

    def test_mistakes_are_seen(self):
        for page, message in [
            ("[x](nowhere.md)\n", "README.md:1: nowhere.md leads to nothing"),
            ("[x](bench/README.md#speed)\n", "has no heading of that name"),
            ("[x](../secret.md)\n", "leads to nothing"),
            ('<img src="picture.png">\n', "picture.png leads to nothing"),
            (TABLE.replace("| theirs | 48", "| theirs | 49"), "theirs: 49, where 'Rates' has 48"),
            (TABLE.replace("| theirs", "| others"), "has no column 'others'"),
            (TABLE.replace("Rates", "Speeds"), "no table 'Speeds'"),
            ("<!-- figures: None of 2,000 runs -->\nNone of 2,000.\n", "does not say 'None of 2,000 runs'"),
            ("<!-- figures: None of 1,000 runs -->\nOf 1,000 runs 3.5 %.\n", "the figure 3.5 is in none"),
        ]:
            with self.subTest(message):
                code, said = self.run_script("pages.py", page + "\n" + self.figures)
                self.assertEqual(code, 1)
                self.assertIn(message, said)

    def test_lost_marks_are_seen(self):
        self.assertIn("were their marks lost?", self.run_script("pages.py", "nothing\n")[1])


class Snippets(Project):
    tool = "#!/bin/sh\ncase \"$*\" in *--wrong*) echo 'unknown option' >&2;; *) echo 'no file /no/such/settings.toml' >&2;; esac\nexit 2\n"

    def check(self, page):
        tool = self.root / "assay"
        tool.write_text(self.tool)
        tool.chmod(0o755)
        return self.run_script("snippets.py", page, "test", "", str(tool))

    def test_what_is_right_is_not_accused(self):
        page = '```sh\nassay run --out x && assay list ops   # --wrong\n```\n```json\n{"a": 1} // why\n```\n```cmake\nfind_package(assay COMPONENTS json)\n```\n<!-- snippet: left out: needs a device that is not here -->\n```cpp\n?\n```\n<!-- snippet: run, exit 3 -->\n```sh\nexit 3\n```\n'
        self.assertEqual(self.check(page)[0], 0, self.check(page)[1])

    def test_mistakes_are_seen(self):
        for page, message in [
            ("```sh\nassay list ops && assay run --wrong\n```\n", "unknown option"),
            ("```sh\nif\n```\n", "syntax error"),
            ("<!-- snippet: run -->\n```sh\nfalse\n```\n", "exit code 1 where 0 was expected"),
            ("<!-- snippet: run -->\n```sh\nfalse\ntrue\n```\n", "exit code 1 where 0 was expected"),
            ('```json\n{"a": }\n```\n', "README.md:2: Expecting value"),
            ("```toml\na = \n```\n", "Invalid value"),
            ("```python\ndef\n```\n", "invalid syntax"),
            ("```cmake\nfind_package(assay COMPONENTS jsno)\n```\n", "there is no component 'jsno'"),
            ("<!-- snippet: left out -->\n```cpp\n?\n```\n", "left out without a reason"),
            ("```brainfuck\n+\n```\n", "the language 'brainfuck'"),
            ("```sh\ntrue\n", "fences"),
            ("<!-- snippet: run -->\n\n```sh\ntrue\n```\n", "stands directly before its block"),
            ("<!-- snippet: same as bench/README.md -->\n```cpp\n?\n```\n", "is not bench/README.md"),
            ("<!-- snippet: run, says two -->\n```sh\necho one\n```\n", "does not say 'two'"),
            ("<!-- snippet: run, prints -->\n```sh\necho 1\n```\n```text\n2\n```\n", "and the page shows"),
        ]:
            with self.subTest(message):
                code, said = self.check(page)
                self.assertEqual(code, 1)
                self.assertIn(message, said)

    def test_cpp_becomes_a_unit(self):
        page = '```cpp\n#include "assay/report/json.hpp"\n\nint main() {\n  twice();\n}\n```\n<!-- snippet: body returning int\n#include <vector>\nint of_mine;\n---\nint x = 1;\n-->\n```cpp\nreturn x;\n```\n'
        code, said = self.run_script("snippets.py", page, "generate", str(self.root / "out"))
        self.assertEqual((code, said), (0, "STATUS README.md:2 is left out: json not found\nUNIT snippets_together.cpp\n"))
        code, said = self.run_script("snippets.py", page, "generate", str(self.root / "out"), "json")
        unit = (self.root / "out/snippets_together.cpp").read_text()
        for line in ('#include "assay/report/json.hpp"', "int snippet_main(int, char**) {\n  twice();\n  return 0;\n}", 'snippets::add("on___2", snippet_main)',
                     "int of_mine;\nint snippet() {\nint x = 1;", '#line 15 "README.md"\nreturn x;'):
            self.assertIn(line, unit)


if __name__ == "__main__":
    unittest.main()
