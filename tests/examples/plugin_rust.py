"""plugin_rust.py PROGRAM SOURCE: examples/plugin_rust, built by rustc and run by the `assay` tool, passes where it has a kernel.

Exit status 77, which ctest calls skipped, where there is no rustc of 1.80 or newer.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def compiler():
    """rustc and its version, or None."""
    found = shutil.which("rustc", path=os.pathsep.join([os.environ.get("PATH", ""), str(Path.home() / ".cargo" / "bin")]))
    said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout if found else ""
    version = re.match(r"rustc (\d+)\.(\d+)", said)
    return (found, tuple(map(int, version.groups()))) if version else None


def main(program, source):
    rustc = compiler()
    if not rustc or rustc[1] < (1, 80):
        print(f"skipped: {'rustc is ' + '.'.join(map(str, rustc[1])) + ', and 1.80 is needed' if rustc else 'there is no rustc'}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "librust.so"
        subprocess.run([rustc[0], "--edition", "2021", "--crate-type", "cdylib", "-O", "-D", "warnings", source, "-o", library], check=True)
        done = subprocess.run([program, "run", "--no-config", "--plugin", library, "--dtype", "f32", "--out", "report"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            return 1
        outcomes = json.loads((Path(folder) / "report" / "report.json").read_text())["outcomes"]
        verdicts = [outcome["verdict"] for outcome in outcomes]
        print(f"{verdicts.count('pass')} of {len(verdicts)} cases passed, {verdicts.count('unsupported')} are unsupported")
        return 0 if verdicts.count("pass") > 30 and set(verdicts) == {"pass", "unsupported"} else 1


if __name__ == "__main__":
    sys.exit(main(*(str(Path(path).resolve()) for path in sys.argv[1:3])))
