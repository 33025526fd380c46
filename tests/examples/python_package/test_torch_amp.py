"""assay.torch_amp: a right training step has no mistakes, and each injected one is named."""

import pytest

torch = pytest.importorskip("torch")

from assay import torch_amp  # noqa: E402


def step(*, zero=True, unscale_before_clip=True, clip=True, guard=True, update=True, unscale=True):
    """A training step with mistakes of one's choice."""

    def call(weights, optimizer, scaler, loss, norm):
        if zero:
            optimizer.zero_grad()
        scaler.scale(loss()).backward()
        if not unscale:
            optimizer.step()
            return
        if unscale_before_clip:
            scaler.unscale_(optimizer)
        if clip:
            torch.nn.utils.clip_grad_norm_(weights, norm)
        if guard:
            scaler.step(optimizer)
        else:
            if not unscale_before_clip:
                scaler.unscale_(optimizer)
            optimizer.step()
        if update:
            scaler.update()
    return call


def scaler(**options):
    return lambda: torch.amp.GradScaler("cpu", **{"init_scale": 1024.0, "growth_interval": 4, **options})


class Blind(torch.amp.GradScaler):
    """Takes NaN for a number."""

    def unscale_(self, optimizer):
        for group in optimizer.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    weight.grad.nan_to_num_(0.0, float("inf"), float("-inf"))
        super().unscale_(optimizer)


def test_right_steps_have_no_mistakes():
    assert torch_amp.audit(), torch_amp.audit()
    assert torch_amp.audit(step())
    assert torch_amp.audit(make_weights=torch.Tensor.double)


@pytest.mark.parametrize("name, options", [
    ("clipped_before_unscaling", {"step": step(unscale_before_clip=False)}),
    ("not_clipped", {"step": step(clip=False)}),
    ("overflow_not_skipped", {"step": step(guard=False)}),
    ("nan_not_skipped", {"step": step(guard=False)}),
    ("gradients_left_scaled", {"step": step(unscale=False)}),
    ("stale_gradients", {"step": step(zero=False)}),
    ("exception", {"step": step(update=False)}),  # which GradScaler refuses
    ("scale_not_halved", {"make_scaler": scaler(backoff_factor=0.25)}),
    ("scale_does_not_grow", {"make_scaler": scaler(growth_interval=1000)}),
    ("scale_grows_too_early", {"make_scaler": scaler(growth_interval=2)}),
    ("nan_not_skipped", {"make_scaler": lambda: Blind("cpu", init_scale=1024.0, growth_interval=4)}),
    ("exception", {"make_weights": torch.Tensor.half}),  # which GradScaler refuses
    ("updates_lost", {"make_weights": torch.Tensor.bfloat16}),
    ("exception", {"step": lambda *_: 1 / 0}),
])
def test_injected_mistakes_are_named(name, options):
    options = dict(options)
    found = torch_amp.audit(options.pop("step", torch_amp.train_step), **options)
    assert not found and name in found.mistakes, found
    assert name in repr(found)
