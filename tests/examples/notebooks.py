"""Tests assay notebooks check: right notebooks pass, each fault is named with its cell, and hostile files cost nothing but their own rows.

  python3 notebooks.py ASSAY [unittest options]
"""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
CODE = {"cell_type": "code", "id": "b", "metadata": {}, "source": ["x = 1\n", "x + 1"], "outputs": [
    {"output_type": "stream", "name": "stdout", "text": ["hi\n"]},
    {"output_type": "execute_result", "data": {"text/plain": "2"}, "metadata": {}, "execution_count": 1},
    {"output_type": "display_data", "data": {}, "metadata": {}},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}], "execution_count": 1}
TEXT = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Title", "attachments": {}}
WHOLE = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}},
         "cells": [TEXT, CODE, {"cell_type": "raw", "id": "c", "metadata": {}, "source": []}]}


def changed(*path_and_value):
    """WHOLE with one member set; without the member where the value is `...`."""
    *path, last, value = path_and_value
    notebook = copy.deepcopy(WHOLE)
    node = notebook
    for step in path:
        node = node[step]
    if value is ...:
        del node[last]
    else:
        node[last] = value
    return notebook


def of_code(*sources, **more):
    return {**WHOLE, "cells": [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": source, "outputs": [], "execution_count": None} for i, source in enumerate(sources)], **more}


class Notebooks(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else (content if isinstance(content, str) else json.dumps(content)).encode())
        return name

    def check(self, *arguments, code, says="", **how):
        done = subprocess.run([ASSAY, "notebooks", "check", *arguments, "--no-config"], cwd=self.folder, timeout=300, capture_output=True, encoding="utf-8", **how)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertRegex(said, re.compile(says, re.DOTALL))
        return said

    def test_right_notebooks_are_not_accused(self):
        self.write("lab/whole.ipynb", WHOLE)
        self.write("lab/old.ipynb", {"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [{k: v for k, v in CODE.items() if k != "id"}]})
        self.write("lab/magic.ipynb", of_code("%matplotlib inline\nimport os\n!ls -l 'it \\\n  goes on'\nfiles = !ls\nwhere = %pwd\nos.path?\n?os\nif files:\n    %time x = 1\ny = (5\n     % 3)",
                                              "%%bash\nfor i in 1; do echo (; done", "%%time\nx = 1", "await f()", "", "s = '''\n%d lines\n!'''\n"))
        self.write("lab/.ipynb_checkpoints/broken.ipynb", "{")
        self.write("lab/words.txt", "no notebook")
        said = self.check("lab", "--report", "run.json", code=0, says="3 notebooks: 6 rows pass, 0 fail")
        self.assertRegex(said, "pass +notebooks/whole/structure\npass +notebooks/whole/python")
        run = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(run["schema"], "assay-run/1")
        self.assertEqual({outcome["verdict"] for outcome in run["outcomes"]}, {"pass"})
        self.check("lab/whole.ipynb", "lab", "./lab/whole.ipynb", code=0, says="3 notebooks: 6")
        self.write("more/whole.ipynb", WHOLE)
        self.check("lab", "more", code=0, says="notebooks/lab/whole/python.*notebooks/more/whole/python")

    def test_each_fault_of_structure_is_named(self):
        faults = {
            "nbformat is 3": changed("nbformat", 3), "nbformat is missing": changed("nbformat", ...), "nbformat_minor is missing": changed("nbformat_minor", "5"),
            "metadata is missing": changed("metadata", ...), "cells is object, not a list": changed("cells", {}), "unknown field 'worksheets'": changed("worksheets", []),
            "it has no cells": changed("cells", []), "all its cells are empty": of_code(" \n", ""), "cell 2: it is number": changed("cells", 1, 4),
            "cell 2: cell_type is missing": changed("cells", 1, "cell_type", ...), "cell 2: unknown cell_type 'heading'": changed("cells", 1, "cell_type", "heading"),
            "cell 2: source is missing": changed("cells", 1, "source", ...), "cell 2: source is neither": changed("cells", 1, "source", ["x", 1]),
            "cell 2: metadata is missing": changed("cells", 1, "metadata", ...), "cell 2: outputs is missing": changed("cells", 1, "outputs", ...),
            "cell 2: execution_count is missing": changed("cells", 1, "execution_count", ...), "cell 2: execution_count is neither": changed("cells", 1, "execution_count", "1"),
            "cell 1: unknown field 'outputs'": changed("cells", 0, "outputs", []), "cell 2: id is missing": changed("cells", 1, "id", ...), "cell 2: id 'a' was another cell's": changed("cells", 1, "id", "a"),
            "cell 2: id 'a b' is not": changed("cells", 1, "id", "a b"), "cell 2: id '' is not": changed("cells", 1, "id", ""), "an id, which cells have from": changed("nbformat_minor", 4),
            "cell 2: unknown output_type 'pyout'": changed("cells", 1, "outputs", 0, "output_type", "pyout"), "cell 2: name is missing": changed("cells", 1, "outputs", 0, "name", ...),
            "execute_result has no execution_count": changed("cells", 1, "outputs", 1, "execution_count", ...), "cell 2: data is missing": changed("cells", 1, "outputs", 2, "data", ...),
            "cell 2: traceback is string": changed("cells", 1, "outputs", 3, "traceback", "x"), "kernelspec has no display_name": changed("metadata", "kernelspec", "display_name", ...),
            "kernelspec is no object": changed("metadata", "kernelspec", "python3"),
        }
        for i, (says, notebook) in enumerate(faults.items()):
            with self.subTest(says):
                self.check(self.write(f"f{i}.ipynb", notebook), code=1, says=f"fail +notebooks/f{i}/structure: [^\n]*{re.escape(says)}")

    def test_code_that_does_not_parse_is_named_with_cell_and_line(self):
        for i, (source, says) in enumerate({"x = (1": "cell 1, line 1", "x = 1\ny = = 2": "cell 1, line 2: invalid syntax: y = = 2", "print 'x'": "cell 1, line 1", "if x:\nprint(1)": "cell 1, line 2",
                                            "%time\nfor": "cell 1, line 2", "%%time\nx =": "cell 1, line 2", "\x00": "null bytes", "(" * 3000: "nested|too many"}.items()):
            with self.subTest(source[:20]):
                self.check(self.write(f"p{i}.ipynb", of_code(source)), code=1, says=f"pass +notebooks/p{i}/structure\n.*fail +notebooks/p{i}/python: [^\n]*({says})")
        self.check(self.write("two.ipynb", of_code("x = ", "y = 1", "z = ")), code=1, says="cell 1, line 1[^\n]*and 1 more\n +cell 3, line 1")

    def test_hostile_files_cost_their_own_rows_only(self):
        self.write("all/whole.ipynb", WHOLE)
        files = {"empty": b"", "torn": json.dumps(WHOLE).encode()[:200], "latin1": json.dumps(WHOLE).replace("Title", "T\u00eete").encode("latin-1").replace(b"\\u00ea", b"\xea"), "list": b"[]",
                 "deep": b'{"nbformat":4,"nbformat_minor":5,"metadata":' + b"[" * 2_000_000 + b"]" * 2_000_000 + b',"cells":[]}', "binary": os.urandom(5000),
                 "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "unary": json.dumps(of_code("x = " + "-" * 400_000 + "1")).encode(),
                 "escape": json.dumps(changed("cells", 1, "cell_type", "\x1b[31mred\n")).encode()}
        for name, content in files.items():
            self.write(f"all/{name}.ipynb", content)
        with open(self.folder / "all/huge.ipynb", "wb") as file:
            file.truncate(300 << 20)
        said = self.check("all", code=1, says="11 notebooks")
        for name, says in {"empty": "the file is empty", "torn": "it is no JSON", "latin1": "it is no JSON.*UTF-8", "list": "holds array", "deep": "more than 100 deep", "binary": "it is no JSON",
                           "pointer": "a pointer of Git LFS", "huge": "300 MiB", "escape": r"unknown cell_type '\\x1b"}.items():
            self.assertRegex(said, f"fail +notebooks/{name}/structure: [^\n]*{says}")
        self.assertRegex(said, "fail +notebooks/unary/python")
        self.assertRegex(said, "pass +notebooks/whole/structure\npass +notebooks/whole/python")
        self.assertNotIn("\x1b", said)

    def test_what_cannot_be_judged_is_no_pass(self):
        self.write("julia.ipynb", {**of_code("x = 1 ; end"), "metadata": {"language_info": {"name": "julia"}}})
        self.check("julia.ipynb", code=0, says="unsupported +notebooks/julia/python: its language is julia")
        self.check(self.write("words.ipynb", {**WHOLE, "cells": [TEXT]}), code=0, says="skipped +notebooks/words/python: it has no code")
        self.write("whole.ipynb", WHOLE)
        self.check("whole.ipynb", "--python", "/no/such/python", code=0, says="pass +notebooks/whole/structure\nunsupported +notebooks/whole/python: '/no/such/python' cannot be started")
        self.check("whole.ipynb", "--python", "false", code=1, says="error +notebooks/whole/python: 'false' did not parse it: exit code 1")
        self.check("nowhere.ipynb", code=2, says="neither a file nor a folder")
        (self.folder / "none").mkdir()
        self.check("none", code=2, says="holds no \\*.ipynb")
        self.check(code=2, says="paths")
        self.check("whole.ipynb", "--report", "none/no/run.json", code=2, says="run.json")


if __name__ == "__main__":
    unittest.main()
