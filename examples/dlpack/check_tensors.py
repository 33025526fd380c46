"""Validates tensors of NumPy, PyTorch and JAX where they lie, on the host or a CUDA device, through DLPack and ctypes alone.

    check_tensors.py LIBRARY    LIBRARY is assay_dlpack, as built beside this file

As a module: `Assay(library).softmax(input, output)`, `.gemm(a, b, c)` give a `Finding`. Exit code: 0 where all that is right passes and
all that is wrong fails, 1 where not.
"""

import ctypes
import json
import sys

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
VERDICTS = ("pass", "fail", "error", "unsupported", "inconclusive", "misuse")


class Tensor(ctypes.Structure):
    _fields_ = [("managed", ctypes.c_void_p), ("versioned", ctypes.c_int32)]


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_uint64),
        ("accumulator", ctypes.c_char_p),
        ("statistical", ctypes.c_int32),
        ("has_stream", ctypes.c_int32),
        ("stream", ctypes.c_int64),
    ]


def _python(name, result, *arguments):
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = result, arguments
    return function


_capsule_is = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_capsule_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_capsule_rename = _python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)

# Capsules keep the address of their name: these live as long as the module.
_NAMES = ((b"dltensor_versioned", b"used_dltensor_versioned", 1), (b"dltensor", b"used_dltensor", 0))


def consume(capsule):
    """The managed tensor of a capsule, which is ours from here on: the capsule is renamed, so that it does not delete it, too."""
    for name, used, versioned in _NAMES:
        if _capsule_is(capsule, name):
            pointer = _capsule_pointer(capsule, name)
            if _capsule_rename(capsule, used) != 0:
                raise RuntimeError("the capsule cannot be renamed")
            return Tensor(pointer, versioned)
    raise TypeError("not a capsule of DLPack, or one that was consumed already")


def export(tensor, stream=None):
    """The capsule of a tensor, in the newest form that its library has. `stream`: the number that its device's consumer works on; None on the host."""
    arguments = {} if stream is None else {"stream": stream}
    try:
        return tensor.__dlpack__(max_version=(1, 1), **arguments)
    except TypeError:  # NumPy 1, older PyTorch and others do not know versions
        return tensor.__dlpack__(**arguments)


def stream_of(tensors):
    """The number of the stream on which the tensors' framework works now, as __dlpack__ counts streams; None on the host."""
    for tensor in tensors:
        kind, device = (int(number) for number in tensor.__dlpack_device__())
        if kind != CUDA:
            continue
        if type(tensor).__module__.partition(".")[0] == "torch":
            import torch

            return torch.cuda.current_stream(device).cuda_stream or 1  # 0, the legacy default stream, is called 1
        return 1
    return None


class Finding:
    def __init__(self, code, report):
        self.verdict = VERDICTS[code]
        self.run = json.loads(report) if report else {}
        self.outcome = self.run["outcomes"][0] if self.run else {}
        self.reason = self.outcome.get("reason", "")

    def __str__(self):
        return f"{self.outcome.get('id', '')}: {self.verdict}{', ' + self.reason if self.reason else ''}"


class Assay:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.assay_check_softmax.argtypes = [Tensor, Tensor, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(Options)]
        self.library.assay_check_gemm.argtypes = [Tensor, Tensor, Tensor, ctypes.POINTER(Options)]
        self.library.assay_dlpack_report.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
        self.library.assay_dlpack_report.restype = ctypes.c_uint64
        if self.library.assay_dlpack_abi() != 1:
            raise RuntimeError(f"{path} has ABI {self.library.assay_dlpack_abi()}, and this file was written for 1")

    def has_cuda(self):
        return self.library.assay_dlpack_has_device(CUDA) == 1

    def softmax(self, input, output, dimension=-1, logarithm=False, **options):
        return self._check(self.library.assay_check_softmax, (input, output), (dimension, int(logarithm)), **options)

    def gemm(self, a, b, c, **options):
        return self._check(self.library.assay_check_gemm, (a, b, c), (), **options)

    def _check(self, function, tensors, arguments, accumulator=None, statistical=False):
        stream = stream_of(tensors)
        options = Options(ctypes.sizeof(Options), accumulator.encode() if accumulator else None, int(statistical), int(stream is not None), stream or 0)
        # All are exported before the first is consumed: what one refuses leaves the others in their capsules, which delete them.
        capsules = [export(tensor, stream if int(tensor.__dlpack_device__()[0]) == CUDA else None) for tensor in tensors]
        code = function(*[consume(capsule) for capsule in capsules], *arguments, ctypes.byref(options))
        needed = self.library.assay_dlpack_report(None, 0)
        report = ctypes.create_string_buffer(needed)
        self.library.assay_dlpack_report(report, needed)
        return Finding(code, report.value.decode())


class Expectations:
    def __init__(self):
        self.failed = 0

    def __call__(self, what, finding, verdict):
        met = finding.verdict == verdict
        self.failed += not met
        print(f"{'ok ' if met else 'NOT'} {what}: {finding}")


def check_numpy(assay, expect):
    import numpy

    random = numpy.random.default_rng(1)
    for dtype in (numpy.float32, numpy.float64):
        x = (random.standard_normal((64, 1000)) * 3).astype(dtype)
        e = numpy.exp(x - x.max(axis=-1, keepdims=True))
        y = e / e.sum(axis=-1, keepdims=True)
        name = f"numpy {numpy.__version__} softmax {numpy.dtype(dtype).name}"
        expect(name, assay.softmax(x, y), "pass")
        expect(f"{name}, transposed", assay.softmax(x.T, y.T, 0), "pass")
        y[17, 503] *= 1.001
        expect(f"{name}, one element off by a thousandth", assay.softmax(x, y), "fail")
        a, b = random.standard_normal((96, 256)).astype(dtype), random.standard_normal((256, 80)).astype(dtype)
        c = a @ b
        name = f"numpy {numpy.__version__} a @ b {numpy.dtype(dtype).name}"
        expect(name, assay.gemm(a, b, c), "pass")
        expect(f"{name}, the last term of every sum dropped", assay.gemm(a, b, a[:, :-1] @ b[:-1]), "fail")


def check_torch(assay, expect, device):
    import torch

    torch.manual_seed(1)
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        name = f"torch {torch.__version__} {device} {str(dtype)[6:]}"
        x = (torch.randn(64, 1000, device=device) * 3).to(dtype)
        y = torch.softmax(x, -1)
        expect(f"{name} softmax", assay.softmax(x, y), "pass")
        expect(f"{name} log_softmax along rows", assay.softmax(x, torch.log_softmax(x, 0), 0, logarithm=True), "pass")
        y[17, 503] = y[17, 503] * 1.02 + 1e-3
        expect(f"{name} softmax, one element off", assay.softmax(x, y), "fail")
        a, b = torch.randn(3, 96, 256, device=device).to(dtype), torch.randn(3, 80, 256, device=device).to(dtype).transpose(1, 2)
        c = a @ b
        expect(f"{name} a @ b", assay.gemm(a, b, c), "pass")
        c[2, 95, 79] = 0
        expect(f"{name} a @ b, the last element not written", assay.gemm(a, b, c), "fail")


def check_jax(assay, expect):
    import jax
    import jax.numpy

    name = f"jax {jax.__version__} softmax"
    x = jax.random.normal(jax.random.key(1), (64, 1000)) * 3
    y = jax.nn.softmax(x)
    expect(name, assay.softmax(x, y), "pass")
    expect(f"{name}, one row twice", assay.softmax(x, y.at[5].set(y[6])), "fail")
    # In bfloat16 JAX rounds every intermediate to bfloat16; this one keeps float32 until the end.
    short = x.astype("bfloat16")
    expect(f"{name} of bfloat16 in float32", assay.softmax(short, jax.nn.softmax(short.astype("float32")).astype("bfloat16")), "pass")


def installed(name):
    try:
        __import__(name)
        return True
    except ImportError:
        print(f"    {name} is not installed: left out")
        return False


def main(path):
    assay, expect = Assay(path), Expectations()
    if installed("numpy"):
        check_numpy(assay, expect)
    if installed("torch"):
        import torch

        check_torch(assay, expect, "cpu")
        if torch.cuda.is_available() and assay.has_cuda():
            check_torch(assay, expect, "cuda")
        else:
            print(f"    CUDA is left out: torch {'has' if torch.cuda.is_available() else 'finds no'} device, the library was built with{'' if assay.has_cuda() else 'out'} CUDA_ARCH")
    if installed("jax"):
        check_jax(assay, expect)
    print(f"{expect.failed} expectations are not met" if expect.failed else "all expectations are met")
    return 1 if expect.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
