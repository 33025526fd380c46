"""dlpack.py LIBRARY SCRIPT: examples/dlpack from Python: right results pass, wrong ones fail, malformed tensors and calls are told from both,
and every tensor is given back once.

Exit status 77, which ctest calls skipped, where numpy is not installed. PyTorch and JAX are tried where they are.
"""

import ctypes
import gc
import importlib.util
import subprocess
import sys
import threading
import weakref

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed (Debian and Ubuntu: apt-get install python3-numpy)")
    sys.exit(77)


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Old(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


class Crafted:
    """A tensor made by hand over a numpy array, which counts how often it is deleted."""

    def __init__(self, array, form=Versioned, shape=None, **members):
        self.array, self.deleted = array, 0
        self.shape = (ctypes.c_int64 * 8)(*(shape if shape is not None else array.shape))
        self.deleter = Deleter(self._delete)
        self.managed = form()
        if form is Versioned:
            self.managed.major, self.managed.minor = members.pop("major", 1), 1
        self.managed.deleter = ctypes.cast(self.deleter, ctypes.c_void_p).value
        tensor = self.managed.tensor
        tensor.data, tensor.device_type, tensor.ndim = array.ctypes.data, 1, len(shape if shape is not None else array.shape)
        tensor.code, tensor.bits, tensor.lanes = 2, 8 * array.itemsize, 1
        tensor.shape = self.shape
        for name, value in members.items():
            setattr(tensor, name, value)

    def _delete(self, _):
        self.deleted += 1


def main(library, script):
    specification = importlib.util.spec_from_file_location("check_tensors", script)
    check_tensors = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(check_tensors)
    assay = check_tensors.Assay(library)
    checked = assay.library

    done = subprocess.run([sys.executable, "-B", script, library], capture_output=True, text=True)
    expect(done.returncode == 0 and "all expectations are met" in done.stdout, f"the script ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    expect(subprocess.run([sys.executable, "-B", script], capture_output=True).returncode == 1, "the script without a library does not fail")

    def verdict(what, expected, text, function, *arguments, **options):
        finding = function(*arguments, **options)
        expect(finding.verdict == expected and text in finding.reason, f"{what}: {finding.verdict}, '{finding.reason}', and not {expected}, '{text}'")
        return finding

    def softmax(x, axis=-1):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    x = np.random.default_rng(3).standard_normal((4, 6, 50)).astype("f4")
    y = softmax(x, 1)
    for dimension in (1, -2):
        verdict("softmax along the middle", "pass", "", assay.softmax, x, y, dimension)
    verdict("the softmax of another dimension", "fail", "elements lie outside", assay.softmax, x, y, 2)
    verdict("reversed and strided", "pass", "", assay.softmax, x[::-1, :, ::2], softmax(x[::-1, :, ::2], 1), 1)
    verdict("dimensions that cannot be joined", "unsupported", "make the tensors contiguous", assay.softmax, x[:, :5], y[:, :5], 2)
    verdict("half precision, sums in single", "pass", "", assay.softmax, x.astype("f2"), softmax(x.astype("f2").astype("f4")).astype("f2"))
    verdict("no elements", "pass", "", assay.softmax, x[:0], y[:0])
    verdict("other shapes", "error", "must have the same shape", assay.softmax, x, y[:3])
    verdict("no such dimension", "error", "dimension 3 was given for f32 (4, 6, 50)", assay.softmax, x, y, 3)
    verdict("a scalar", "error", "dimension -1", assay.softmax, np.array(1, "f4"), np.array(1, "f4"))
    verdict("integers", "unsupported", "int16", assay.softmax, x.astype("i2"), y)
    verdict("complex numbers", "unsupported", "complex64", assay.softmax, x, y.astype("c8"))
    verdict("misaligned", "unsupported", "copy the tensor", assay.softmax, np.zeros(41, "u1")[1:].view("f4"), np.ones(10, "f4"))
    nan = y.copy()
    nan[0, 0, 0] = np.nan
    finding = verdict("a NaN", "fail", "1 of 1200", assay.softmax, x, nan, 1)
    expect(any("NaN where a number is due" in line for line in finding.outcome["diagnosis"]), "the NaN is not diagnosed")
    expect("schema" in finding.run and finding.run["planned_cases"] == 1, "the report is no run")
    expect(any("rel_i" in line for line in finding.outcome["derivation"]), "the report does not derive its tolerance")
    a, b = x[0], x[1].T
    c = a.astype("f8") @ b.astype("f8")
    verdict("a product", "pass", "", assay.gemm, a, b, c.astype("f4"))
    verdict("a product, statistically", "pass", "", assay.gemm, a, b, c.astype("f4"), statistical=True)
    verdict("a product in single, promised in double", "fail", "", assay.gemm, a.astype("f8"), b.astype("f8"), (a @ b).astype("f8"))
    verdict("the same, promised in single", "pass", "", assay.gemm, a.astype("f8"), b.astype("f8"), (a @ b).astype("f8"), accumulator="f32")
    verdict("mixed formats", "unsupported", "formats are all f32", assay.gemm, a, b, c)
    verdict("extents that do not multiply", "error", "do not multiply", assay.gemm, a, b[:-1], c.astype("f4"))
    verdict("a vector", "error", "must be matrices", assay.gemm, a, b, c[0].astype("f4"))
    verdict("no terms", "pass", "", assay.gemm, a[:, :0], b[:0], np.zeros_like(c, "f4"))
    verdict("an unknown accumulator", "misuse", "'f32' and 'f64' are known", assay.gemm, a, b, c.astype("f4"), accumulator="f99")
    verdict("the same tensor as input and output", "fail", "", assay.softmax, y, y)  # two capsules

    readonly = x.copy()
    readonly.flags.writeable = False
    try:
        verdict("read-only", "pass", "", assay.softmax, readonly, y, 1)
    except BufferError:
        expect(np.lib.NumpyVersion(np.__version__) < "2.1.0", "a read-only array was refused by a NumPy that can hand it over")

    # What NumPy holds for us must be let go, whatever came of it.
    class Array(np.ndarray):
        pass

    for output, dimension in ((y, 1), (y, 9), (y[:2], 1), (y.astype("i4"), 1)):
        tensor = x.copy().view(Array)
        alive = weakref.ref(tensor)
        assay.softmax(tensor, output, dimension)
        expect(alive() is not None, "a tensor died while it was in use")
        del tensor
        gc.collect()
        expect(alive() is None, "a tensor is held after its check")
    capsule = check_tensors.export(x)
    check_tensors.consume(capsule)  # which leaks it: nobody deletes it now
    try:
        check_tensors.consume(capsule)
        expect(False, "a capsule was consumed twice")
    except TypeError:
        pass

    def crafted(what, expected, text, first, second=None, options=None):
        """Both deleted once, and the answer as expected."""
        second = second or Crafted(y)
        tensors = [check_tensors.Tensor(ctypes.addressof(each.managed), int(isinstance(each.managed, Versioned))) for each in (first, second)]
        before = first.deleted, second.deleted
        code = checked.assay_check_softmax(*tensors, 1, 0, options)
        report = ctypes.create_string_buffer(checked.assay_dlpack_report(None, 0))
        checked.assay_dlpack_report(report, len(report))
        reason = check_tensors.Finding(code, report.value.decode()).reason
        expect(check_tensors.VERDICTS[code] == expected and text in reason, f"{what}: {check_tensors.VERDICTS[code]}, '{reason}'")
        expect((first.deleted - before[0], second.deleted - before[1]) == (1, 1), f"{what}: deleted {first.deleted} and {second.deleted} times")

    crafted("a tensor made by hand", "pass", "", Crafted(x))
    crafted("one in the older form", "pass", "", Crafted(x, Old))
    crafted("one of version 2", "unsupported", "version 2.1", Crafted(x, major=2))
    crafted("a negative extent", "error", "extent -4 of dimension 0", Crafted(x, shape=(-4, 6, 50)))
    crafted("too many dimensions", "unsupported", "7 dimensions", Crafted(x, shape=(1,) * 7))
    crafted("no memory", "error", "null pointer was given for 1200 elements", Crafted(x, data=None))
    crafted("an offset", "fail", "", Crafted(np.concatenate([x, x]), shape=x.shape, byte_offset=400))
    crafted("lanes", "unsupported", "float32x4", Crafted(x, lanes=4))
    crafted("the same one twice", "misuse", "given already", *[Crafted(x)] * 2)
    expected = ("unsupported", "built without CUDA")
    if assay.has_cuda():  # with a device it is found out, without one there is nobody to ask
        probe = Crafted(x, device_type=2), Crafted(y, device_type=2)
        code = checked.assay_check_softmax(*[check_tensors.Tensor(ctypes.addressof(each.managed), 1) for each in probe], 1, 0, None)
        expected = ("unsupported", "finds no device") if code == 3 else ("error", "finds its memory on the host")
    crafted("memory that claims to be CUDA's", *expected, Crafted(x, device_type=2), Crafted(y, device_type=2))
    crafted("ROCm's", "unsupported", "lies on kDLROCM 0", Crafted(x, device_type=10))
    crafted("pinned memory", "pass", "", Crafted(x, device_type=3))
    crafted("a stream on the host", "error", "no numbered streams", Crafted(x), options=check_tensors.Options(ctypes.sizeof(check_tensors.Options), None, 0, 1, 5))
    crafted("options without a size", "misuse", "sizeof(struct assay_options)", Crafted(x), options=check_tensors.Options())

    class Longer(check_tensors.Options):
        _fields_ = [("later", ctypes.c_uint64)]

    longer = Longer(ctypes.sizeof(Longer))
    pointer = ctypes.cast(ctypes.pointer(longer), ctypes.POINTER(check_tensors.Options))
    crafted("options of a newer caller", "pass", "", Crafted(x), options=pointer)
    longer.later = 1
    crafted("and what it asks for", "misuse", "newer library", Crafted(x), options=pointer)
    expect(checked.assay_check_softmax(check_tensors.Tensor(None, 0), check_tensors.Tensor(None, 1), 0, 0, None) == 5, "null tensors are no misuse")
    expect(checked.assay_dlpack_has_device(1) == 1 and checked.assay_dlpack_has_device(10) == 0, "devices are told wrongly")
    short = ctypes.create_string_buffer(b"?" * 8, 8)
    expect(checked.assay_dlpack_report(short, 4) > 8 and short.raw[3:5] == b"\0?", "a short buffer is overrun")

    reports = []

    def check_many(right):
        for _ in range(20):
            finding = assay.softmax(x, y if right else nan, 1)
            if finding.verdict != ("pass" if right else "fail") or ("1 of 1200" in finding.reason) == right:
                reports.append(str(finding))

    threads = [threading.Thread(target=check_many, args=(number % 2 == 0,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(not reports, f"threads get each other's reports: {reports[:1]}")

    print("\n".join(failures) if failures else "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
