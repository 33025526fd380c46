"""Which share of each area's lines tests ran, from what gcc's --coverage left in a build folder.

    coverage.py BUILD SOURCE     prints a table, and keeps it with the lines that nothing ran in BUILD/coverage.txt
    coverage.py --total FILE     prints the line of that file that sums it up

A line of a header counts once, however many units contain it: it ran if it ran in one of them.
"""

import collections
import concurrent.futures
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def lines_of(data, include):
    """{header: {line: whether it ran}} of one unit."""
    found = collections.defaultdict(dict)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["gcov", "--json-format", str(data)], cwd=folder, capture_output=True)
        if done.returncode != 0:
            return found
        for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
            with gzip.open(path) as stream:
                report = json.load(stream)
            for file in report["files"]:
                header = os.path.realpath(os.path.join(report["current_working_directory"], file["file"]))
                if not header.startswith(include):
                    continue
                own = found[header[len(include):]]
                for line in file["lines"]:
                    number = line["line_number"]
                    own[number] = own.get(number, False) or line["count"] > 0
    return found


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--total":
        path = pathlib.Path(sys.argv[2])
        totals = [line for line in path.read_text().splitlines() if line.startswith("all ")] if path.exists() else []
        print("lines run: " + " ".join(totals[0].split()[1:]) if totals else "no coverage was noted")
        return 0 if totals else 1
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    build, include = pathlib.Path(sys.argv[1]).resolve(), os.path.realpath(sys.argv[2]) + "/include/assay/"
    data = sorted(build.rglob("*.gcda"))
    if not data:
        print(f"coverage.py: no *.gcda lies in {build}; were tests run there, built with --coverage?", file=sys.stderr)
        return 1
    lines = collections.defaultdict(dict)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lines_of, data, [include] * len(data), chunksize=4):
            for header, own in found.items():
                for number, ran in own.items():
                    lines[header][number] = lines[header].get(number, False) or ran
    areas = collections.defaultdict(lambda: [0, 0])
    for header, own in lines.items():
        for name in (header.split("/")[0], "all"):
            areas[name][0] += sum(own.values())
            areas[name][1] += len(own)
    table = [f"{name:14} {ran / total:6.1%}  {ran} of {total} lines" for name, (ran, total) in sorted(areas.items(), key=lambda a: (a[0] == "all", a[0]))]
    print("\n".join(table))
    missed = [f"{header}: {','.join(str(number) for number, ran in sorted(own.items()) if not ran)}"
              for header, own in sorted(lines.items()) if not all(own.values())]
    (build / "coverage.txt").write_text("\n".join(table) + "\n\nLines that nothing ran:\n" + "\n".join(missed) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
