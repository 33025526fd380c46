"""Executes the notebooks of examples/labs as Jupyter would, each in a process and a folder of its own, and looks at what they leave.

  python3 labs.py ASSAY LABS ENVIRONMENT SITE [NAME…]

ENVIRONMENT is the virtual environment with numpy, SITE where the package assay is installed (see python_package.py), NAME a part of a
notebook's name. Exit status 77, which ctest calls skipped, where something is missing.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree
from pathlib import Path

DEADLINE = 300  # of a notebook, with sanitizers and neighbors; on two quiet cores each takes less than 60 s


def execute(path):
    """In the process of its own: the cells in one namespace, the value of each last expression shown."""
    names = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(Path(path).read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    value = None
    for number, cell in enumerate(cells, 1):
        place = f"{Path(path).name}, code cell {number}"
        try:
            tree = ast.parse("".join(cell["source"]), place)
            last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, place, "exec"), names)
            value = eval(compile(last, place, "eval"), names) if last else None
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            print(f"{place}: failed")
            return 1
    if not hasattr(value, "_repr_svg_"):
        print(f"{Path(path).name}: it does not end in a picture")
        return 1
    Path("picture.svg").write_text(value._repr_svg_(), encoding="utf-8")
    return 0


def run(notebook, environment, python):
    """Whether it ran, and what it said."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        try:
            done = subprocess.run([python, "-B", __file__, "--execute", str(notebook)], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=DEADLINE)
        except subprocess.TimeoutExpired as late:
            return False, f"{notebook.name}: took longer than {DEADLINE} s\n{(late.stdout or b'').decode(errors='replace')[-2000:]}"
        said = done.stdout + done.stderr
        if done.returncode != 0:
            return False, said
        picture = Path(folder, "picture.svg").read_text(encoding="utf-8")
        kept = [file for file in Path(folder).glob("*.svg") if file.name != "picture.svg"]
        if [file.read_text(encoding="utf-8") for file in kept] != [picture]:
            return False, f"{notebook.name}: {len(kept)} pictures in the working folder, and one is shown"
        shapes = [element.tag.split("}")[1] for element in xml.etree.ElementTree.fromstring(picture).iter()]
        if shapes.count("title") != 1 or shapes.count("text") < 5 or len(shapes) < 15:
            return False, f"{notebook.name}: a picture of {len(shapes)} elements shows nothing"
        if os.environ.get("ASSAY_KEEP_PICTURES"):
            Path(os.environ["ASSAY_KEEP_PICTURES"], notebook.stem + ".svg").write_text(picture, encoding="utf-8")
            Path(os.environ["ASSAY_KEEP_PICTURES"], notebook.stem + ".txt").write_text(said, encoding="utf-8")
        return True, f"{notebook.name}: {time.monotonic() - begin:.1f} s"


def faults_of(notebook):
    """What a lab is to say and to be, besides running."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    first, code = "".join(cells[0]["source"]), [cell for cell in cells if cell["cell_type"] == "code"]
    found = [f"does not say '{words}'" for words in ("**For whom**", "**You learn**", "**You need**") if words not in first]
    if not 5 <= len(code) <= 10:
        found.append(f"has {len(code)} code cells")
    if any(cell["outputs"] or cell["execution_count"] is not None for cell in code):
        found.append("keeps outputs; strip them")
    if sum("assert " in "".join(cell["source"]) or "code=" in "".join(cell["source"]) for cell in code) < 4:
        found.append("hardly asserts what it claims")
    return [f"{notebook.name} {each}" for each in found]


def main(tool, labs, environment, site, *chosen):
    python = os.path.join(environment, "bin", "python3")
    for needed, what in ((python, "cmake/test.sh makes the virtual environment"), (os.path.join(site, "assay"), "the test python_package makes it")):
        if not os.path.exists(needed):
            print(f"skipped: {needed} is not there; {what}")
            return 77
    tool, labs = str(Path(tool).resolve()), Path(labs).resolve()
    settings = {**os.environ, "ASSAY": tool, "PYTHONPATH": os.pathsep.join([os.path.abspath(site), str(labs)]), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    notebooks = sorted(labs.glob("*.ipynb"))
    bad = [] if len(notebooks) == 8 else [f"{len(notebooks)} notebooks, and there are to be 8"]
    checked = subprocess.run([tool, "notebooks", "check", str(labs), "--python", python, "--no-config"], capture_output=True, text=True, encoding="utf-8")
    if checked.returncode != 0 or checked.stdout.count("\npass ") + checked.stdout.startswith("pass ") != 2 * len(notebooks):
        bad.append(checked.stdout + checked.stderr)
    # An executor that sees nothing proves nothing.
    with tempfile.TemporaryDirectory() as folder:
        cells = [{"cell_type": "code", "source": source} for source in ("x = 1", "x + 1\nassert x == 2, 'that is wrong'")]
        wrong = Path(folder, "wrong.ipynb")
        wrong.write_text(json.dumps({"cells": cells}))
        ran, said = run(wrong, settings, python)
        if ran or "wrong.ipynb, code cell 2: failed" not in said or "that is wrong" not in said:
            bad.append(f"a notebook that fails was not seen: {said}")
        wrong.write_text(json.dumps({"cells": cells[:1]}))
        if run(wrong, settings, python)[0]:
            bad.append("a notebook without a picture was not seen")
    for notebook in notebooks:
        if chosen and not any(part in notebook.stem for part in chosen):
            continue
        bad += faults_of(notebook)
        ran, said = run(notebook, settings, python)
        print(said if ran else said[-4000:], flush=True)
        if not ran:
            bad.append(f"{notebook.name}: see above")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(execute(sys.argv[2]) if sys.argv[1] == "--execute" else main(*sys.argv[1:]))
