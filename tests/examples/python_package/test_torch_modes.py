"""assay.torch: which mode is right, and the first stage of a transformer block that leaves its bound; injected faults are named."""

import pytest

torch = pytest.importorskip("torch")

import assay.torch as modes  # noqa: E402
from assay import torch_stages  # noqa: E402

functional = torch.nn.functional


@pytest.fixture(autouse=True)
def one_thread():
    torch.manual_seed(0)
    torch.set_num_threads(1)


def test_modes_that_agree():
    x = torch.randn(8, 50)
    found = modes.judge("softmax", lambda x: torch.softmax(x, 1), [x], [modes.eager(), modes.traced(), modes.exported(), modes.deterministic()], dim=1)
    assert found and found.sentence == "softmax: all within the bound; bits agree", found


def test_the_guilty_mode_is_named_whichever_comes_first():
    x = torch.randn(8, 50)
    wrong = modes.Mode("wrong", lambda function: lambda *inputs: function(*inputs) * 1.001)
    slightly = modes.Mode("slightly", lambda function: lambda *inputs: torch.nextafter(function(*inputs), torch.tensor(2.0)))
    for order in ([modes.eager(), wrong, slightly], [wrong, modes.eager(), slightly]):
        found = modes.judge("softmax", lambda x: torch.softmax(x, 1), [x], order, dim=1)
        assert found.off == ["wrong"] and "wrong is off: " in found.sentence, found
    found = modes.judge("softmax", lambda x: torch.softmax(x, 1), [x], [modes.eager(), slightly], dim=1)
    assert found and "merely different from eager: slightly in 400 of 400 elements" in found.sentence, found


def test_a_mode_that_raises_is_an_error():
    def fails(function):
        raise RuntimeError("no compiler\nat all")

    found = modes.judge("softmax", lambda x: torch.softmax(x, 1), [torch.randn(3, 4)], [modes.eager(), modes.Mode("broken", fails)], dim=1)
    assert not found and found["broken"].verdict == "error" and "no compiler" in found.sentence


def test_autocast_is_judged_by_what_it_promises():
    x, w = torch.randn(16, 64), torch.randn(32, 64)
    found = modes.judge("linear", functional.linear, [x, w], [modes.eager(), modes.autocast()])
    assert found, found
    assert modes.judge("linear", functional.linear, [x, w], [modes.matmul_precision("medium"), modes.matmul_precision("highest")])
    rounding = modes.Mode("rounds", lambda function: lambda x, w: function(x.bfloat16().float(), w.bfloat16().float()), torch.bfloat16, may=True)
    assert modes.judge("linear", functional.linear, [x, w], [rounding])
    plain = modes.Mode("autocast judged as float32", modes.autocast().wrap)
    assert modes.judge("linear", functional.linear, [x, w], [plain]).off == ["autocast judged as float32"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_every_stage_of_a_right_block_is_within_its_bound(dtype):
    found = torch_stages.compare(torch_stages.transformer_block(dtype), [modes.eager()])
    assert found and found.distance["eager"] < (1e-5 if dtype == torch.float32 else 0.05), found


FAULTS = {
    "norm1": lambda value, gamma, beta: functional.layer_norm(value, (64,), gamma, beta, 1e-3),
    "query": lambda value, weight: functional.linear(value, weight.to(torch.float8_e4m3fn).to(value.dtype)),
    "attention": lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, scale=0.27),
    "residual1": lambda x, y: x,
    "gelu": lambda x: functional.gelu(x, approximate="tanh"),
    "down": lambda x, w: functional.linear(x[..., :-1], w[..., :-1]),
    "residual2": lambda x, y: (x.half() + y.half()).to(x.dtype),
}


@pytest.mark.parametrize("stage", FAULTS)
def test_injected_faults_are_named(stage):
    block = torch_stages.transformer_block()
    found = torch_stages.compare(block.with_stage(stage, FAULTS[stage]), [modes.eager(), modes.traced()], diagnosis=False)
    assert not found and found.first_off("eager") == stage and found.first_off("jit.trace") == stage, found
    others = [name for name, judged in found.stages if not judged["eager"]]
    assert others == [stage], others  # no later stage is blamed for it
    assert f"{stage} is the first stage that leaves its bound" in repr(found)


def test_unknown_stages_are_refused():
    with pytest.raises(KeyError, match="no stage 'nrom'"):
        torch_stages.transformer_block().with_stage("nrom", torch.relu)


def compiler_there():
    try:
        torch.compile(lambda x: x + 1)(torch.zeros(2))
        return True
    except Exception:
        return False


@pytest.mark.skipif("not compiler_there()", reason="torch.compile needs a C++ compiler, and Python's headers")
def test_softmax_of_bfloat16_under_the_compiler():
    """Along the first dimension eager stores exponentials in 16 bits, and the compiler does not: parity would blame the wrong one."""
    x = torch.randn(300, 40).bfloat16()
    found = modes.judge("softmax", lambda x: torch.softmax(x, 0), [x], [modes.eager(), modes.compiled()], dim=0, diagnosis=False)
    assert found["compile"].verdict == "pass", found
    assert found["compile"].differing or found["eager"].verdict == "pass"


def test_every_stage_of_a_right_residual_network_is_within_its_bound():
    network = torch_stages.small_resnet()
    found = torch_stages.compare(network, [modes.eager(), modes.channels_last(), modes.autocast()], diagnosis=False)
    assert found, found
    assert all(judged["eager"].findings[0].outcome is not None for _, judged in found.stages), found
    back = torch_stages.compare_gradients(network, [modes.eager(), modes.channels_last(), modes.autocast()])
    assert back and len(back.stages) == len(network.stages), back
    assert all(abs(back.loss[mode] / back.loss["eager"] - 1) < 0.1 for mode in back.modes), back


RESNET_FAULTS = {
    "block1.conv1": lambda x, w: functional.conv2d(x, w.bfloat16().to(w.dtype), padding=1),
    "block2.shortcut": lambda x, w: functional.conv2d(x[..., 1:, 1:], w, stride=2, padding=(1, 1))[..., :6, :6],
    "stem.norm": lambda x, gamma, beta, mean, variance: functional.batch_norm(x, mean, variance, gamma, beta, eps=1e-3),
    "block2.relu1": lambda x: functional.leaky_relu(x, 1e-3),
    "block1.residual": lambda x, y: x + y * 1.0001,
    "pool": lambda x: x[..., :-1].mean(2),
}


@pytest.mark.parametrize("stage", RESNET_FAULTS)
def test_injected_faults_of_a_residual_network_are_named(stage):
    network = torch_stages.small_resnet().with_stage(stage, RESNET_FAULTS[stage])
    found = torch_stages.compare(network, [modes.eager()], diagnosis=False)
    assert found.first_off("eager") == stage, found
    assert [name for name, judged in found.stages if not judged["eager"]] == [stage], found


class WrongBack(torch.autograd.Function):
    """relu whose gradient does not vanish below zero."""

    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return functional.relu(x)

    @staticmethod
    def backward(context, weight):
        return torch.where(context.saved_tensors[0] < -1, 0.0, weight)


def test_the_first_stage_whose_gradients_are_off_is_named():
    network = torch_stages.small_resnet()
    mode = modes.Mode("wrong back", lambda function: WrongBack.apply if function is functional.relu else function)
    found = torch_stages.compare_gradients(network, [modes.eager(), mode])
    assert found.first_off("eager") is None and found.first_off("wrong back") == "block2.relu2", found
    scaled = modes.Mode("scaled", lambda function: lambda *inputs: function(*inputs) * (1.001 if function is functional.conv2d else 1))
    assert "gradients of block2.relu2 are the first that leave" in repr(found) and torch_stages.compare_gradients(network, [scaled])


@pytest.mark.skipif("not compiler_there()", reason="torch.compile needs a C++ compiler, and Python's headers")
def test_a_residual_network_under_the_compiler():
    network = torch_stages.small_resnet()
    found = torch_stages.compare(network, [modes.compiled()], diagnosis=False)
    assert found and all(judged["compile"].findings[0].outcome is not None for _, judged in found.stages), found
    back = torch_stages.compare_gradients(network, [modes.compiled()])
    assert back and len(back.stages) == len(network.stages), back
    wrong = modes.Mode("compile", lambda function: modes.compiled().wrap(lambda *inputs: function(*inputs) * 1.001) if function is torch.add else function)
    assert torch_stages.compare(network, [wrong], diagnosis=False).first_off("compile") == "block1.residual"


def test_intermediate_results_in_16_bits_are_told_from_other_faults():
    x = torch.randn(300, 40).bfloat16()

    def in_16_bits(x):
        power = (x - x.amax(1, keepdim=True)).exp()
        return power / power.sum(1, keepdim=True)

    found = modes.judge("softmax", in_16_bits, [x], [modes.eager(), modes.Mode("doubled", lambda function: lambda x: 2 * function(x))], dim=1, diagnosis=False)
    assert found["eager"].explained == "bf16" and found["doubled"].explained == "" and found.off == ["eager", "doubled"], found


def test_the_program(capsys):
    assert modes.main(["--op", "matmul,softmax", "--dtype", "f32", "--mode", "eager,autocast*"]) == 0
    told = capsys.readouterr().out
    assert "matmul" in told and "autocast bf16" in told and "export" not in told
    with pytest.raises(SystemExit):
        modes.main(["--dtype", "f33"])
    assert "no dtype matches 'f33'; nearest: f32" in capsys.readouterr().err
