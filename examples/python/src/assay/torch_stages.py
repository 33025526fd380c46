"""A model as stages, each with the operation that it is: under every mode the first stage that leaves its bound is named.

    from assay import torch as modes, torch_stages
    block = torch_stages.transformer_block(torch.bfloat16)
    print(torch_stages.compare(block, [modes.eager(), modes.compiled(), modes.autocast()]))
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
from torch.nn import functional

from .torch import Judgement, Mode, judge
from .torch_operators import Finding, compare_with_estimate


@dataclass(frozen=True)
class Stage:
    """`function(*inputs)`, of values by name, gives the value `name`, and is `operation` with these attributes. `shaped`: how it is
    brought into the shape that the next stages want; that moves elements and computes nothing."""

    name: str
    operation: str
    function: Callable[..., Any]
    inputs: Tuple[str, ...]
    attributes: Dict[str, Any] = field(default_factory=dict)
    shaped: Callable[[Any], Any] = lambda value: value
    frozen: Tuple[str, ...] = ()  # inputs that have no gradient


@dataclass(frozen=True)
class Model:
    """Stages in order, and the values that are there before the first."""

    stages: Tuple[Stage, ...]
    values: Dict[str, Any]

    def with_stage(self, name: str, function: Callable[..., Any]) -> "Model":
        """The same, with another function at that stage: to inject a fault."""
        if name not in [stage.name for stage in self.stages]:
            raise KeyError(f"no stage {name!r}; there are {', '.join(stage.name for stage in self.stages)}")
        return Model(tuple(replace(stage, function=function) if stage.name == name else stage for stage in self.stages), self.values)


@dataclass
class Comparison:
    """Judgements by stage. Each mode runs freely: a stage gets what the stages before it gave under the same mode, and is judged
    by these inputs, so that the first stage that is off is the guilty one, and no later one is blamed for it."""

    stages: List[Tuple[str, Dict[str, Judgement]]]
    modes: List[str]
    distance: Dict[str, float]  # of the last value to that of float64, relative, root of the mean square

    def first_off(self, mode: str) -> Optional[str]:
        """The first stage that leaves its bound under that mode; None: none does."""
        return next((name for name, found in self.stages if mode in found and not found[mode]), None)

    def __bool__(self) -> bool:
        return all(self.first_off(mode) is None for mode in self.modes)

    def __repr__(self) -> str:
        lines = [f"{'':24s}" + "".join(f"{mode:>26s}" for mode in self.modes)]
        for name, found in self.stages:
            cells = []
            for mode in self.modes:
                finding = found[mode].findings[0] if mode in found else None
                cells.append("-" if finding is None else finding.verdict if finding.outcome is None else
                             f"{finding.verdict} {finding.outcome.worst_error_ratio:.3g}")
            lines.append(f"{name:24s}" + "".join(f"{cell:>26s}" for cell in cells))
        lines.append(f"{'distance to float64':24s}" + "".join(f"{self.distance.get(mode, float('nan')):>26.3g}" for mode in self.modes))
        for mode in self.modes:
            off = self.first_off(mode)
            lines.append(f"{mode}: " + (f"{off} is the first stage that leaves its bound" if off else "every stage within its bound"))
        return "\n".join(lines)


def compare(model: Model, modes: Sequence[Mode], **options: Any) -> Comparison:
    """Runs the stages under each mode, each compiled, traced or cast by itself, and judges each; `options` are those of `assay.check`."""
    table: Dict[str, Dict[str, Judgement]] = {stage.name: {} for stage in model.stages}
    exact = {name: value.double() if value.is_floating_point() else value for name, value in model.values.items()}
    for stage in model.stages:
        with torch.no_grad():
            exact[stage.name] = stage.shaped(stage.function(*[exact[name] for name in stage.inputs]))
    distance = {}
    for mode in modes:
        values = dict(model.values)
        for stage in model.stages:
            found = judge(stage.operation, stage.function, [values[name] for name in stage.inputs], [mode], **{**stage.attributes, **options})
            table[stage.name][mode.name] = found
            if found.findings[0].output is None:
                break
            values[stage.name] = stage.shaped(found.findings[0].output)
        else:
            last = model.stages[-1].name
            error = (values[last].double() - exact[last]).square().mean().sqrt()
            distance[mode.name] = float(error / exact[last].square().mean().sqrt())
    return Comparison(list(table.items()), [mode.name for mode in modes], distance)


@dataclass
class GradientComparison:
    """Findings by stage, from the last one back: each stage's gradients of its inputs, against those of float64 at the very inputs and
    the very gradient that came to it under that mode. Bounds are estimated."""

    stages: List[Tuple[str, Dict[str, Finding]]]
    modes: List[str]
    loss: Dict[str, float]

    def first_off(self, mode: str) -> Optional[str]:
        """The first stage on the way back that leaves its bound under that mode; None: none does."""
        return next((name for name, found in self.stages if mode in found and found[mode].verdict not in ("pass", "inconclusive", "undecided")), None)

    def __bool__(self) -> bool:
        return all(self.first_off(mode) is None for mode in self.modes)

    def __repr__(self) -> str:
        lines = [f"{'':24s}" + "".join(f"{mode:>26s}" for mode in self.modes)]
        for name, found in self.stages:
            lines.append(f"{name:24s}" + "".join(f"{f'{found[mode].verdict} {found[mode].ratio:.3g}' if mode in found else '-':>26s}" for mode in self.modes))
        lines.append(f"{'loss':24s}" + "".join(f"{self.loss.get(mode, float('nan')):>26.6g}" for mode in self.modes))
        for mode in self.modes:
            off = self.first_off(mode)
            lines.append(f"{mode}: " + (f"gradients of {off} are the first that leave their bound" if off else "gradients of every stage within their (estimated) bound"))
        return "\n".join(lines)


def compare_gradients(model: Model, modes: Sequence[Mode]) -> GradientComparison:
    """Forward, then back: the loss is half the sum of the last value's squares. Under each mode every stage runs by itself, and its
    gradients are judged by what it really got; a mode that rounds its inputs by contract is judged at the rounded ones."""
    table: Dict[str, Dict[str, Finding]] = {stage.name: {} for stage in reversed(model.stages)}
    losses = {}
    for mode in modes:
        values, used = dict(model.values), {}
        for stage in model.stages:
            used[stage.name] = [values[name].detach() for name in stage.inputs]
            with torch.no_grad():
                values[stage.name] = stage.shaped(mode.wrap(stage.function)(*used[stage.name])).to(model.values[stage.inputs[0]].dtype if stage.inputs[0] in model.values
                                                                                                    else values[stage.inputs[0]].dtype)
        last = values[model.stages[-1].name]
        losses[mode.name] = float(last.double().square().sum() / 2)
        arriving: Dict[str, Any] = {model.stages[-1].name: last}
        for stage in reversed(model.stages):
            if stage.name not in arriving:
                continue
            weight = arriving[stage.name].detach()
            found = _vector_product(stage, mode.wrap(stage.function), used[stage.name], weight)
            inputs = mode.promised(stage.operation, used[stage.name])[-1]
            rounded = mode.rounds if inputs is not used[stage.name] and mode.rounds is not None and inputs[0].dtype == mode.rounds else None

            def run(change: Callable[[Any], Any], stage: Stage = stage, inputs: Any = inputs, weight: Any = weight) -> List[Any]:
                return _vector_product(stage, stage.function, [change(each.double()) for each in inputs], change(weight.double()))

            dtype = rounded if rounded is not None else found[0].dtype
            table[stage.name][mode.name] = compare_with_estimate(run, run(lambda value: value), found, dtype)
            for name, gradient in zip([name for name in stage.inputs if name not in stage.frozen], found):
                arriving[name] = arriving[name] + gradient if name in arriving else gradient
    return GradientComparison(list(table.items()), [mode.name for mode in modes], losses)


def _vector_product(stage: Stage, function: Callable[..., Any], inputs: Sequence[Any], weight: Any) -> List[Any]:
    """Gradients of a stage's inputs, of the gradient of its value."""
    leaves = [each.detach().clone().requires_grad_(name not in stage.frozen) for name, each in zip(stage.inputs, inputs)]
    with torch.enable_grad():
        value = stage.shaped(function(*leaves))
        wanted = [leaf for leaf in leaves if leaf.requires_grad]
        return [each.detach() for each in torch.autograd.grad(value, wanted, weight.to(value.dtype).reshape(value.shape))]


def small_resnet(dtype: torch.dtype = torch.float32, channels: int = 8, size: int = 12, batch: int = 2, classes: int = 10, seed: int = 0) -> Model:
    """A residual network in small: a stem, a block with its shortcut, a block that halves its image with a projected shortcut, the mean over
    the image, a classifier."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int, scale: float = 1.0) -> Any:
        return (torch.randn(*shape, generator=generator) * scale).to(dtype)

    values: Dict[str, Any] = {"x": normal(batch, 3, size, size), "classifier.weight": normal(classes, 2 * channels, scale=(2 * channels) ** -0.5)}
    stages: List[Stage] = []

    def convolution(name: str, source: str, inputs: int, outputs: int, kernel: int, stride: int) -> str:
        values[f"{name}.weight"] = normal(outputs, inputs, kernel, kernel, scale=(inputs * kernel * kernel / 2) ** -0.5)
        stages.append(Stage(name, "conv2d", lambda x, w: functional.conv2d(x, w, stride=stride, padding=kernel // 2), (source, f"{name}.weight"),
                            {"stride": stride, "padding": kernel // 2}))
        return name

    def normalization(name: str, source: str, width: int) -> str:
        values.update({f"{name}.gamma": 1 + normal(width, scale=0.1), f"{name}.beta": normal(width, scale=0.1), f"{name}.mean": normal(width, scale=0.1),
                       f"{name}.variance": (1 + normal(width, scale=0.1).abs()).to(dtype)})
        stages.append(Stage(name, "batch_norm", lambda x, gamma, beta, mean, variance: functional.batch_norm(x, mean, variance, gamma, beta),
                            (source, f"{name}.gamma", f"{name}.beta", f"{name}.mean", f"{name}.variance"), {"eps": 1e-5}, frozen=(f"{name}.mean", f"{name}.variance")))
        return name

    def relu(name: str, source: str) -> str:
        stages.append(Stage(name, "relu", functional.relu, (source,)))
        return name

    def add(name: str, left: str, right: str) -> str:
        stages.append(Stage(name, "add", torch.add, (left, right)))
        return name

    def block(name: str, source: str, inputs: int, outputs: int, stride: int) -> str:
        inner = relu(f"{name}.relu1", normalization(f"{name}.norm1", convolution(f"{name}.conv1", source, inputs, outputs, 3, stride), outputs))
        inner = normalization(f"{name}.norm2", convolution(f"{name}.conv2", inner, outputs, outputs, 3, 1), outputs)
        shortcut = source if stride == 1 else convolution(f"{name}.shortcut", source, inputs, outputs, 1, stride)
        return relu(f"{name}.relu2", add(f"{name}.residual", inner, shortcut))

    last = relu("stem.relu", normalization("stem.norm", convolution("stem.conv", "x", 3, channels, 3, 1), channels))
    last = block("block2", block("block1", last, channels, channels, 1), channels, 2 * channels, 2)
    stages[-1] = replace(stages[-1], shaped=lambda value: value.flatten(2))
    stages.append(Stage("pool", "mean", lambda x: x.mean(2), (last,), {"dim": 2}))
    stages.append(Stage("classifier", "linear", functional.linear, ("pool", "classifier.weight")))
    return Model(tuple(stages), values)


def transformer_block(dtype: torch.dtype = torch.float32, width: int = 64, heads: int = 4, tokens: int = 32, batch: int = 2, seed: int = 0) -> Model:
    """A transformer block before which its inputs are normalized: attention and a perceptron with gelu, with residuals."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int, scale: float = 1.0) -> Any:
        return (torch.randn(*shape, generator=generator) * scale).to(dtype)

    def split(value: Any) -> Any:
        return value.reshape(batch, tokens, heads, width // heads).transpose(1, 2)

    def join(value: Any) -> Any:
        return value.transpose(1, 2).reshape(batch, tokens, width)

    values = {"x": normal(batch, tokens, width), "gamma1": 1 + normal(width, scale=0.1), "beta1": normal(width, scale=0.1),
              "gamma2": 1 + normal(width, scale=0.1), "beta2": normal(width, scale=0.1)}
    for name, rows, columns in (("query", width, width), ("key", width, width), ("value", width, width), ("projection", width, width), ("up", 4 * width, width),
                                ("down", width, 4 * width)):
        values[f"{name}.weight"] = normal(rows, columns, scale=columns**-0.5)

    def normalize(value: Any, gamma: Any, beta: Any) -> Any:
        return functional.layer_norm(value, (width,), gamma, beta)

    stages = (
        Stage("norm1", "layer_norm", normalize, ("x", "gamma1", "beta1")),
        Stage("query", "linear", functional.linear, ("norm1", "query.weight"), shaped=split),
        Stage("key", "linear", functional.linear, ("norm1", "key.weight"), shaped=split),
        Stage("value", "linear", functional.linear, ("norm1", "value.weight"), shaped=split),
        Stage("attention", "scaled_dot_product_attention", functional.scaled_dot_product_attention, ("query", "key", "value"), shaped=join),
        Stage("projection", "linear", functional.linear, ("attention", "projection.weight")),
        Stage("residual1", "add", torch.add, ("x", "projection")),
        Stage("norm2", "layer_norm", normalize, ("residual1", "gamma2", "beta2")),
        Stage("up", "linear", functional.linear, ("norm2", "up.weight")),
        Stage("gelu", "gelu", functional.gelu, ("up",)),
        Stage("down", "linear", functional.linear, ("gelu", "down.weight")),
        Stage("residual2", "add", torch.add, ("residual1", "down")),
    )
    return Model(stages, values)
