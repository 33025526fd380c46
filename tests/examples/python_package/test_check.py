"""assay.check and assay.assert_correct: right results pass, wrong ones fail with values and place, and what makes no sense is refused."""

import threading
import time

import numpy
import pytest

import assay

random = numpy.random.default_rng(1)


def normal(*shape, dtype="f4"):
    return random.standard_normal(shape).astype(dtype)


def softmax(x, axis=-1):
    power = numpy.exp(x.astype("f8") - x.max(axis=axis, keepdims=True))
    return (power / power.sum(axis=axis, keepdims=True)).astype(x.dtype)


def layernorm(x, gamma=None, beta=None, eps=1e-5, axes=(-1,)):
    x8 = x.astype("f8")
    y = (x8 - x8.mean(axis=axes, keepdims=True)) / numpy.sqrt(x8.var(axis=axes, keepdims=True) + eps)
    return (y * (1 if gamma is None else gamma) + (0 if beta is None else beta)).astype(x.dtype)


def convolution(x, w, bias, stride, padding):
    x = numpy.pad(x.astype("f8"), ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    windows = numpy.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    return (numpy.einsum("nchwij,ocij->nohw", windows, w.astype("f8")) + bias[:, None, None]).astype("f4")


x = normal(4, 6, 8)
g, b = normal(8), normal(8)
a23, b34 = normal(12, 33), normal(33, 14)
image, weights, bias = normal(2, 3, 9, 9), normal(5, 3, 3, 3), normal(5)

# operation, output, inputs, attributes
RIGHT = {
    "softmax": ("softmax", softmax(x), [x], {"dim": -1}),
    "softmax of the middle": ("softmax", softmax(x, 1), [x], {"axis": 1}),
    "softmax of none named": ("softmax", softmax(x), [x], {}),
    "log_softmax": ("log_softmax", numpy.log(softmax(x.astype("f8"))).astype("f4"), [x], {"dim": -1}),
    "layer_norm": ("layer_norm", layernorm(x, g, b), [x, g, b], {"eps": 1e-5}),
    "layernorm without parameters": ("layernorm", layernorm(x), [x], {}),
    "layernorm without beta": ("layernorm", layernorm(x, g), [x, g], {}),
    "layernorm without gamma": ("layernorm", layernorm(x, None, b), [x, None, b], {}),
    "layernorm by name": ("layernorm", layernorm(x, None, b), {"input": x, "beta": b}, {}),
    "layer_norm of two dimensions": ("layer_norm", layernorm(x, axes=(1, 2)), [x], {"normalized_shape": (6, 8)}),
    "layernorm of other epsilon": ("layernorm", layernorm(x, eps=0.5), [x], {"epsilon": 0.5}),
    "matmul": ("matmul", a23 @ b34, [a23, b34], {}),
    "bmm": ("bmm", normal(3, 4, 5), None, {}),
    "linear": ("linear", a23 @ b34, [a23, numpy.ascontiguousarray(b34.T)], {}),
    "linear with bias": ("linear", a23 @ b34 + bias[:1].repeat(14), [a23, numpy.ascontiguousarray(b34.T), bias[:1].repeat(14)], {}),
    "matmul of transposed views": ("matmul", (b34.T @ a23.T), [b34.T, a23.T], {}),
    "exp": ("exp", numpy.exp(x), [x], {}),
    "add": ("add", x + g, [x, g], {}),
    "multiply with broadcasting": ("mul", x * normal(6, 1), None, {}),
    "relu": ("relu", numpy.maximum(x, 0), [x], {}),
    "sum": ("sum", x.sum(axis=1), [x], {"dim": 1}),
    "sum of all": ("sum", x.astype("f8").sum().astype("f4"), [x], {}),
    "mean, keeping the dimension": ("mean", x.mean(axis=1, keepdims=True), [x], {"dim": 1, "keepdim": True}),
    "var": ("var", x.var(axis=-1, ddof=1), [x], {"dim": -1, "correction": 1}),
    "argmax": ("argmax", x.argmax(axis=-1), [x], {"dim": -1}),
    "cumsum": ("cumsum", x.cumsum(axis=1), [x], {"dim": 1}),
    "conv2d": ("conv2d", convolution(image, weights, bias, 2, 1), [image, weights, bias], {"stride": 2, "padding": 1}),
    "float64": ("softmax", softmax(x.astype("f8")), [x.astype("f8")], {"dim": -1}),
    "float16": ("softmax", softmax(x.astype("f2")), [x.astype("f2")], {"dim": -1}),
}
_a, _b, _m = normal(3, 4, 6), normal(3, 6, 5), normal(6, 1)
RIGHT["bmm"] = ("bmm", _a @ _b, [_a, _b], {})
RIGHT["multiply with broadcasting"] = ("mul", x * _m, [x, _m], {})


@pytest.mark.parametrize("name", RIGHT)
def test_right_results_pass_and_one_wrong_element_fails(name):
    operation, out, inputs, attributes = RIGHT[name]
    outcome = assay.check(operation, out, inputs, **attributes)
    assert outcome, outcome
    wrong = numpy.array(out)
    wrong[(-1,) * wrong.ndim] = wrong[(-1,) * wrong.ndim] + 2 if wrong.dtype.kind == "i" else wrong[(-1,) * wrong.ndim] * 1.3 + 0.5
    outcome = assay.check(operation, wrong, inputs, diagnosis=False, **attributes)
    assert outcome.verdict == "fail" and outcome.violations == 1, outcome
    assert "actual" in outcome.reason and "expected" in outcome.reason


def test_a_failure_tells_values_cause_and_bound():
    y = softmax(x)
    y[2, 3, 4] *= 1.01
    outcome = assay.check("softmax", y, [x], dim=-1)
    assert not outcome and outcome.worst_error_ratio > 1
    shown = repr(outcome)
    for words in ("fail softmax/given/f32.f32", "[15, 4]", "the tolerance:", "error/allowed"):
        assert words in shown, shown
    assert outcome.labels["operation"] == "softmax" and outcome.derivation


def test_the_cause_of_a_systematic_fault_is_named():
    gamma = numpy.ones(768, "f4")
    data = normal(16, 768)
    d = data.astype("f8") - data.mean(axis=-1, keepdims=True, dtype="f8")
    wrong = (d / numpy.sqrt((d * d).sum(axis=-1, keepdims=True) / 767 + 1e-5)).astype("f4")  # divides by n − 1
    outcome = assay.check("layernorm", wrong, [data, gamma])
    assert outcome.verdict == "fail" and outcome.diagnosis, outcome


def test_the_page_stands_alone(tmp_path):
    y = softmax(x)
    y[0, 0, 0] = 2
    page = assay.check("softmax", y, [x]).html(tmp_path / "found.html")
    assert page.startswith("<!") and "softmax" in page and "actual 2" in page and (tmp_path / "found.html").read_text(encoding="utf-8") == page


def test_assert_correct_raises_with_the_outcome():
    assay.assert_correct("softmax", softmax(x), [x], dim=-1)
    with pytest.raises(AssertionError, match="layer 3\nfail softmax") as raised:
        assay.assert_correct("softmax", softmax(x) + 1, [x], dim=-1, message="layer 3")
    assert raised.value.outcome.violations == x.size


def test_strides_are_read_and_nothing_is_copied():
    wide = numpy.full((4, 6, 16), numpy.nan, "f4")
    wide[:, :, ::2] = x
    assert assay.check("softmax", softmax(x), [wide[:, :, ::2]])
    flipped = numpy.ascontiguousarray(x[::-1])[::-1]
    assert assay.check("softmax", softmax(x), [flipped])
    backing = numpy.zeros(4 * 6 * 8 + 1, "f4")
    odd = backing[1:].reshape(4, 6, 8)  # no boundary of 64 bytes
    odd[...] = x
    assert assay.check("softmax", softmax(x), [odd])
    from assay import _tensors

    seen = _tensors.view(wide[:, :, ::2], "x")
    assert seen.data == wide.ctypes.data and seen.strides == (96, 16, 2) and not seen.is_copied
    read_only = x.copy()
    read_only.flags.writeable = False
    assert assay.check("softmax", softmax(x), [read_only])


def test_optimizers_need_what_was_there_before():
    w, gradient = normal(100), normal(100)
    after = (w - numpy.float32(0.1) * gradient).astype("f4")
    assert assay.check("sgd_step", after, [gradient], before=w, lr=0.1, momentum=0)
    assert not assay.check("sgd_step", w - numpy.float32(0.2) * gradient, [gradient], before=w, lr=0.1, momentum=0)
    with pytest.raises(assay.Refused, match="before"):
        assay.check("sgd_step", after, [gradient], lr=0.1, momentum=0)


def test_bfloat16_and_float8_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    low = x.astype(ml_dtypes.bfloat16)
    right = softmax(low.astype("f4")).astype(ml_dtypes.bfloat16)
    assert assay.check("softmax", right, [low])
    wrong = right.copy()
    wrong[0, 0, 0] = float(wrong[0, 0, 0]) * 1.02
    assert assay.check("softmax", wrong, [low]).violations == 1
    small = x.astype(ml_dtypes.float8_e4m3fn)
    assert assay.check("cast", small.astype("f4"), [small])


def test_zero_size_and_scalars():
    empty = numpy.zeros((0, 8), "f4")
    assert assay.check("softmax", empty, [empty])
    assert assay.check("exp", numpy.exp(numpy.float32(0.5)), [numpy.float32(0.5)])


REFUSED = {
    "near names": (lambda: assay.check("sofmax", x, [x]), "unknown operation 'sofmax'.*softmax"),
    "names of others": (lambda: assay.check("layer_nrm", x, [x]), "layer_norm"),
    "attributes": (lambda: assay.check("softmax", softmax(x), [x], temprature=2), "temprature: softmax has the members .*temperature"),
    "values of attributes": (lambda: assay.check("softmax", softmax(x), [x], temperature="hot"), "temperature cannot be 'hot'"),
    "shapes": (lambda: assay.check("softmax", softmax(x)[:, :5], [x]), "output has extents"),
    "formats": (lambda: assay.check("rmsnorm", softmax(x), [x, g.astype("i4")]), "gamma|parameters|format"),
    "the axis": (lambda: assay.check("softmax", softmax(x), [x], dim=3), "axis is '3'; .* has 3 dimensions"),
    "too many tensors": (lambda: assay.check("softmax", softmax(x), [x, x, x, x]), "inputs were given|mask"),
    "operands": (lambda: assay.check("layernorm", x, {"inputs": x}), "no operand 'inputs'; it has input, gamma"),
    "objects": (lambda: assay.check("relu", x, [numpy.array([None])]), "Python objects"),
    "the order of bytes": (lambda: assay.check("relu", x, [x.astype(">f4")]), "other order"),
    "lists": (lambda: assay.check("relu", x, [[1, 2]]), "is a list; give an array"),
    "complex numbers": (lambda: assay.check("relu", x, [x.astype("c8")]), "complex64"),
    "the same memory": (lambda: assay.check("relu", x, [x]), "share memory"),
    "broadcasting": (lambda: assay.check("add", x + 1, [x, numpy.zeros(7, "f4")]), "does not broadcast"),
    "tolerances": (lambda: assay.check("relu", x.clip(0), [x], tolerance="sloppy"), "sloppy"),
    "accumulators": (lambda: assay.check("relu", x.clip(0), [x], accumulator="f99"), "accumulator.*f99"),
    "no output": (lambda: assay.check("relu", [], [x]), "no out was given"),
    "no input": (lambda: assay.check("relu", x, []), "no input was given"),
    "padding in words": (lambda: assay.check("conv2d", image, [image, weights], padding="same"), "padding='same' is not known"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense_is_refused(name):
    call, says = REFUSED[name]
    with pytest.raises(assay.Refused, match=says):
        call()


class Elsewhere:
    """A tensor of a device that this machine has not."""

    def __dlpack_device__(self):
        return (2, 3)

    def __dlpack__(self, **_):
        raise AssertionError("must not be asked")


def test_tensors_elsewhere_are_refused():
    with pytest.raises(assay.Refused, match=r"input\[0\] is on a CUDA device, number 3"):
        assay.check("relu", x, [Elsewhere()])


def test_other_threads_run_meanwhile():
    big = normal(64, 20000)
    right = softmax(big)
    turns, done = [0], threading.Event()

    def count():
        while not done.is_set():
            turns[0] += 1
            time.sleep(0.0005)

    other = threading.Thread(target=count)
    other.start()
    before = turns[0]
    begin = time.monotonic()
    assert assay.check("softmax", right, [big])
    took = time.monotonic() - begin
    during = turns[0] - before
    done.set()
    other.join()
    assert during > 3 and took > 0.01, (during, took)


def test_promises_decide():
    given = numpy.random.default_rng(0).uniform(size=(1, 1000)).astype("f2")
    naive = numpy.float16(0)
    for each in given.ravel():
        naive = numpy.float16(naive + each)
    out = numpy.array([naive], "f2")
    assert not assay.check("sum", out, [given], dim=1)
    assert assay.check("sum", out, [given], dim=1, accumulator="f16")
    assert assay.check("relu", numpy.maximum(x, 0) + numpy.float32(1e-7), [x], tolerance="atol=1e-5")
