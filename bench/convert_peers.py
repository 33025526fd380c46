"""The speed of ml_dtypes' numpy casts and of PyTorch's .to() between float32 and the formats that bench_convert measures.

    python3 bench/convert_peers.py [--elements N] [--repetitions N] [--threads N]

Prints a Markdown table of medians, and says so where ml_dtypes or torch is missing. numpy casts on one thread.
"""

import argparse
import statistics
import time

FORMATS = {
    "bf16": ("bfloat16", "bfloat16"),
    "f16": ("float16", "float16"),
    "e4m3fn": ("float8_e4m3fn", "float8_e4m3fn"),
    "e5m2": ("float8_e5m2", "float8_e5m2"),
    "e4m3fnuz": ("float8_e4m3fnuz", "float8_e4m3fnuz"),
    "e5m2fnuz": ("float8_e5m2fnuz", "float8_e5m2fnuz"),
}


def median_milliseconds(repetitions, function):
    function()  # warm
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return f"{statistics.median(times) * 1e3:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=64 << 20)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    try:
        import numpy
        import ml_dtypes
    except ImportError as missing:
        raise SystemExit(f"{missing}: nothing to measure; install ml_dtypes with pip")
    try:
        import torch
    except ImportError:
        torch = None
        print("torch is missing: only numpy with ml_dtypes is measured; install it with pip\n")
    singles = numpy.random.default_rng(1).standard_normal(options.elements, dtype=numpy.float32)
    if torch:
        torch.set_num_threads(options.threads)
        torch_singles = torch.from_numpy(singles)
    print(f"{options.elements} elements; numpy {numpy.__version__}, ml_dtypes {ml_dtypes.__version__}" + (f", torch {torch.__version__} on {options.threads} threads" if torch else ""))
    print("\n| conversion | numpy and ml_dtypes, ms | torch, ms |\n|---|---|---|")
    for name, (numpy_name, torch_name) in FORMATS.items():
        kind = numpy.float16 if numpy_name == "float16" else getattr(ml_dtypes, numpy_name)
        codes = singles.astype(kind)
        results = numpy.empty_like(singles)
        narrow = median_milliseconds(options.repetitions, lambda: numpy.copyto(codes, singles, casting="unsafe"))
        wide = median_milliseconds(options.repetitions, lambda: numpy.copyto(results, codes, casting="unsafe"))
        torch_narrow = torch_wide = "–"
        if torch and hasattr(torch, torch_name):
            torch_kind = getattr(torch, torch_name)
            torch_codes, torch_results = torch_singles.to(torch_kind), torch.empty_like(torch_singles)
            torch_narrow = median_milliseconds(options.repetitions, lambda: torch_codes.copy_(torch_singles))
            torch_wide = median_milliseconds(options.repetitions, lambda: torch_results.copy_(torch_codes))
        print(f"| f32 → {name} | {narrow} | {torch_narrow} |\n| {name} → f32 | {wide} | {torch_wide} |", flush=True)


if __name__ == "__main__":
    main()
