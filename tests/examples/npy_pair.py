"""npy_pair.py PROGRAM: looks at the exit codes and messages of examples/npy_pair on files that numpy makes.

Exit status 77, which ctest calls skipped, where numpy is not installed.
"""

import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed (Debian and Ubuntu: apt-get install python3-numpy)")
    sys.exit(77)


def main(program):
    failures = []
    with tempfile.TemporaryDirectory() as directory:

        def save(name, array):
            np.save(os.path.join(directory, name), array)

        def expect(code, text, *arguments):
            done = subprocess.run([program, *arguments], cwd=directory, capture_output=True, text=True)
            said = done.stdout + done.stderr
            if done.returncode != code or text not in said:
                failures.append(f"npy_pair {' '.join(arguments)}: exit code {done.returncode}, not {code}, or nothing like '{text}' in\n{said}")

        x = np.linspace(-3, 3, 24).reshape(2, 3, 4)
        wrong = x.copy()
        wrong[1, 0, 2] += 0.5
        nan = x.copy()
        nan[0, 2, 3] = np.nan
        for dtype in ("f8", "f4", "f2"):
            save(dtype, x.astype(dtype))
            save(f"wrong-{dtype}", wrong.astype(dtype))
            save(f"nan-{dtype}", nan.astype(dtype))
            actual = f"{dtype}.npy"
            expect(0, "all 24 elements lie in their acceptance interval (2 x 3 x 4 of f" + str(8 * int(dtype[1])), actual, actual, "exact")
            expect(0, "all 24 elements", actual, "f8.npy")
            expect(1, "worst at [1, 0, 2]: actual", f"wrong-{dtype}.npy", "f8.npy")
            expect(1, "1 of 24 elements lies outside", "f8.npy", f"wrong-{dtype}.npy", "atol=0.1,rtol=0.1")
            expect(1, "1 element is NaN where a number is due", f"nan-{dtype}.npy", "f8.npy", "relaxed")
            expect(1, "1 element is a number where NaN is due", actual, "nan-f8.npy")
            expect(0, "all 24 elements", f"nan-{dtype}.npy", "nan-f8.npy")
        brain = (x.astype("<f4").view("<u4") >> 16).astype("<u2").view("V2")
        save("bf16", brain)
        expect(0, "of bf16", "bf16.npy", "f8.npy")
        expect(0, "of bf16", "bf16.npy", "bf16.npy", "exact")
        expect(1, "of bf16", "bf16.npy", "wrong-f8.npy")
        expect(1, "tolerance: ulps: accept within 2 units", "wrong-f4.npy", "f8.npy", "ulps=2")
        expect(1, "accept |out - r| <= 0.25 + 0*|r|", "wrong-f4.npy", "f8.npy", "atol=0.25")
        expect(0, "accept |out - r| <= 0.75 + 0*|r|", "wrong-f4.npy", "f8.npy", "atol=0.75")

        save("transposed", x.reshape(4, 3, 2))
        save("shorter", x[:1])
        save("empty", np.zeros((0, 3)))
        save("scalar", np.float32(2))
        expect(1, "the extents differ: the output has 2 x 3 x 4 elements of f32, expected are 4 x 3 x 2", "f4.npy", "transposed.npy")
        expect(1, "the extents differ", "f4.npy", "shorter.npy")
        expect(0, "empty, as expected (0 x 3 elements of f64): nothing was compared", "empty.npy", "empty.npy")
        expect(0, "1 element lies in its acceptance interval", "scalar.npy", "scalar.npy")

        save("integer", x.astype("<i4"))
        save("complex", x.astype("<c8"))
        save("big", x.astype(">f4"))
        with open(os.path.join(directory, "text.npy"), "w") as file:
            file.write("no array")
        expect(2, "missing.npy: no such file", "missing.npy", "f4.npy")
        expect(2, "missing.npy: no such file", "f4.npy", "missing.npy")
        expect(2, "integer.npy: dtype '<i4' is none of f2, f4, f8 and bfloat16 (V2); convert first", "f4.npy", "integer.npy")
        expect(2, "integer.npy: dtype '<i4'", "integer.npy", "f4.npy")
        expect(2, "complex.npy", "complex.npy", "f4.npy")
        expect(0, "all 24 elements lie in", "big.npy", "f4.npy")  # of the other byte order
        expect(2, "text.npy: not an npy file", "text.npy", "f4.npy")
        expect(2, "usage: npy_pair", "f4.npy")
        expect(2, "unknown tolerance 'nomal'", "f4.npy", "f4.npy", "nomal")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main(sys.argv[1]))
