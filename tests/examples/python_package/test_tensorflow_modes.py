"""assay.tensorflow: which mode is right; right ones are not accused, injected faults are named whichever comes first."""

import numpy
import pytest

tensorflow = pytest.importorskip("tensorflow")

import assay.tensorflow as modes  # noqa: E402
from assay import _modes  # noqa: E402


def tensor(array, dtype="float32"):
    return tensorflow.cast(tensorflow.constant(numpy.asarray(array, "f8")), dtype)


def normal(*shape, dtype="float32", seed=0):
    return tensor(numpy.random.default_rng(seed).standard_normal(shape), dtype)


def softmax(x):
    return tensorflow.nn.softmax(x, axis=1)


def test_right_modes_are_not_accused_of_float32():
    table = _modes.tabulate(modes.FUNCTIONS, modes.modes_here(), lambda array, _: tensor(array), ["f32"])
    assert len(table.rows) == len(modes.FUNCTIONS) == len(_modes.samples())
    assert [name for name, _, found in table.rows if not found] == [], table


def in_bfloat16(function):
    """Claims float32, and computes in bfloat16."""
    return lambda *inputs: tensorflow.cast(function(*[tensorflow.cast(each, "bfloat16") for each in inputs]), "float32")


def with_one_element(function):
    def call(*inputs):
        found = function(*inputs)
        return tensorflow.tensor_scatter_nd_update(found, [[3, 5]], [found[3, 5] * 1.001])

    return call


FAULTS = {"a thousandth too large": lambda function: lambda *inputs: function(*inputs) * 1.001, "in bfloat16": in_bfloat16, "one element": with_one_element}


@pytest.mark.parametrize("name", FAULTS)
def test_the_guilty_mode_is_named_whichever_comes_first(name):
    wrong = modes.Mode(name, FAULTS[name])
    for order in ([modes.eager(), wrong, modes.graph(), modes.xla()], [wrong, modes.xla(), modes.graph(), modes.eager()]):
        found = modes.judge("softmax", softmax, [normal(16, 100)], order, dim=1)
        assert found.off == [name] and f"{name} is off: " in found.sentence, found


def test_what_merely_differs_is_no_fault():
    slightly = modes.Mode("slightly", lambda function: lambda *inputs: tensorflow.math.nextafter(tensorflow.cast(function(*inputs), "float32"), 2.0))
    found = modes.judge("softmax", softmax, [normal(8, 50)], [modes.eager(), slightly], dim=1)
    assert found and "merely different from eager: slightly in 400 of 400 elements" in found.sentence, found


def test_eager_is_named_where_xla_is_right():
    """Parity would blame XLA; the installed version may have mended it."""
    x = tensor(numpy.linspace(-10, 10, 641), "bfloat16")
    found = modes.judge("sigmoid", tensorflow.sigmoid, [x], [modes.eager(), modes.graph(), modes.xla()], diagnosis=False)
    assert found["xla"].verdict == "pass", found
    assert found["eager"].verdict == "pass" or found.off == ["eager", "graph"], found


def test_products_that_are_rewritten_are_judged_by_bfloat16():
    a, b = normal(48, 160), normal(160, 40, seed=1)
    assert modes.judge("matmul", tensorflow.matmul, [a, b], [modes.eager(), modes.automatic_precision()])
    found = modes.judge("matmul", tensorflow.matmul, [a, b], [modes.eager(), modes.Mode("as float32", modes.automatic_precision().wrap)])
    assert found.off in ([], ["as float32"])  # whether it is profitable depends on the processor
    assert bool(found["as float32"].differing) == bool(found.off)
    wrong = modes.Mode("wrong", lambda function: lambda *inputs: 1.01 * in_bfloat16(function)(*inputs), tensorflow.bfloat16, may=True, gives=True)
    assert modes.judge("matmul", tensorflow.matmul, [a, b], [modes.eager(), wrong]).off == ["wrong"]
    assert modes.judge("matmul", tensorflow.matmul, [a, b], [modes.eager(), modes.graph()])["graph"].differing == 0  # the option was taken back


def dense(x, w):
    """A layer that is made when it is called: it takes the policy."""
    keras = pytest.importorskip("keras")
    layer = keras.layers.Dense(w.shape[0], use_bias=False)
    layer.build(x.shape)
    layer.set_weights([w.numpy().T])
    return layer(x)


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_layers_under_a_policy_are_judged_by_its_format(policy):
    x, w = normal(12, 64), normal(32, 64, seed=1)
    found = modes.judge("linear", dense, [x, w], [modes.eager(), modes.mixed_precision(policy)])
    assert found, found
    mode = policy.replace("_", " ")
    assert found[mode].output.dtype.name == policy[len("mixed_"):] and found["eager"].output.dtype.name == "float32"
    wrong = modes.Mode("off", lambda function: lambda *inputs: 1.05 * modes.mixed_precision(policy).wrap(function)(*inputs), getattr(tensorflow, policy[len("mixed_"):]))
    assert modes.judge("linear", dense, [x, w], [modes.eager(), wrong]).off == ["off"]
    import keras

    assert keras.config.dtype_policy().name == "float32"


def test_a_mode_that_raises_is_an_error():
    found = modes.judge("linear", dense, [normal(4, 8), normal(6, 8)], [modes.eager(), modes.xla()])
    assert found["eager"].verdict == "pass" and found["xla"].verdict == "error" and "xla was not judged" in found.sentence, found


def test_the_program(capsys):
    assert modes.main(["--op", "matmul,softmax", "--dtype", "f32"]) == 0
    assert "matmul" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        modes.main(["--mode", "xlaa"])
    assert "no mode matches 'xlaa'; nearest: xla" in capsys.readouterr().err
