"""Runs the program of the first page and holds the table that the page shows against what it prints, all but the times.

  python3 custom_backend.py PROGRAM
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve()
README = Path(__file__).resolve().parents[2] / "README.md"


def lines_of(text):
    """Without times, and without the blanks before them."""
    return [re.sub(r" +time$| +[\d.]+ m?s\b| in [\d.]+ m?s$", "", line.rstrip()) for line in text.splitlines() if line.strip() and not line.startswith("─")]


with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([PROGRAM], cwd=folder, capture_output=True, text=True)
    page = Path(folder, "my_accelerator.html")
    assert page.exists() and page.stat().st_size > 10_000, "my_accelerator.html was not written"
assert done.returncode == 0, done.stdout + done.stderr
shown = lines_of(re.search(r"```text\n(backend .*?)```", README.read_text(encoding="utf-8"), re.S)[1])
printed = lines_of(done.stdout)
assert len(shown) == 3 and shown == printed[-3:], f"the page shows\n{shown}\nand the program prints\n{printed[-3:]}"
