"""assay.torch_corpus: faults that the version they were seen in has are found unaided; in others they are found or mended."""

import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from assay import torch_corpus  # noqa: E402


@pytest.mark.parametrize("reported", torch_corpus.CORPUS, ids=lambda each: each.name)
def test_corpus(reported, record_property):
    if reported.compiles and not (shutil.which("g++") or shutil.which("clang++")):
        pytest.skip("torch.compile needs a C++ compiler")
    torch.set_num_threads(1)
    try:
        found = reported.find()
    except Exception as error:
        if not reported.compiles:
            raise
        pytest.skip(f"torch.compile cannot be had: {type(error).__name__}")
    record_property("state", found or "mended")
    print(f"{reported.name}: {found or 'mended'} in {torch.__version__}")
    # Whether memory that was never written holds zeros is nobody's promise; the others are the same on every machine.
    if torch.__version__.split("+")[0] == reported.seen and "never written" not in reported.what:
        assert found, f"{reported.name} was seen in {reported.seen}, and is not found"


def test_a_right_result_is_no_finding():
    x = torch.rand(64).add(0.5)
    assert torch_corpus.judged("rsqrt", torch.rsqrt(x), [x]) == ""
    assert torch_corpus.judged("gelu", torch.nn.functional.gelu(torch.tensor([1.0, -1.0])), [torch.tensor([1.0, -1.0])]) == ""
