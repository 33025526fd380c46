"""What assay.check costs in Python beside the same check in C++ and torch.testing.assert_close, in one run.

    python_check.py [ELEMENTS]

ELEMENTS: 67108864 unless given, in rows of 1024. The C++ time is that which the library itself takes within the same call; the difference is Python's. PyTorch
is left out where it is not installed.
"""

import json
import sys
import time

import numpy

import assay


def seconds(call, repeat=3):
    best, result = float("inf"), None
    for _ in range(repeat):
        begin = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - begin)
    return best, result


def main(elements=64 << 20):
    x = numpy.random.default_rng(0).standard_normal((elements // 1024, 1024), "f4")
    power = numpy.exp(x - x.max(axis=1, keepdims=True))
    softmax = power / power.sum(axis=1, keepdims=True)
    del power
    cases = [("relu", numpy.maximum(x, 0), {}), ("softmax", softmax, {"dim": 1})]
    try:
        import torch
    except ImportError:
        torch = None
    print(f"{elements} elements of float32; seconds, the best of three")
    for operation, y, attributes in cases:
        begin = time.perf_counter()
        outcome = assay.check(operation, y, [x], **attributes)
        python = time.perf_counter() - begin
        inside = json.loads(outcome.json())["outcomes"][0]["duration_seconds"]
        for _ in range(2):
            begin = time.perf_counter()
            again = assay.check(operation, y, [x], **attributes)
            took = time.perf_counter() - begin
            if took < python:
                python, inside = took, json.loads(again.json())["outcomes"][0]["duration_seconds"]
        line = f"{operation:8s} {outcome.verdict}: assay.check {python:.2f}, of which in C++ {inside:.2f} (x{python / inside:.3f})"
        if torch is not None:
            a, b = torch.from_numpy(x), torch.from_numpy(y)
            reference = (lambda: torch.softmax(a.double(), 1).float()) if operation == "softmax" else lambda: torch.relu(a)
            plain, _ = seconds(lambda: torch.testing.assert_close(b, reference()))
            line += f"; torch.testing.assert_close with its reference {plain:.2f}"
        print(line)


if __name__ == "__main__":
    main(*[int(each) for each in sys.argv[1:2]])
