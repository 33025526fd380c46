"""assay.torch_operators: PyTorch's own operators are not accused, injected faults are caught, and what ends a process costs one operator."""

import copy
import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")  # which PyTorch's samples want

from assay import torch_operators  # noqa: E402

functional = torch.nn.functional


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def operator(name):
    return next(each for each in torch_operators.operators([name]) if not each.variant_test_name)


RIGHT = ["acos", "addmm", "argmax", "bmm", "cdist", "cumprod", "diff", "einsum", "erfinv", "fft.rfft", "gather", "index_add", "kron", "lgamma", "linalg.inv", "linalg.solve",
         "logsumexp", "median", "nn.functional.conv2d", "nn.functional.avg_pool2d", "nn.functional.batch_norm", "nn.functional.huber_loss", "nn.functional.pixel_shuffle",
         "polygamma", "roll", "scatter_add", "special.i1e", "std", "topk", "trapezoid", "tril", "var_mean", "where"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", RIGHT)
def test_right_operators_are_not_accused(name, dtype):
    for info in torch_operators.operators([name]):
        for gradient in (False, True):
            outcome = torch_operators.judge(info, dtype, gradient=gradient, samples=3)
            assert outcome.verdict in ("pass", "inconclusive", "unsupported"), (outcome.verdict, outcome.reason)
            if dtype == torch.float32 and not gradient and not info.variant_test_name:
                assert outcome.verdict == "pass", outcome.reason


def test_derived_bounds_judge_where_there_are_some():
    for name in ("softmax", "matmul", "exp", "nn.functional.layer_norm", "sum", "prod"):
        outcome = torch_operators.judge(operator(name), torch.float32)
        assert outcome.verdict == "pass" and any(each.bound == "derived" for each in outcome.findings), (name, outcome.findings)
    assert torch_operators.judge(operator("lgamma"), torch.float32).json()["labels"]["bound"] == "estimated"


def in_bfloat16(function):
    """Computes in bfloat16, and returns float32."""
    low = lambda value: value.bfloat16() if isinstance(value, torch.Tensor) and value.dtype == torch.float32 else value  # noqa: E731
    return lambda *args, **kwargs: function(*map(low, args), **{name: low(value) for name, value in kwargs.items()}).float()


def flushed(function, below=1e-3):
    """Small results are zeros."""
    def call(*args, **kwargs):
        found = function(*args, **kwargs)
        return torch.where(found.abs() < below, 0.0, found)
    return call


FAULTS = {
    "wrong scale": ("nn.functional.conv2d", lambda *args, **kwargs: functional.conv2d(*args, **kwargs) * 1.001),
    "a lost tail": ("logsumexp", lambda x, dim, *args, **kwargs: torch.logsumexp(x.narrow(dim if isinstance(dim, int) else dim[0], 0, max(x.shape[dim if isinstance(dim, int) else dim[0]] - 1, 1)) if x.dim() else x, dim, *args, **kwargs)),
    "NaN swallowed": ("trunc", lambda x: torch.trunc(x).nan_to_num(0.0)),
    "NaN swallowed by a maximum": ("amax", lambda x, *args, **kwargs: torch.amax(x.nan_to_num(-1e30), *args, **kwargs)),
    "sums in bfloat16": ("nn.functional.conv1d", in_bfloat16(functional.conv1d)),
    "products in bfloat16": ("addmm", in_bfloat16(torch.addmm)),
    "the wrong divisor": ("std", lambda x, *args, **kwargs: torch.std(x, *args, **kwargs) * 1.01),
    "one step too early": ("cumprod", lambda x, dim: torch.roll(torch.cumprod(x, dim), 1, dim)),
    "small results flushed": ("lgamma", flushed(torch.lgamma, 1e-1)),
    "the wrong order": ("topk", lambda x, k, *args, **kwargs: torch.topk(-x, k, *args, **kwargs)),
    "an index off by one": ("gather", lambda x, dim, index, **kwargs: torch.gather(x, dim, (index + 1) % x.shape[dim] if x.dim() else index, **kwargs)),
    "another shape": ("kron", lambda x, y: torch.kron(x, y).unsqueeze(0)),
    "another type": ("argmax", lambda *args, **kwargs: torch.argmax(*args, **kwargs).float()),
    "a tenth of an ulp too few": ("erfinv", lambda x: torch.erfinv(x.half()).float()),
    "the transposed": ("linalg.inv", lambda x: torch.linalg.inv(x).mT),
    "a stale element": ("tril", lambda x, *args: torch.tril(x, *args).index_fill(-1, torch.tensor([0]), 7.0)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_injected_faults_are_caught(fault):
    name, function = FAULTS[fault]
    outcome = torch_operators.judge(operator(name), torch.float32, function=function, samples=6)
    assert outcome.verdict == "fail", (outcome.verdict, outcome.reason, outcome.worst)


class Scaled(torch.autograd.Function):
    """silu with a gradient that is off by a hundredth."""

    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return functional.silu(x)

    @staticmethod
    def backward(context, weight):
        x, = context.saved_tensors
        sigmoid = torch.sigmoid(x)
        return weight * sigmoid * (1 + x * (1 - sigmoid)) * 1.01


def test_wrong_gradients_are_caught():
    outcome = torch_operators.judge(operator("nn.functional.silu"), torch.float32, gradient=True, function=lambda x, **_: Scaled.apply(x))
    assert outcome.verdict == "fail", outcome.findings
    # One that the float64 reference has, too, is seen by finite differences.
    info = copy.copy(operator("nn.functional.silu"))
    info.op = lambda x, **_: Scaled.apply(x)
    info.decorators = info.skips = ()
    outcome = torch_operators.judge(info, torch.float32, gradient=True)
    assert outcome.verdict == "fail" and "finite differences give" in outcome.reason, outcome.findings


def test_sums_in_bfloat16_are_caught_in_bfloat16_where_bounds_are_derived():
    def sums(x, *args, **kwargs):
        total = torch.zeros((), dtype=torch.bfloat16)
        for value in x.flatten():
            total = total + value
        return total

    info = copy.copy(operator("sum"))
    info.sample_inputs_func = lambda info, device, dtype, requires_grad, **kwargs: iter([torch.testing._internal.opinfo.core.SampleInput(torch.rand(3000).to(dtype))])
    assert torch_operators.judge(info, torch.bfloat16, samples=1).verdict == "pass"
    assert torch_operators.judge(info, torch.bfloat16, samples=1, function=sums).verdict == "fail"


def test_what_is_random_or_not_there_is_no_pass():
    assert torch_operators.judge(operator("bernoulli"), torch.float32).verdict == "unsupported"
    assert torch_operators.judge(operator("empty_like"), torch.float32).verdict == "unsupported"
    outcome = torch_operators.judge(operator("bitwise_and"), torch.float32)
    assert outcome.verdict == "unsupported" and "has no f32 on cpu" in outcome.reason

    def fails(*args, **kwargs):
        raise RuntimeError("no kernel\nat all")

    outcome = torch_operators.judge(operator("exp"), torch.float32, function=fails)
    assert outcome.verdict == "error" and "no kernel" in outcome.reason


def test_the_program_writes_a_run(tmp_path, capsys):
    code = torch_operators.main(["--op", "lgamma,softmax,empty", "--dtype", "f32,bf16", "--gradients", "--out", str(tmp_path)])
    run = json.loads((tmp_path / "report.json").read_text())
    assert run["schema"] == "assay-run/1" and len(run["outcomes"]) == run["planned_cases"] >= 12
    assert len((tmp_path / "outcomes.jsonl").read_text().splitlines()) == len(run["outcomes"])
    assert code == int(any(each["verdict"] in ("fail", "error") for each in run["outcomes"]))
    assert "f32     forward" in capsys.readouterr().out and "lgamma" in (tmp_path / "report.html").read_text()


def test_wrong_questions_are_refused(capsys):
    assert torch_operators.main(["--device", "cuda:77", "--op", "exp"]) == 2
    assert "device 'cuda:77' cannot be had" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="no operator matches 'lgama'; nearest: lgamma"):
        torch_operators.main(["--op", "lgama"])
    with pytest.raises(SystemExit, match="unknown dtype 'f33'"):
        torch_operators.main(["--dtype", "f33"])


def test_what_ends_or_hangs_its_process_costs_one_operator(monkeypatch):
    """The plan of the parent and that of the children differ by an operator that only these have: it ends them."""
    words = ["--op", "exp,lgamma", "--timeout", "120"]
    script = ("import os, sys\nfrom assay import torch_operators\njudge = torch_operators.judge\n"
              "torch_operators.judge = lambda info, *a, **k: os.abort() if info.name == 'exp' else judge(info, *a, **k)\n"
              "sys.exit(torch_operators.main(sys.argv[1:]))")
    popen = torch_operators.subprocess.Popen
    monkeypatch.setattr(torch_operators.subprocess, "Popen", lambda command, **kwargs: popen([command[0], "-c", script, *command[3:]], **kwargs))
    parsed = torch_operators.argparse.Namespace(op="exp,lgamma", dtype="f32", device="cpu", gradients=False, samples=2, timeout=120, verbose=False)
    outcomes = torch_operators.run(parsed, words)
    verdicts = {each["labels"]["operation"]: each["verdict"] for each in outcomes}
    assert verdicts == {"exp": "error", "lgamma": "pass"} and "by signal 6" in next(each["reason"] for each in outcomes if each["verdict"] == "error")
