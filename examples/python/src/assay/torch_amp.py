"""Mixed precision as people train with it: is the loss scaled, and are its gradients, as they should be?

    from assay import torch_amp
    print(torch_amp.audit(my_step, make_scaler=lambda: torch.amp.GradScaler("cuda", init_scale=1024, growth_interval=4)))

A training step of one's own goes through seven situations whose outcome is known exactly: an ordinary step, clipping, an overflow,
NaN, growth, small updates, and a step without gradients. Each mistake has a name of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, List, Optional

import torch

_SCALE, _INTERVAL, _RATE = 1024.0, 4, 0.125


@dataclass
class Finding:
    """What one situation shows. `mistake`: its name, empty where all is right."""

    situation: str
    mistake: str = ""
    reason: str = ""


@dataclass
class Audit:
    """All situations; truthy where none shows a mistake."""

    findings: List[Finding]

    def __bool__(self) -> bool:
        return not self.mistakes

    @property
    def mistakes(self) -> List[str]:
        """Their names."""
        return [each.mistake for each in self.findings if each.mistake]

    def __repr__(self) -> str:
        return "\n".join(f"{each.mistake or 'right':28s}{each.situation}" + (f": {each.reason}" if each.reason else "") for each in self.findings)


def train_step(weights: List[torch.Tensor], optimizer: Any, scaler: Any, loss: Callable[[], torch.Tensor], clip: float) -> None:
    """A step as PyTorch's documentation has it."""
    optimizer.zero_grad()
    scaler.scale(loss()).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(weights, clip)
    scaler.step(optimizer)
    scaler.update()


def _usual_scaler() -> Any:
    return torch.amp.GradScaler("cpu", init_scale=_SCALE, growth_interval=_INTERVAL)


class _Training:
    """One vector of weights, whose gradient is told."""

    def __init__(self, step: Callable[..., None], make_scaler: Callable[[], Any], make_weights: Callable[[torch.Tensor], torch.Tensor], device: str, momentum: float = 0):
        self.step, self.scaler = step, make_scaler()
        self.weights = make_weights(torch.tensor([1.0, 2.0, -1.0, 0.5], device=device)).requires_grad_()
        self.optimizer = torch.optim.SGD([self.weights], lr=_RATE, momentum=momentum)

    def go(self, gradient: List[float], clip: float = 1e9) -> None:
        told = torch.tensor(gradient, device=self.weights.device)
        # Products in 16 bits, as under autocast: so gradients are scaled there.
        self.step([self.weights], self.optimizer, self.scaler, lambda: (self.weights.to(torch.float16) * told.to(torch.float16)).sum().float(), clip)

    def now(self) -> torch.Tensor:
        return self.weights.detach().double().cpu().clone()

    def momenta(self) -> Optional[torch.Tensor]:
        state = self.optimizer.state.get(self.weights, {}).get("momentum_buffer")
        return None if state is None else state.detach().double().cpu().clone()


def _near(one: torch.Tensor, other: torch.Tensor, tolerance: float = 2.0**-20) -> bool:
    return bool(((one - other).abs() <= tolerance * (1 + other.abs())).all())


def audit(step: Callable[..., None] = train_step, *, make_scaler: Callable[[], Any] = _usual_scaler,
          make_weights: Callable[[torch.Tensor], torch.Tensor] = torch.Tensor.clone, device: str = "cpu") -> Audit:
    """`step(weights, optimizer, scaler, loss, clip)` is judged, with scalers that begin at 1024 and grow after 4 good steps, as `make_scaler`
    gives them; `make_weights` makes the weights that are trained, of their first values in float32.

    >>> bool(audit())
    True
    """

    def training(momentum: float = 0) -> _Training:
        return _Training(step, make_scaler, make_weights, device, momentum)

    checks = (_ordinary, _clipped, _overflow, _nan, _growth, _small_updates, _without_gradients)
    findings = []
    for check in checks:
        situation = (check.__doc__ or "").rstrip(".")
        try:
            findings.append(check(training) or Finding(situation))
        except Exception as error:  # of the step's own
            findings.append(Finding(situation, "exception", f"{type(error).__name__}: {error}"[:200]))
        findings[-1].situation = situation
    return Audit(findings)


def _ordinary(training: Callable[..., _Training]) -> Optional[Finding]:
    """an ordinary step."""
    run, gradient = training(), [0.5, -0.25, 2.0, 1.0]
    before, told = run.now(), torch.tensor(gradient, dtype=torch.float64)
    run.go(gradient)
    moved = before - run.now()
    if _near(moved, _RATE * told):
        return None
    if _near(moved, _RATE * _SCALE * told, 1e-3):
        return Finding("", "gradients_left_scaled", f"weights moved {_SCALE:g} times as far as they should")
    return Finding("", "wrong_step", f"weights moved by {moved.tolist()}, and {(_RATE * told).tolist()} is right")


def _clipped(training: Callable[..., _Training]) -> Optional[Finding]:
    """a step whose gradients are clipped."""
    run, gradient = training(), [2.0, 2.0, 2.0, 2.0]  # of norm 4
    before = run.now()
    run.go(gradient, clip=1.0)
    moved, right = before - run.now(), _RATE * torch.full((4,), 0.5, dtype=torch.float64)
    if _near(moved, right, 1e-5):
        return None
    if _near(moved, right / _SCALE, 1e-5):
        return Finding("", "clipped_before_unscaling", f"weights moved {_SCALE:g} times less than they should: the norm was that of scaled gradients")
    return Finding("", "not_clipped", f"weights moved by {moved.tolist()}, and {right.tolist()} is right")


def _skipped(training: Callable[..., _Training], gradient: List[float], name: str) -> Optional[Finding]:
    run = training(momentum=0.5)
    run.go([0.5, 0.5, 0.5, 0.5])
    before, momenta = run.now(), run.momenta()
    run.go(gradient)
    after, later = run.now(), run.momenta()
    if not torch.equal(before, after):
        return Finding("", f"{name}_not_skipped", f"weights became {after.tolist()}")
    if momenta is not None and later is not None and not torch.equal(momenta, later):
        return Finding("", f"{name}_in_the_state", f"momenta became {later.tolist()}")
    if run.scaler.get_scale() != _SCALE / 2:
        return Finding("", "scale_not_halved", f"the scale is {run.scaler.get_scale():g} after it, and {_SCALE / 2:g} is right")
    run.go([0.5, 0.5, 0.5, 0.5])
    if torch.equal(run.now(), after):
        return Finding("", f"{name}_stops_training", "the next step, which is an ordinary one, was skipped, too")
    return None


def _overflow(training: Callable[..., _Training]) -> Optional[Finding]:
    """gradients that overflow when they are scaled."""
    return _skipped(training, [0.5, 1000.0, 0.5, 0.5], "overflow")  # 1000 · 1024 is beyond float16


def _nan(training: Callable[..., _Training]) -> Optional[Finding]:
    """a gradient that is NaN."""
    return _skipped(training, [0.5, float("nan"), 0.5, 0.5], "nan")


def _growth(training: Callable[..., _Training]) -> Optional[Finding]:
    """good steps, between which one overflows."""
    run = training()
    for _ in range(_INTERVAL - 1):
        run.go([0.5] * 4)
    run.go([1000.0] * 4)  # halves, and the count begins again
    scales = []
    for _ in range(_INTERVAL):
        run.go([0.5] * 4)
        scales.append(run.scaler.get_scale())
    right = [_SCALE / 2] * (_INTERVAL - 1) + [_SCALE]
    if scales == right:
        return None
    mistake = "scale_does_not_grow" if scales[-1] < _SCALE and len(set(scales)) == 1 else "scale_grows_too_early" if scales[0] > _SCALE / 2 or scales[-2] > _SCALE / 2 else "wrong_scale"
    return Finding("", mistake, f"after an overflow the scales are {scales}, and {right} are right")


def _small_updates(training: Callable[..., _Training]) -> Optional[Finding]:
    """many small steps."""
    run, steps, size = training(), 256, 2.0**-12
    before = run.now()
    for _ in range(steps):
        run.go([size] * 4)
        if run.scaler.get_scale() > 2.0**14:
            run.scaler.update(_SCALE)
    moved, right = before - run.now(), torch.full((4,), steps * size * _RATE, dtype=torch.float64)
    if _near(moved, right, 1e-4):
        return None
    return Finding("", "updates_lost", f"weights moved by {moved.tolist()}, and {right.tolist()} is right: they are kept in too few bits")


def _without_gradients(training: Callable[..., _Training]) -> Optional[Finding]:
    """a step without gradients behind an ordinary one."""
    run = training()
    run.go([0.5, 0.5, 0.5, 0.5])
    before = run.now()
    run.go([0.0, 0.0, 0.0, 0.0])
    if torch.equal(before, run.now()):
        return None
    return Finding("", "stale_gradients", "weights moved by the gradients of the step before")
