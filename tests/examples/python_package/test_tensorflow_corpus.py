"""assay.tensorflow_corpus: faults that the version they were seen in has are found unaided; in others they are found or mended."""

import pytest

tensorflow = pytest.importorskip("tensorflow")

from assay import tensorflow_corpus  # noqa: E402


@pytest.mark.parametrize("reported", tensorflow_corpus.CORPUS, ids=lambda each: each.name)
def test_corpus(reported, record_property):
    found = reported.find()
    record_property("state", found or "mended")
    print(f"{reported.name}: {found or 'mended'} in {tensorflow.__version__}")
    if tensorflow.__version__ == reported.seen:
        assert found, f"{reported.name} was seen in {reported.seen}, and is not found"


def test_a_right_result_is_no_finding():
    x = tensorflow.linspace(0.1, 4.0, 64)
    assert tensorflow_corpus.judged("log", tensorflow.math.log(x), [x]) == ""
    assert tensorflow_corpus.compared(tensorflow_corpus.judge("log", tensorflow.math.log, [x], [tensorflow_corpus.eager(), tensorflow_corpus.graph()])) == ""
    assert "is off" in tensorflow_corpus.compared(tensorflow_corpus.judge("log", lambda x: 1.01 * tensorflow.math.log(x), [x], [tensorflow_corpus.eager()], diagnosis=False))
