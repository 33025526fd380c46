"""numpy_oracle.py PROGRAM: numpy writes files that the test program reads, and reads the files that it writes.

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


def save(directory, manifest, name, array, values=None, version=None):
    with open(os.path.join(directory, name), "wb") as file:
        np.lib.format.write_array(file, array, version=version)
    values = array if values is None else values
    numbers = [float(x).hex() for x in values.ravel()]
    manifest.write(" ".join([name, str(array.ndim), *map(str, array.shape), str(array.size), *numbers]) + "\n")


def main(program):
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "manifest.txt"), "w") as manifest:
            for dtype in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
                signed = -1 if dtype[0] != "u" else 1
                array = (np.arange(24) * signed).astype("<" + dtype).reshape(2, 3, 4)
                save(directory, manifest, f"{dtype}.npy", array)
                save(directory, manifest, f"{dtype}-scalar.npy", array[1, 1, 1].reshape(()))
                save(directory, manifest, f"{dtype}-big.npy", array.astype(">" + dtype))
                save(directory, manifest, f"{dtype}-columns.npy", np.asfortranarray(array))
            save(directory, manifest, "bool.npy", np.array([True, False, True]))
            save(directory, manifest, "empty.npy", np.zeros((3, 0), "<f4"))
            for major in (1, 2, 3):
                save(directory, manifest, f"version{major}.npy", np.linspace(-1, 1, 7), version=(major, 0))
            single = np.array([1, -2.5, 0.15625], "<f4")
            save(directory, manifest, "bf16.npy", (single.view("<u4") >> 16).astype("<u2").view("V2"), values=single)
        environment = dict(os.environ, ASSAY_NUMPY_DIRECTORY=directory)
        subprocess.run([program, "[.numpy]"], check=True, env=environment)
        expected = (np.arange(6) * 0.75 - 1).reshape(2, 3)
        for dtype in ["f2", "f4", "f8"]:
            array = np.load(os.path.join(directory, f"ours-{dtype}.npy"))
            assert array.dtype == np.dtype("<" + dtype), array.dtype
            assert np.array_equal(array, expected), array
        brain = np.load(os.path.join(directory, "ours-bf16.npy"))
        assert brain.dtype.itemsize == 2 and brain.shape == (2, 3), brain
        assert np.array_equal((brain.view("<u2").astype("<u4") << 16).view("<f4"), expected), brain
        for dtype in ("O", [("x", "<f4")], "<c8", "<U3"):  # what we refuse must be what numpy really writes
            np.save(os.path.join(directory, "refused.npy"), np.zeros(3, dtype))
        print("numpy", np.__version__, "agrees")


main(sys.argv[1])
