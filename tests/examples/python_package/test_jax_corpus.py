"""assay.jax_corpus: faults that the version they were seen in has are found unaided; in others they are found or mended."""

import pytest

jax = pytest.importorskip("jax")

from assay import jax_corpus  # noqa: E402


@pytest.mark.parametrize("reported", jax_corpus.CORPUS, ids=lambda each: each.name)
def test_corpus(reported, record_property):
    found = reported.find()
    record_property("state", found or "mended")
    print(f"{reported.name}: {found or 'mended'} in {jax.__version__}")
    if jax.__version__ == reported.seen:
        assert found, f"{reported.name} was seen in {reported.seen}, and is not found"


def test_a_right_result_is_no_finding():
    x = jax.numpy.linspace(0.1, 4, 64)
    assert jax_corpus.judged("log", jax.numpy.log(x), [x]) == ""
    assert jax_corpus.compared(jax_corpus.judge("log", jax.numpy.log, [x], [jax_corpus.eager(), jax_corpus.eager()])) == ""
    assert "is off" in jax_corpus.compared(jax_corpus.judge("log", lambda x: 1.01 * jax.numpy.log(x), [x], [jax_corpus.eager()], diagnosis=False))
