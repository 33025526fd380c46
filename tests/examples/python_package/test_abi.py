"""The structures of assay._abi are those of plugin.h."""

import ctypes
import os
import shutil
import subprocess

import pytest

from assay import _abi

HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "include")
STRUCTURES = {"assay_plugin_array": _abi.Array, "assay_plugin_tensor": _abi.Tensor, "assay_plugin_attribute": _abi.Attribute, "assay_plugin_problem": _abi.Problem,
              "assay_plugin_launch": _abi.Launch, "assay_plugin_kernel": _abi.Kernel, "assay_plugin": _abi.Description}
MERGED = {"device_type": "device.device_type", "device_id": "device.device_id", "code": "dtype.code", "bits": "dtype.bits", "lanes": "dtype.lanes"}


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler cc")
def test_structures_are_those_of_the_header(tmp_path):
    lines, expected = [], []
    for name, structure in STRUCTURES.items():
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        expected.append(ctypes.sizeof(structure))
        for field, *_ in structure._fields_:
            member = MERGED.get(field, field) if structure is _abi.Array else field
            lines.append(f'printf("%zu\\n", offsetof({name}, {member}));')
            expected.append(getattr(structure, field).offset)
    source = tmp_path / "layout.c"
    source.write_text('#include <stddef.h>\n#include <stdio.h>\n#include "assay/plugin/plugin.h"\nint main(void) {\n' + "\n".join(lines) + "\nreturn 0; }\n")
    subprocess.run(["cc", f"-I{HEADERS}", source, "-o", tmp_path / "layout"], check=True)
    printed = subprocess.run([tmp_path / "layout"], capture_output=True, text=True, check=True).stdout
    assert [int(number) for number in printed.split()] == expected
