"""The speed of numpy.allclose and torch.testing.assert_close on the pairs that bench_compare saved.

    bench_compare --save FOLDER && python3 bench/compare_peers.py FOLDER [--repetitions N]

Prints a Markdown table of medians, and says so where numpy or torch is missing.
"""

import argparse
import pathlib
import statistics
import time


def median_seconds(repetitions, function):
    function()  # warm
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    rows = []
    try:
        import numpy
    except ImportError:
        raise SystemExit("numpy is missing: nothing to measure; install it with pip")
    actual, expected = (numpy.fromfile(options.folder / f"f32_{side}.raw", dtype=numpy.float32) for side in ("actual", "expected"))
    rows.append(("f32 / f32", "numpy.allclose", median_seconds(options.repetitions, lambda: numpy.allclose(actual, expected, rtol=1e-2, atol=1e-5))))
    try:
        import torch
    except ImportError:
        print("torch is missing: only numpy is measured; install it with pip\n")
    else:
        torch.set_num_threads(2)
        for name, kind in (("f32", torch.float32), ("bf16", torch.bfloat16)):
            left, right = (torch.from_file(str(options.folder / f"{name}_{side}.raw"), dtype=kind, size=actual.size).clone() for side in ("actual", "expected"))
            rows.append((f"{name} / {name}", "torch.testing.assert_close", median_seconds(options.repetitions, lambda: torch.testing.assert_close(left, right, rtol=2e-2, atol=1e-5))))
    print(f"{actual.size} elements a side\n\n| pair | tool | ms |\n|---|---|---|")
    for pair, tool, seconds in rows:
        print(f"| {pair} | {tool} | {seconds * 1e3:.1f} |")


if __name__ == "__main__":
    main()
