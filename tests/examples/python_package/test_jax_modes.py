"""assay.jax: which mode is right; right ones are not accused, injected faults are named whichever comes first."""

import numpy
import pytest

jax = pytest.importorskip("jax")

import assay.jax as modes  # noqa: E402
from assay import _modes  # noqa: E402

jnp = jax.numpy


def normal(*shape, dtype="float32", seed=0):
    return jnp.asarray(numpy.random.default_rng(seed).standard_normal(shape), dtype)


def softmax(x):
    return jax.nn.softmax(x, axis=1)


def test_right_modes_are_not_accused_of_float32():
    table = _modes.tabulate(modes.FUNCTIONS, [modes.eager(), modes.jit(), modes.vectorized(), modes.matmul_precision("highest")], lambda array, _: jnp.asarray(array, "float32"), ["f32"])
    assert len(table.rows) == len(modes.FUNCTIONS) == len(_modes.samples())
    assert [name for name, _, found in table.rows if not found] == [], table


def test_the_other_modes():
    a, b = normal(16, 64), normal(64, 24, seed=1)
    found = modes.judge("matmul", jnp.matmul, [a, b], modes.modes_here())
    assert found and len(found.findings) == len(modes.modes_here()), found


def in_bfloat16(function):
    """Claims float32, and computes in bfloat16."""
    return lambda *inputs: jax.jit(function)(*[each.astype("bfloat16") for each in inputs]).astype("float32")


FAULTS = {
    "a thousandth too large": lambda function: lambda *inputs: function(*inputs) * 1.001,
    "in bfloat16": in_bfloat16,
    "one element": lambda function: lambda *inputs: function(*inputs).at[3, 5].multiply(1.001),
    "swallows NaN": lambda function: lambda *inputs: jnp.nan_to_num(function(*inputs)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_guilty_mode_is_named_whichever_comes_first(name):
    x = normal(16, 100)
    x = x.at[2, 7].set(jnp.nan) if name == "swallows NaN" else x
    wrong = modes.Mode(name, FAULTS[name])
    for order in ([modes.eager(), wrong, modes.jit()], [wrong, modes.jit(), modes.eager()]):
        found = modes.judge("softmax", softmax, [x], order, dim=1)
        assert found.off == [name] and f"{name} is off: " in found.sentence, found


def test_what_merely_differs_is_no_fault():
    slightly = modes.Mode("slightly", lambda function: lambda *inputs: jnp.nextafter(function(*inputs), jnp.float32(2)))
    found = modes.judge("softmax", softmax, [normal(8, 50)], [modes.eager(), slightly], dim=1)
    assert found and "merely different from eager: slightly in 400 of 400 elements" in found.sentence, found


def test_intermediate_results_in_16_bits_are_told_from_other_faults():
    """jax.nn.log_softmax of bfloat16 keeps its sum's logarithm in 16 bits: off, and explained; a wrong factor is not explained by that."""
    x = normal(64, 40, dtype="bfloat16")

    def in_16_bits(x):
        power = jnp.exp(x - x.max(1, keepdims=True))
        return (power / power.sum(1, keepdims=True)).astype("bfloat16")

    found = modes.judge("softmax", in_16_bits, [x], [modes.eager(), modes.Mode("doubled", lambda function: lambda x: 2 * function(x))], dim=1, diagnosis=False)
    assert found["eager"].verdict == "fail" and found["eager"].explained == "bf16", found
    assert found["doubled"].verdict == "fail" and found["doubled"].explained == "", found
    assert "as intermediate results in bf16 would be" in found.sentence


def test_precisions_are_judged_by_what_they_promise():
    a, b = normal(16, 64), normal(64, 24, seed=1)
    rounding = modes.Mode("rounds", in_bfloat16, "bfloat16", may=True)
    products = modes.Mode("rounds", lambda function: lambda *inputs: function(*[each.astype("bfloat16").astype("float32") for each in inputs]), "bfloat16", may=True)
    assert modes.judge("matmul", jnp.matmul, [a, b], [products])
    assert modes.judge("matmul", jnp.matmul, [a, b], [modes.Mode("plain", products.wrap)]).off == ["plain"]
    assert modes.judge("matmul", jnp.matmul, [a, b], [rounding]).off == ["rounds"]  # the result was not to be rounded
    assert modes.judge("matmul", jnp.matmul, [a, b], [modes.Mode("gives", in_bfloat16, "bfloat16", may=True, gives=True)])


def test_a_mode_that_raises_is_an_error():
    def fails(function):
        raise RuntimeError("no compiler\nat all")

    found = modes.judge("softmax", softmax, [normal(3, 4)], [modes.eager(), modes.Mode("broken", fails)], dim=1)
    assert not found and found["broken"].verdict == "error" and "no compiler" in found.sentence


def test_the_program(capsys):
    assert modes.main(["--op", "matmul,softmax", "--dtype", "f32", "--mode", "eager,jit"]) == 0
    told = capsys.readouterr().out
    assert "matmul" in told and "softmax of columns" not in told and "vmap" not in told
    with pytest.raises(SystemExit):
        modes.main(["--op", "matmull"])
    assert "no operation matches 'matmull'; nearest: matmul" in capsys.readouterr().err
