"""assay.validate: right functions pass their suite, faulty ones fail, exceptions cost their cases only."""

import os
import signal
import warnings

import numpy
import pytest

import assay


def softmax(x, dim, temperature=1.0, logarithm=False):
    if x.shape[dim] == 0:
        return x
    shifted = (x - x.max(axis=dim, keepdims=True)) / x.dtype.type(temperature)
    total = numpy.exp(shifted).sum(axis=dim, keepdims=True)
    return shifted - numpy.log(total) if logarithm else numpy.exp(shifted) / total


def layernorm(x, gamma=None, beta=None, eps=1e-5):
    deviation = x - x.mean(axis=1, keepdims=True)
    y = deviation / numpy.sqrt((deviation * deviation).mean(axis=1, keepdims=True) + x.dtype.type(eps))
    return (y if gamma is None else y * gamma) + (0 if beta is None else beta)


@pytest.fixture(autouse=True)
def quiet():
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # means of nothing
        yield


def test_right_functions_pass():
    report = assay.validate("softmax", softmax, formats="f32", only=["*/4x*", "*/3x*"])
    assert report and report.count("pass") > 20 and not report.failures, report
    report = assay.validate("layer_norm", layernorm, formats="f32.f32.f32", only=["*/4x*", "*/16x*", "*/33x*", "*/7x*"])
    assert report and not report.failures, report
    assert assay.validate("exp", numpy.exp, formats="f32")
    report = assay.validate("matmul", lambda a, b: a @ b, formats="f32", only="gemm/*/normal", diagnosis=False)
    assert report and any("alpha" in outcome.reason or "does not take C" in outcome.reason for outcome in report), report
    assert assay.validate("add", lambda x, y: x + y, formats="f32", only="*/normal")


def test_faulty_functions_fail_with_a_diagnosis():
    report = assay.validate("softmax", lambda x, dim: numpy.exp(x) / numpy.exp(x).sum(axis=dim, keepdims=True), formats="f32")
    assert not report and report.count("fail") > 0 and report.count("pass") > 0, report
    assert any(outcome.diagnosis for outcome in report.failures)
    report = assay.validate("layernorm", lambda x, gamma, beta, eps: layernorm(x, gamma, beta, 1e-3), formats="f32.f32.f32", only="*/normal", diagnosis=False)
    assert report.count("fail") > 0


def test_exceptions_cost_their_cases_only():
    def sometimes(x):
        if x.size % 2:
            raise ZeroDivisionError("an odd number of elements")
        return numpy.exp(x)

    report = assay.validate("exp", sometimes, formats="f32")
    assert report.count("error") > 0 and report.count("pass") > 0 and report.count("fail") == 0
    message = report.failures[0].reason
    assert "ZeroDivisionError: an odd number of elements (line" in message and "in sometimes)" in message, message


@pytest.mark.parametrize("function, says", [
    (lambda x: numpy.exp(x).astype("f8"), "returned float64 where float32 is asked for"),
    (lambda x: numpy.exp(x)[:1], "returned a shape of"),
    (lambda x: None, "returned None"),
    (lambda x, strength: x, "strength is neither a tensor nor a member of exp"),
])
def test_what_is_returned_is_looked_at(function, says):
    report = assay.validate("exp", function, formats="f32", only="*/31/normal")
    assert report.count("error") == len(report) > 0 and says in report.failures[0].reason, report


def test_what_a_function_does_not_know_is_no_pass():
    report = assay.validate("softmax", lambda x, dim: softmax(x, dim), formats="f32")
    unsupported = [outcome for outcome in report if outcome.verdict == "unsupported"]
    assert report and any("does not know temperature" in outcome.reason or "does not know logarithm" in outcome.reason for outcome in unsupported), report

    def refuses(x):
        raise assay.Unsupported("not today")

    report = assay.validate("exp", refuses, formats="f32", only="*/31/normal")
    assert not report and report.count("unsupported") == len(report) and "not today" in report.outcomes[0].reason


def test_print_of_the_function_is_seen(capfd):
    def talkative(x):
        print("I am called")
        return numpy.exp(x)

    assert assay.validate("exp", talkative, formats="f32", only="*/31/normal")
    said = capfd.readouterr().out
    assert "I am called" in said and "passed" not in said


def test_reports_are_kept(tmp_path):
    report = assay.validate("exp", numpy.exp, formats="f32", only="*/31/*", out=tmp_path)
    assert (tmp_path / "report.json").exists() and "exp/python/f32.f32/31" in report.html()


@pytest.mark.parametrize("call, says", [
    (lambda: assay.validate("exq", numpy.exp), "unknown operation 'exq'"),
    (lambda: assay.validate("exp", numpy.exp, framework="theano"), "framework 'theano' is not known; known: numpy, torch"),
    (lambda: assay.validate("exp", numpy.exp, device="cuda"), "NumPy has no device 'cuda'"),
    (lambda: assay.validate("exp", numpy.exp, formats="f77"), "f77"),
    (lambda: assay.validate("exp", numpy.exp, only="nothing/of/this"), "."),
    (lambda: assay.validate("exp", numpy.exp, promises="wonders"), "wonders"),
])
def test_wrong_questions_are_refused(call, says):
    with pytest.raises(assay.Refused, match=says):
        call()


def test_ctrl_c_ends_runs():
    calls = []

    def interrupted(x):
        calls.append(x.shape)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):  # Python heeds signals between its instructions
                pass
        return numpy.exp(x)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts tests in the background has it ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            assay.validate("exp", interrupted, formats="f32")
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(calls) == 2


def test_promises_reach_the_tool():
    report = assay.validate("matmul", lambda A, B: A @ B, formats="f32.f32.f32", only="*/m31-n37-k41-nn-row/normal", promises="flush_products=bf16")
    assert report, report
    with pytest.raises(assay.Refused, match="subnormals"):
        assay.validate("matmul", lambda A, B: A @ B, promises="flush_subnormals,keep_subnormals")
