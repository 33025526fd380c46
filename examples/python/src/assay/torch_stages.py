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
