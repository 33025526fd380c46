"""safetensors_weights.py PROGRAM: the file that the example writes is one of the safetensors format, with the tensors that it names."""

import json
import os
import struct
import subprocess
import sys
import tempfile


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.safetensors")
        subprocess.run([program, path], check=True, stdout=subprocess.DEVNULL)
        with open(path, "rb") as file:
            content = file.read()
        (length,) = struct.unpack("<Q", content[:8])
        header = json.loads(content[8:8 + length])
        assert header.pop("__metadata__")["made_by"] == "safetensors_weights"
        assert header["layers.0.attention.weight"]["dtype"] == "BF16", header
        assert header["layers.1.tiny.weight"]["shape"] == [64, 512], header
        assert max(tensor["data_offsets"][1] for tensor in header.values()) == len(content) - 8 - length
        assert subprocess.run([program], stderr=subprocess.DEVNULL).returncode == 2
        assert subprocess.run([program, os.path.join(folder, "no", "such")], stderr=subprocess.DEVNULL).returncode == 1


main(sys.argv[1])
