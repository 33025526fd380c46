"""Validates functions of NumPy and PyTorch as kernels, in this process, through the C ABI of Assay's plugins: ctypes and nothing to compile.

    validate.py LIBRARY numpy|torch|mistaken [ARGUMENTS]

LIBRARY is libassay_host, as built beside the `assay` tool; ARGUMENTS are those of `assay`: "run" without any, else "run --op softmax --out report",
"list cases", "explain ID". Exit code: that of `assay`. To validate functions of your own, copy this file, and write them where those of NumPy stand.
"""

import ctypes
import os
import sys
import traceback

# --- The ABI: the same declarations as in assay/plugin/plugin.h ------------------------------------------------------------------------------------

ABI = 1 << 16 | 1
OK, UNSUPPORTED, ERROR = 0, 1, 2
INPUT, OUTPUT, UPDATED = 0, 1, 2
INTEGER, REAL, TEXT = 0, 1, 2
u64, i64, i32, u32, text, pointer = ctypes.c_uint64, ctypes.c_int64, ctypes.c_int32, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p


class Array(ctypes.Structure):  # DLPack's DLTensor
    _fields_ = [("data", pointer), ("device_type", i32), ("device_id", i32), ("ndim", i32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(i64)), ("strides", ctypes.POINTER(i64)), ("byte_offset", u64)]


class Tensor(ctypes.Structure):
    _fields_ = [("size", u64), ("name", text), ("format", text), ("role", i32), ("reserved", i32), ("array", Array)]


class Attribute(ctypes.Structure):
    _fields_ = [("size", u64), ("name", text), ("kind", i32), ("reserved", i32), ("integer", i64), ("real", ctypes.c_double), ("text", text)]


class Problem(ctypes.Structure):
    _fields_ = [("size", u64), ("operation", text), ("name", text), ("formats", text), ("attribute_count", u64),
                ("attributes", ctypes.POINTER(ctypes.POINTER(Attribute))), ("tensor_count", u64), ("tensors", ctypes.POINTER(ctypes.POINTER(Tensor)))]


class Launch(ctypes.Structure):
    pass


Managed = ctypes.CFUNCTYPE(pointer, ctypes.POINTER(Launch), ctypes.POINTER(Tensor), i32)
Launch._fields_ = [("size", u64), ("workspace", pointer), ("workspace_bytes", u64), ("stream", pointer), ("message", pointer), ("message_capacity", u64),
                   ("managed", Managed), ("host", pointer)]
Supports = ctypes.CFUNCTYPE(i32, pointer, ctypes.POINTER(Problem), pointer, u64)
WorkspaceBytes = ctypes.CFUNCTYPE(u64, pointer, ctypes.POINTER(Problem))
Run = ctypes.CFUNCTYPE(i32, pointer, ctypes.POINTER(Problem), ctypes.POINTER(Launch))


class Kernel(ctypes.Structure):
    _fields_ = [("size", u64), ("operation", text), ("context", pointer), ("accumulator", text), ("function_errors", ctypes.c_double), ("truncating", i32),
                ("reserved", i32), ("block", i64), ("supports", Supports), ("workspace_bytes", WorkspaceBytes), ("run", Run), ("promises", text)]


class Description(ctypes.Structure):
    _fields_ = [("size", u64), ("abi", u32), ("flags", u32), ("name", text), ("version", text), ("kernel_count", u64),
                ("kernels", ctypes.POINTER(ctypes.POINTER(Kernel)))]


# --- Between the ABI and Python --------------------------------------------------------------------------------------------------------------------


class Unsupported(Exception):
    """Raised by a kernel that does not offer a problem: the case is counted as unsupported, never as a pass."""


def say(buffer, capacity, message):
    """Writes a text of UTF-8, cut where the buffer ends, but not within a character."""
    if buffer and capacity:
        data = message.encode()[: capacity - 1].decode(errors="ignore").encode() + b"\0"
        ctypes.memmove(buffer, data, len(data))


class Request:
    """A problem in Python's types: request["temperature"] is an attribute; `tensors` are all operands, None for those that it does without."""

    def __init__(self, problem):
        attributes = [problem.attributes[i].contents for i in range(problem.attribute_count)]
        self.formats, self.name = problem.formats.decode(), problem.name.decode()
        self.tensors = [problem.tensors[i].contents if problem.tensors[i] else None for i in range(problem.tensor_count)]
        self.names = {tensor.name.decode() for tensor in self.tensors if tensor}
        self._attributes = {each.name.decode(): (each.integer, each.real, each.text.decode())[each.kind] for each in attributes if each.kind <= TEXT}

    def __getitem__(self, name):
        return self._attributes[name]


class Plugin:
    """Functions as a plugin: decorate them with `kernel`, then `validate`."""

    def __init__(self, name, version, view):
        self.name, self.version, self.view, self.kernels, self.interrupted = name, version, view, [], False

    def kernel(self, *operations, formats=None, without=(), accumulator=None, function_errors=0, promises=None):
        """`function(request, *tensors)` is a kernel of these operations: it gets a view of each operand, None for one that the problem does without, in
        the operation's order, and writes the outputs. `formats`: of the problems that it takes; `without`: operands that it does not know; `accumulator`:
        the format in which it promises to keep sums, by default float64 where elements are, else float32; `function_errors`: the largest relative error of
        its exp, tanh, division …, in unit roundoffs of the accumulator; 0: 8; `promises`: what its unit is documented to do with special numbers, as
        `--promise` takes it: "flush_products=bf16"."""

        def decorate(function):
            def supports(_, problem, reason, capacity):
                try:
                    request = Request(problem.contents)
                    if formats is not None and request.formats not in formats:
                        raise Unsupported(f"{function.__name__} is there for {', '.join(formats)}; this is {request.formats}")
                    for name in without:
                        if name in request.names:
                            raise Unsupported(f"{function.__name__} does not know {name}")
                    return 1
                except Unsupported as error:
                    say(reason, capacity, str(error))
                    return 0
                except KeyboardInterrupt:
                    self.interrupted = True
                    return ERROR
                except BaseException:  # nothing of Python may leave a call
                    traceback.print_exc()
                    return ERROR

            def run(_, problem, launch):
                launch = launch.contents
                if self.interrupted:
                    say(launch.message, launch.message_capacity, "interrupted")
                    return ERROR
                try:
                    request = Request(problem.contents)
                    function(request, *[tensor and self.view(tensor, launch) for tensor in request.tensors])
                    return OK
                except Unsupported as error:
                    say(launch.message, launch.message_capacity, str(error))
                    return UNSUPPORTED
                except KeyboardInterrupt:
                    self.interrupted = True
                    say(launch.message, launch.message_capacity, "interrupted")
                    return ERROR
                except BaseException as error:
                    place = traceback.extract_tb(error.__traceback__)[-1]
                    last = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]
                    say(launch.message, launch.message_capacity, f"{last} (line {place.lineno} of {os.path.basename(place.filename)}, in {place.name})")
                    return ERROR

            for operation in operations:
                promised, known = accumulator.encode() if accumulator else None, promises.encode() if promises else None
                self.kernels.append(Kernel(ctypes.sizeof(Kernel), operation.encode(), None, promised, function_errors, 0, 0, 0, Supports(supports), WorkspaceBytes(), Run(run), known))
            return function

        return decorate

    def validate(self, library, arguments):
        """What `assay <arguments>` does, with this plugin; returns its exit code. Ctrl-C ends it, as soon as the kernel that runs has returned, and
        raises KeyboardInterrupt."""
        host = ctypes.CDLL(library)
        host.assay_host_abi.restype = u32
        host.assay_validate.argtypes = [ctypes.POINTER(Description), i32, ctypes.POINTER(text)]
        if host.assay_host_abi() >> 16 < ABI >> 16:  # later ones take it, too
            raise RuntimeError(f"{library} has version {host.assay_host_abi() >> 16} of the ABI, and this file was written for {ABI >> 16}")
        kernels = (ctypes.POINTER(Kernel) * len(self.kernels))(*[ctypes.pointer(kernel) for kernel in self.kernels])
        description = Description(ctypes.sizeof(Description), ABI, 0, self.name.encode(), self.version.encode(), len(kernels), kernels)
        sys.stdout.flush()
        self.interrupted = False
        exit_code = host.assay_validate(ctypes.byref(description), len(arguments), (text * len(arguments))(*[each.encode() for each in arguments]))
        if self.interrupted:
            raise KeyboardInterrupt
        return exit_code


# --- NumPy -----------------------------------------------------------------------------------------------------------------------------------------


def numpy_view(tensor, _=None):
    """The tensor's own memory as a NumPy array; inputs cannot be written. Formats that NumPy does not know come as their bits."""
    import numpy

    array = tensor.array
    kind = {0: "i", 2: "f"}.get(array.code, "u")
    dtype = numpy.dtype(f"{kind}{max(array.bits, 8) // 8}")
    shape, strides = array.shape[: array.ndim], array.strides[: array.ndim]
    if 0 in shape:
        return numpy.empty(shape, dtype)
    elements = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    memory = (ctypes.c_char * (elements * dtype.itemsize)).from_address(array.data)
    view = numpy.ndarray(shape, dtype, memory, strides=[stride * dtype.itemsize for stride in strides])
    view.flags.writeable = tensor.role != INPUT
    return view


def numpy_plugin():
    import numpy

    plugin = Plugin("numpy", numpy.__version__, numpy_view)
    numpy.seterr(all="ignore")  # the suites have NaNs and infinities: they are judged, not warned of

    @plugin.kernel("gemm", formats=["f32.f32.f32", "f64.f64.f64"])
    def gemm(request, a, b, c):
        product = c.dtype.type(request["alpha"]) * (a @ b)
        c[...] = product if request["beta"] == 0 else product + c.dtype.type(request["beta"]) * c

    @plugin.kernel("softmax", formats=["f32.f32", "f64.f64"], without=["mask"])
    def softmax(request, x, mask, y):
        if x.shape[1] == 0:
            return
        shifted = (x - x.max(axis=1, keepdims=True)) / x.dtype.type(request["temperature"])
        power = numpy.exp(shifted)
        total = power.sum(axis=1, keepdims=True)
        y[...] = shifted - numpy.log(total) if request["logarithm"] else power / total

    @plugin.kernel("layernorm", formats=["f32.f32.f32"], without=["saved_deviation"])
    def layernorm(request, x, gamma, beta, mean, variance, y, *saved):
        deviation = x - x.mean(axis=1, keepdims=True)
        y[...] = deviation / numpy.sqrt((deviation * deviation).mean(axis=1, keepdims=True) + x.dtype.type(request["epsilon"]))
        if gamma is not None:
            y *= gamma
        if beta is not None:
            y += beta

    for name, ufunc in {"exp": numpy.exp, "log": numpy.log, "sin": numpy.sin, "cos": numpy.cos, "tanh": numpy.tanh, "sqrt": numpy.sqrt}.items():

        @plugin.kernel(name, formats=["f32.f32", "f16.f16"])
        def function(request, x, y, z, output, ufunc=ufunc):
            ufunc(x, out=output)

    for name, reduction in {"reduce_sum": numpy.sum, "reduce_mean": numpy.mean, "reduce_product": numpy.prod, "reduce_variance": numpy.var}.items():

        @plugin.kernel(name, formats=["f32.f32", "f16.f16"])
        def reduce(request, x, output, reduction=reduction):
            more = {"ddof": request["correction"]} if reduction is numpy.var else {}
            output[...] = reduction(x, axis=1, keepdims=bool(request["keep_extent"]), **more)

    @plugin.kernel("reduce_prefix_sum", formats=["f32.f32", "f16.f16"])
    def prefix_sum(request, x, output):
        if request["exclusive"]:
            raise Unsupported("numpy.cumsum is inclusive")
        numpy.cumsum(x, axis=1, out=output)

    return plugin


# --- PyTorch ---------------------------------------------------------------------------------------------------------------------------------------

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [pointer, text, pointer]
_DLTENSOR = b"dltensor"  # capsules keep the address of their name


def torch_view(tensor, launch):
    """The tensor's own memory as one of PyTorch's, by DLPack."""
    import torch

    managed = launch.managed(launch, tensor, 0)
    if not managed:
        raise Unsupported(ctypes.string_at(launch.message).decode())
    return torch.from_dlpack(_new_capsule(managed, _DLTENSOR, None))


def has_bf16_dot_products():
    """Whether PyTorch's bfloat16 products are computed by VDPBF16PS or TDPBF16PS, which take subnormal numbers for 0, as Intel documents."""
    try:
        with open("/proc/cpuinfo") as file:
            return "avx512_bf16" in file.read()
    except OSError:
        return False


def torch_plugin():
    import torch
    import torch.nn.functional as functional

    plugin = Plugin("torch", torch.__version__, torch_view)
    floats = ["f32", "bf16", "f16"]
    same = [f"{each}.{each}" for each in floats]

    flushing = "flush_products=bf16" if has_bf16_dot_products() else None

    @plugin.kernel("gemm", formats=["f32.f32.f32", "bf16.f32.bf16", "f16.f32.f16", "f64.f64.f64"], promises=flushing)
    def gemm(request, a, b, c):
        c.copy_(torch.baddbmm(c, a, b, beta=request["beta"], alpha=request["alpha"]))  # where beta is 0, c is not read

    @plugin.kernel("softmax", formats=same, without=["mask"])
    def softmax(request, x, mask, y):
        if request["temperature"] != 1:
            raise Unsupported("torch.softmax has no temperature")
        y.copy_(functional.log_softmax(x, 1) if request["logarithm"] else functional.softmax(x, 1))

    @plugin.kernel("layernorm", formats=[f"{each}.{each}.{each}" for each in floats], without=["saved_deviation"])
    def layernorm(request, x, gamma, beta, mean, variance, y, *saved):
        y.copy_(functional.layer_norm(x, x.shape[1:], gamma, beta, request["epsilon"]))

    @plugin.kernel("rmsnorm", formats=[f"{each}.{each}.{each}" for each in floats], without=["saved_deviation", "beta"])
    def rmsnorm(request, x, gamma, beta, mean, variance, y, *saved):
        y.copy_(functional.rms_norm(x, x.shape[1:], gamma, request["epsilon"]))

    functions = {"gelu": functional.gelu, "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"), "silu": functional.silu, "softplus": functional.softplus,
                 "sigmoid": torch.sigmoid, "exp": torch.exp, "log": torch.log, "sin": torch.sin, "cos": torch.cos, "tanh": torch.tanh, "erf": torch.erf,
                 "sqrt": torch.sqrt, "rsqrt": torch.rsqrt}
    for name, applied in functions.items():

        @plugin.kernel(name, formats=same)
        def function(request, x, y, z, output, applied=applied):
            output.copy_(applied(x))

    # Flash attention stores weights in the format of its operands, which the problem's formats say: "-pbf16".
    @plugin.kernel("attention", formats=["f32.f32.f32", "bf16.bf16.bf16-pbf16", "f16.f16.f16-pf16"],
                   without=["additive_mask", "slopes", "query_starts", "key_lengths", "block_table", "key_scale"], promises=flushing)
    def attention(request, query, key, value, *rest):
        output, log_sum_exp = rest[-2:]
        if request["heads"] != request["key_heads"] or request["soft_cap"] or request["window_left"] >= 0 or request["window_right"] >= 0:
            raise Unsupported("no grouped heads, soft cap or window here")
        if request["causal"] and request["alignment"] != "top_left":
            raise Unsupported("scaled_dot_product_attention(is_causal=True) puts the first key on the diagonal of the first query")
        if query.numel() == 0 or key.numel() == 0:
            raise Unsupported("this operator ends the process where there are no queries or no keys; the public function does not call it then")
        results = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, is_causal=bool(request["causal"]), scale=request["scale"] or None)
        output.copy_(results[0])
        log_sum_exp.copy_(results[1])

    return plugin


# --- Mistakes that are made: each has its operation, and Assay says what is wrong --------------------------------------------------------------------


def mistaken_plugin():
    import numpy

    plugin = Plugin("mistaken", "1", numpy_view)
    numpy.seterr(all="ignore")

    @plugin.kernel("softmax", formats=["f32.f32"], without=["mask"])
    def softmax(request, x, mask, y):
        power = numpy.exp(x)  # the maximum is not subtracted
        y[...] = power / power.sum(axis=1, keepdims=True)

    @plugin.kernel("layernorm", formats=["f32.f32.f32"], without=["saved_deviation"])
    def layernorm(request, x, gamma, beta, mean, variance, y, *saved):
        y[...] = (x - x.mean(axis=1, keepdims=True)) / numpy.sqrt(x.var(axis=1, ddof=1, keepdims=True) + request["epsilon"])  # divides by n - 1
        y[...] = y * (1 if gamma is None else gamma) + (0 if beta is None else beta)

    @plugin.kernel("gemm", formats=["f32.f32.f32"])
    def gemm(request, a, b, c):
        c[...] = numpy.einsum("bik,bkj->bij", a.astype("f2"), b.astype("f2"))  # in half precision; alpha and beta are forgotten

    @plugin.kernel("exp", formats=["f32.f32"])
    def exponential(request, x, y, z, output):
        output[...] = numpy.exp(x.reshape(7, -1))  # raises

    @plugin.kernel("sqrt", formats=["f32.f32"])
    def square_root(request, x, y, z, output):
        output = numpy.sqrt(x)  # binds a name: the tensor is not written

    return plugin


PLUGINS = {"numpy": numpy_plugin, "torch": torch_plugin, "mistaken": mistaken_plugin}


def main(library, name, *arguments):
    return PLUGINS[name]().validate(library, arguments or ["run"])


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in PLUGINS:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)  # as shells have it
