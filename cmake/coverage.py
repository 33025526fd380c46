"""Which share of each area's lines tests ran, from the profiles that programs built with clang 19's coverage left.

    coverage.py BUILD SOURCE     of BUILD/profiles/*.profraw: prints a table, and keeps it with the lines that nothing ran in BUILD/coverage.txt
    coverage.py --total FILE     prints the line of that file that sums it up

A line of a header counts once, however many units contain it: it ran if it ran in one of them. A process that is killed,
or leaves by _exit, leaves no profile.
"""

import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys


def instrumented(path):
    """Whether a file is a program or a library that tells its lines."""
    if path.is_symlink() or not path.is_file() or not os.access(path, os.X_OK):
        return False
    content = path.read_bytes()
    return content.startswith(b"\x7fELF") and b"__llvm_covmap" in content


def lines_of(program, profile, include):
    """{header: {line: whether it ran}} of one program, and what hindered."""
    done = subprocess.run(["llvm-cov-19", "export", "-format=lcov", "-skip-functions", "-instr-profile", str(profile), str(program),
                           "--sources", include], capture_output=True, text=True)
    found = collections.defaultdict(dict)
    own = None
    for line in done.stdout.splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            header = os.path.realpath(value)
            own = found[header[len(include):]] if header.startswith(include) else None
        elif key == "DA" and own is not None:
            number, count = value.split(",")[:2]
            own[int(number)] = own.get(int(number), False) or int(count) > 0
    return found, "" if done.returncode == 0 else f"{program}: {done.stderr.strip()}"


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
    (build / "coverage.txt").unlink(missing_ok=True)
    raw = sorted((build / "profiles").glob("*.profraw"))
    if not raw:
        print(f"coverage.py: no *.profraw lies in {build}/profiles; were tests run there by cmake/test.sh --stage asan?", file=sys.stderr)
        return 1
    profile, names = build / "tests.profdata", build / "profiles" / "names.txt"
    names.write_text("".join(f"{path}\n" for path in raw))
    subprocess.run(["llvm-profdata-19", "merge", "-sparse", "-failure-mode=all", f"-input-files={names}", "-o", str(profile)], check=True)
    programs = [path for path in sorted(build.rglob("*")) if "CMakeFiles" not in path.parts and instrumented(path)]
    lines, hindered = collections.defaultdict(dict), []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for found, hindrance in pool.map(lines_of, programs, [profile] * len(programs), [include] * len(programs)):
            hindered += [hindrance] if hindrance else []
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
    for hindrance in hindered:
        print(hindrance, file=sys.stderr)
    missed = [f"{header}: {','.join(str(number) for number, ran in sorted(own.items()) if not ran)}"
              for header, own in sorted(lines.items()) if not all(own.values())]
    (build / "coverage.txt").write_text("\n".join(table) + "\n\nLines that nothing ran:\n" + "\n".join(missed) + "\n")
    return 1 if hindered or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
