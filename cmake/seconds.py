"""Prints where the time of a build and its tests went, by area: seconds.py BUILD-FOLDER

Compile seconds are those of the steps in .ninja_log, each from its beginning to its end; of steps that ran side by side they
add up to more than the clock's. Run seconds are those that ctest noted. What came from a compiler's cache took almost nothing.
"""

import collections
import pathlib
import re
import sys


def area_of_step(output):
    """"tests/CMakeFiles/test_kernels.dir/kernels/sort.cpp.o" is of tests of kernels."""
    for pattern, area in (
        (r"assay-compiled/|assay_compiled", "assay::compiled"),
        (r"^examples/CMakeFiles/assay|^bin/assay", "the tool"),
        (r"^examples/", "other examples"),
        (r"^bench/|^bin/bench_", "benches"),
        (r"^tests/structure/", "structure"),
        (r"^tests/devices/|test_devices", "devices"),
        (r"^(?:tests/CMakeFiles|bin)/test_([a-z]+)", r"\1"),
    ):
        found = re.search(pattern, output)
        if found:
            return found.expand(area)
    return "other"


def area_of_test(name):
    for pattern, area in (
        (r"^test_devices", "devices"),
        (r"^test_([a-z]+)", r"\1"),
        (r"^(assay|bench_results)", "the tool"),
        (r"^example", "other examples"),
        (r"^(consumer|compile_fail|compiler|structure|package|reference|api|format|snippets|pages|headers)", "structure"),
    ):
        found = re.search(pattern, name)
        if found:
            return found.expand(area)
    return "other"


def compile_seconds(folder):
    seconds = collections.Counter()
    log = folder / ".ninja_log"
    if log.exists():
        steps = {}
        for line in log.read_text().splitlines()[1:]:
            begin, end, _, output, command = line.split("\t")
            steps[output] = (int(begin), int(end), command)  # the last time it was made
        seen = set()
        for output, (begin, end, command) in steps.items():
            if (begin, end, command) not in seen:  # a step may have several outputs
                seen.add((begin, end, command))
                seconds[area_of_step(output)] += (end - begin) / 1000
    return seconds


def run_seconds(folder):
    seconds = collections.Counter()
    log = folder / "Testing/Temporary/LastTest.log"
    if log.exists():
        name = "other"
        for line in log.read_text(errors="replace").splitlines():
            test = re.match(r"\d+/\d+ Test: (.*)", line)
            name = test.group(1) if test else name
            took = re.match(r"Test time =\s+([0-9.]+) sec", line)
            if took:
                seconds[area_of_test(name)] += float(took.group(1))
    return seconds


def main():
    folder = pathlib.Path(sys.argv[1])
    compiled, ran = compile_seconds(folder), run_seconds(folder)
    print(f"{'seconds by area':18}{'compile':>9}{'run':>9}")
    for area in sorted(set(compiled) | set(ran), key=lambda area: -(compiled[area] + ran[area])):
        print(f"{area:18}{compiled[area]:9.0f}{ran[area]:9.0f}")
    print(f"{'all':18}{sum(compiled.values()):9.0f}{sum(ran.values()):9.0f}")


if __name__ == "__main__":
    main()
