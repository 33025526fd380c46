#!/usr/bin/env python3
"""What Assay costs compilers: every umbrella header, headers of a part, the README's program and a suite of twenty operations, beside Kokkos,
JSON for Modern C++, Catch2 and Eigen. Medians of interleaved compilations of one unit, as Markdown.

    bench/compile_time.py [--rounds N] [--compilers g++,clang++-16,...] [--suite]

Without --suite, headers and the program; with it, the suite alone (minutes). Needs no packages; a compiler or library that is not
here has a row that says so. Exit code: 0, or 1 where something of Assay's does not compile.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ["Kokkos_Core.hpp", "nlohmann/json.hpp", "catch2/catch.hpp", "Eigen/Dense"]
SPANNING = ["assay.hpp", "all.hpp"]
PARTS = ["assay/compare/compare.hpp", "assay/kernels/softmax/softmax.hpp", "assay/validators/gemm_suite.hpp"]
PLACES = ["/usr/include/trilinos", "/usr/include/kokkos", "/usr/include/eigen3"]


def umbrellas():
    """The headers directly in include/assay, the two that span areas first."""
    names = sorted(path.name for path in (ROOT / "include/assay").glob("*.hpp"))
    return ["assay/" + name for name in SPANNING + [name for name in names if name not in SPANNING]]


def command(compiler, source, output, options):
    line = [compiler, "-std=c++20", f"-I{ROOT / 'include'}"]
    if pathlib.Path(compiler).name.startswith("nvcc"):
        line += ["-x", "cu", "-arch=sm_90", "-w"]
        line += [f"-isystem={place}" for place in PLACES if os.path.isdir(place)]
    else:
        line += ["-w", "-fopenmp"]
        for place in PLACES:
            if os.path.isdir(place):
                line += ["-isystem", place]
    return line + options + ["-c", str(source), "-o", str(output)]


def compile_once(compiler, source, output, options):
    """Seconds, and peak memory in MB of the largest process; None with the first error where it fails."""
    line = command(compiler, source, output, options)
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(line, stdout=messages, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        if process.returncode != 0:
            messages.seek(0)
            errors = [text.strip() for text in messages if "error" in text]
            return None, errors[0] if errors else "failed"
    return seconds, usage.ru_maxrss / 1024


def measure(compiler, units, rounds, options):
    """Rows (name, median seconds, peak MB, bytes of the object), or (name, None, reason, None)."""
    seconds, memory, failed = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        sources = {}
        for number, (name, text) in enumerate(units):
            sources[name] = pathlib.Path(folder) / f"{number}.cpp"
            sources[name].write_text(text)
        for _ in range(rounds):
            for name, source in sources.items():
                if name in failed:
                    continue
                taken, detail = compile_once(compiler, source, source.with_suffix(".o"), options)
                if taken is None:
                    failed[name] = detail
                else:
                    seconds.setdefault(name, []).append(taken)
                    memory[name] = max(memory.get(name, 0), detail)
        return [
            (name, None, failed[name], None)
            if name in failed
            else (name, statistics.median(seconds[name]), memory[name], source.with_suffix(".o").stat().st_size)
            for name, source in sources.items()
        ]


def including(header):
    return (header, f"#include <{header}>\nint unit() {{ return 0; }}\n")


def tables(compiler, rounds):
    """Prints the table of headers; says whether all of Assay's compiled."""
    program = ROOT / "examples/custom_backend/main.cpp"
    units = [("nothing", "int unit() { return 0; }\n")]
    units += [including(name) for name in PEERS + umbrellas() + PARTS]
    units.append(("examples/custom_backend/main.cpp", program.read_text()))
    rows = measure(compiler, units, rounds, ["-O2"])
    kokkos = next((seconds for name, seconds, _, _ in rows if name == "Kokkos_Core.hpp"), None)
    print("| included | s | to Kokkos | memory, MB |\n|---|---|---|---|")
    right = True
    for name, seconds, memory, _ in rows:
        if seconds is None:
            print(f"| {name} | not here: {memory} | | |")
            right = right and name in PEERS
        else:
            ratio = f"{seconds / kokkos:.2g}" if kokkos else ""
            print(f"| {name} | {seconds:.2f} | {ratio} | {memory:.0f} |")
    return right


def suite_table(compiler, rounds):
    source = (ROOT / "bench/compile_time/suite.cpp").read_text()
    shared = source.replace("namespace {", "extern template struct assay::OperandComparison<assay::Host>;\n\nnamespace {", 1)
    units = [("all", source), ("all but the comparison, which another unit has", shared)]
    print("| compiled | options | s | memory, MB | object, MB |\n|---|---|---|---|---|")
    right = True
    for options in (["-O0"], ["-O2"], ["-O2", "-g"]):
        for name, seconds, memory, size in measure(compiler, units, rounds, options):
            if seconds is None:
                print(f"| {name} | {' '.join(options)} | failed: {memory} | | |")
                right = False
            else:
                print(f"| {name} | {' '.join(options)} | {seconds:.0f} | {memory:.0f} | {size / 1e6:.1f} |")
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compilers", default="g++,clang++-16,clang++-19,nvcc")
    parser.add_argument("--suite", action="store_true")
    arguments = parser.parse_args()
    right = True
    for name in arguments.compilers.split(","):
        compiler = shutil.which(name)
        if compiler is None:
            print(f"{name}: not here\n")
            continue
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()
        print(f"{version[-1] if name == 'nvcc' else version[0]}, {arguments.rounds} rounds\n")
        right = (suite_table if arguments.suite else tables)(compiler, arguments.rounds) and right
        print()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
