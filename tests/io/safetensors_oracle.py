"""safetensors_oracle.py PROGRAM ENVIRONMENT: the reference implementation and the test program judge the same files, and
read each other's.

ENVIRONMENT is a virtual environment that cmake/test.sh makes. Exit status 77, which ctest calls skipped, with the reason,
where the Python packages safetensors and numpy are not to be had.
"""

import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import safetensors
    import safetensors.numpy
except ImportError:
    environment = sys.argv[2]
    interpreter = os.path.join(environment, "bin", "python3")
    if os.path.exists(interpreter) and os.path.realpath(sys.prefix) != os.path.realpath(environment):
        os.execv(interpreter, [interpreter, *sys.argv])
    reason = os.path.join(environment, "reason")
    why = open(reason).read().strip() if os.path.exists(reason) else "cmake/test.sh installs them"
    print(f"skipped: the Python packages safetensors and numpy are not installed: {why}")
    sys.exit(77)


def file_of(header, data):
    return struct.pack("<Q", len(header)) + header + data


def entry(name, dtype, shape, begin, end):
    return f'"{name}":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]}}'


def corpus():
    """Files right and wrong: cut, a byte of the header changed to any value, offsets and shapes of every small value."""
    header = "{" + entry("w", "F32", "[3,4]", 0, 48) + "," + entry("n", "F4", "[2, 4]", 48, 52) + "," + entry("s", "F64", "[]", 52, 60) + "}  "
    whole = file_of(header.encode(), b"!" * 60)
    yield whole
    for size in range(len(whole)):
        yield whole[:size]
    for position in range(8 + len(header)):
        for value in range(256):
            yield whole[:position] + bytes([value]) + whole[position + 1:]
    for dtype in ["F4", "U8", "F8_E8M0", "F8_E4M3FNUZ", "BF16", "C64"]:
        for extent in range(5):
            for begin in range(4):
                for end in range(9):
                    yield file_of(("{" + entry("a", dtype, f"[{extent}]", 0, begin) + "," + entry("b", dtype, f"[2,{extent}]", begin, end) + "}").encode(), b"\0" * end)
    for shape in ["[4294967296,4294967296]", "[9223372036854775807]", "[18446744073709551615,2]"]:
        for size in (0, 8):
            yield file_of(("{" + entry("a", "F32", shape, 0, size) + "}").encode(), b"\0" * size)


def accepted(file):
    try:
        safetensors.deserialize(file)
        return True
    except Exception:
        return False


def main(program):
    with tempfile.TemporaryDirectory() as directory:
        files = list(corpus())
        path = lambda name: os.path.join(directory, name)
        with open(path("corpus"), "wb") as out:
            for file in files:
                out.write(struct.pack("<Q", len(file)) + file)
        tensors = {dtype: np.arange(24).reshape(2, 3, 4).astype(dtype) for dtype in
                   ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "complex64"]}
        tensors["empty"] = np.zeros((0, 3), "float32")
        tensors["scalar"] = np.array(-1.5, "float32")
        safetensors.numpy.save_file(tensors, path("theirs.safetensors"), metadata={"made": "by the reference"})
        subprocess.run([program, "[.safetensors]"], check=True, env=dict(os.environ, ASSAY_SAFETENSORS_DIRECTORY=directory))

        verdicts = open(path("verdicts")).read()
        assert len(verdicts) == len(files), (len(verdicts), len(files))
        both, neither, stricter, laxer = 0, 0, [], []
        for file, verdict in zip(files, verdicts):
            theirs, ours = accepted(file), verdict == "1"
            both += theirs and ours
            neither += not theirs and not ours
            if theirs and not ours:
                stricter.append(file)
            if ours and not theirs:
                laxer.append(file)
        print(f"{len(files)} files: both take {both}, both refuse {neither}, only the reference takes {len(stricter)}, only we take {len(laxer)}")
        for file in laxer[:5] + stricter[:5]:
            print(file[:200])
        assert not laxer and not stricter

        def read(name):
            with open(path(name), "rb") as source:
                return source.read()

        assert read("again.safetensors") == read("theirs.safetensors")
        ours = dict(safetensors.deserialize(read("ours.safetensors")))
        print(f"the reference reads {len(ours)} tensors of ours: {sorted(str(tensor['dtype']) for tensor in ours.values())}")
        assert len(ours) == 24
        for line in open(path("values")):
            name, *texts = line.split()
            values = tensors[name].ravel()
            values = values.view("float32") if values.dtype == np.complex64 else values
            assert [float(value) for value in values] == [float.fromhex(text) for text in texts], name


main(sys.argv[1])
