"""One line in the place of assert_close: is this what that operation makes of these tensors?"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _assay, _attention
from ._operations import describe, text_of, translate
from ._outcome import Outcome
from ._tensors import Refused, broadcast, joined, view

Tensors = Union[Any, Sequence[Any], Mapping[str, Any]]

# Called with every outcome of assert_correct: the pytest plugin collects them.
observers: List[Callable[[Outcome], None]] = []


class Incorrect(AssertionError):
    """Raised by `assert_correct`; `outcome` tells more."""

    def __init__(self, outcome: Outcome, message: str = ""):
        super().__init__((message + "\n" if message else "") + repr(outcome))
        self.outcome = outcome


def check(operation: str, out: Tensors, inputs: Tensors, *, before: Optional[Tensors] = None, tolerance: Optional[str] = None,
          accumulator: Optional[str] = None, function_errors: float = 0, statistical: bool = False, diagnosis: bool = True,
          **attributes: Any) -> Outcome:
    """Judges `out`, which a kernel has computed of `inputs`.

    Tensors of the operation's operands in their order, None or nothing for those that the problem does without, or by name,
    as {"input": x, "gamma": g} (`describe` lists them). They are read where they lie, with whatever strides.
    Shapes and formats of the problem are those of the tensors; all else are `attributes`, in the words of PyTorch (dim, eps,
    keepdim, is_causal, normalized_shape, stride, padding, …), NumPy (axis, keepdims) or Assay.

    `before`: what outputs held that are updated in place, as an optimizer's weights. `tolerance`: "derived" unless given:
    "exact", "ulps=4", "atol=1e-5,rtol=1e-3". `accumulator`: the format in which the kernel promises to keep its sums, "f32"
    unless tensors are float64; `function_errors`: the largest relative error of its exp, tanh, division … in unit roundoffs of
    that (8). `statistical`: rounding errors of long sums are taken for random. `diagnosis`: look for the cause of a failure.

    Raises `Refused` where the question makes no sense. Other threads of Python run meanwhile.

    >>> import numpy
    >>> a, b = numpy.ones((3, 4), "f4"), numpy.ones((4, 5), "f4")
    >>> bool(check("matmul", a @ b, [a, b]))
    True
    """
    own, found = translate(operation, attributes)
    given = _named("input", inputs, describe(operation)) + _named("out", out, describe(operation), written=True, before=before)
    given = _attention.fit(found, given, operation != "attention") if own == "attention" else _fit(own, found, given)
    texts = [(name, text_of(value)) for name, value in found.items()]
    code, text = _assay.check(own, texts, given, tolerance, accumulator and text_of(accumulator), float(function_errors), statistical, diagnosis)
    if code == 2:
        raise Refused(text)
    import json

    return Outcome(json.loads(text)["outcomes"][0], text)


def assert_correct(operation: str, out: Tensors, inputs: Tensors, *, message: str = "", **options: Any) -> Outcome:
    """`check`, which raises `Incorrect`, an AssertionError, unless it passes. `message` heads it.

    >>> import numpy
    >>> x = numpy.arange(6, dtype="f4")
    >>> assert_correct("relu", numpy.maximum(x, 0), [x]).verdict
    'pass'
    """
    outcome = check(operation, out, inputs, **options)
    for observer in observers:
        observer(outcome)
    if not outcome:
        raise Incorrect(outcome, message)
    return outcome


_Given = Tuple[Optional[str], bool, Optional[_assay.Tensor], Optional[_assay.Tensor]]


def _named(what: str, tensors: Tensors, described: Dict[str, Any], written: bool = False, before: Optional[Tensors] = None) -> List[_Given]:
    if isinstance(tensors, Mapping):
        earlier = before or {}
        if not isinstance(earlier, Mapping):
            raise Refused("`before` must name its tensors, as `out` does")
        known = [operand["name"] for operand in described["operands"]]
        for name in tensors:
            if name not in known:
                raise Refused(f"{described['name']} has no operand {name!r}; it has {', '.join(known)}")
        return [(name, written, view(tensor, name), view(earlier.get(name), f"before[{name!r}]")) for name, tensor in tensors.items()]
    several = isinstance(tensors, (list, tuple))
    listed = list(tensors) if several else [tensors]
    if not listed:
        raise Refused(f"no {what} was given")
    earlier_list = [None] * len(listed) if before is None else list(before) if isinstance(before, (list, tuple)) else [before]
    if len(earlier_list) != len(listed):
        raise Refused(f"`before` has {len(earlier_list)} tensors for {len(listed)} outputs; give None for those that are not updated")
    names = [what if not several and written else f"{what}[{i}]" for i in range(len(listed))]
    return [(None, written, view(tensor, name), view(earlier, f"before of {name}")) for tensor, name, earlier in zip(listed, names, earlier_list)]


def _fit(own: str, found: Dict[str, Any], given: List[_Given]) -> List[_Given]:
    """What frameworks leave to shapes: broadcasting, extents of normalization and products, strides of convolutions."""
    members = describe(own)["members"]
    tensors = [tensor for _, _, tensor, _ in given]
    first = next((tensor for tensor in tensors if tensor is not None), None)
    out = next((tensor for _, written, tensor, _ in given if written and tensor is not None), None)
    if first is None or out is None:
        raise Refused("no tensor was given" if first is None else "no output was given")
    if "broadcast[0]" in members:  # elementwise
        views = joined([broadcast(tensor, out.shape) for tensor in tensors if tensor is not None], 4)
        given = [(name, written, None if tensor is None else views.pop(0), before) for name, written, tensor, before in given]
    elif "normalized_shape" in found:
        shape = found.pop("normalized_shape")
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        if shape != first.shape[len(first.shape) - len(shape) :]:
            raise Refused(f"normalized_shape is {shape}, and the input's shape {first.shape} does not end so")
        found.update(channels=_product(shape), outer=_product(first.shape[: len(first.shape) - len(shape)]))
    elif own in ("layernorm", "rmsnorm"):
        found.setdefault("channels", first.shape[-1] if first.shape else 1)
        found.setdefault("outer", _product(first.shape[:-1]))
    elif own in ("groupnorm", "batchnorm") and len(first.shape) > 1:
        found.setdefault("outer", first.shape[0])
        found.setdefault("channels", first.shape[1])
        found.setdefault("inner", _product(first.shape[2:]))
    elif "length" in members and "outer" in members and "inner" in members and not {"axis", "length"} & set(found):
        if own.startswith("reduce_") and own != "reduce_prefix_sum" and (_product(out.shape) == 1 or not first.shape):
            found.update(outer=1, length=_product(first.shape), inner=1)  # of all elements
        else:
            found["axis"] = -1
    elif own == "fused_gemm" and len(tensors) > 1 and tensors[1] is not None and len(tensors[1].shape) > 2 and "groups" not in found:
        if first.shape[:-2] != tensors[1].shape[:-2]:
            raise Refused(f"products of {first.shape} and {tensors[1].shape}: leading dimensions must agree; expand the smaller one")
        found["groups"] = _product(first.shape[:-2])
        if found["groups"]:
            import numpy

            offsets = numpy.arange(found["groups"] + 1, dtype="i4") * first.shape[-2]
            given = [(name or (["a", "b"] + [None] * len(given))[i], *rest) for i, (name, *rest) in enumerate(given)]
            given.append(("offsets", False, view(offsets, "offsets"), None))
    if isinstance(found.get("axis"), (tuple, list)):
        if len(found["axis"]) != 1:
            raise Refused("several dimensions at once cannot be named; reshape them into one")
        found["axis"] = found["axis"][0]
    if own == "convolution":
        _axes(found, len(first.shape) - 2)
        if len(tensors) > 1 and tensors[1] is not None and len(tensors[1].shape) == len(first.shape) > 2 and not found.get("transposed"):
            kernel = tensors[1].shape
            known = {"batch": first.shape[0], "input_channels": first.shape[1], "output_channels": kernel[0]}
            known.update({f"axes[{d}].input": extent for d, extent in enumerate(first.shape[2:])})
            known.update({f"axes[{d}].kernel": extent for d, extent in enumerate(kernel[2:])})
            for name, value in known.items():
                found.setdefault(name, value)
    return given


def _axes(found: Dict[str, Any], dimensions: int) -> None:
    found.setdefault("dimensions", dimensions)
    for word, members in {"stride": ["stride"], "dilation": ["dilation"], "padding": ["padding_before", "padding_after"],
                          "output_padding": ["output_padding"]}.items():
        if word not in found:
            continue
        value = found.pop(word)
        if isinstance(value, str):
            raise Refused(f"{word}={value!r} is not known; give numbers")
        values = [value] * dimensions if isinstance(value, int) else list(value)
        if len(values) != dimensions:
            raise Refused(f"{word} has {len(values)} numbers for {dimensions} dimensions")
        found.update({f"axes[{d}].{member}": values[d] for d in range(dimensions) for member in members})


def _product(shape: Sequence[int]) -> int:
    product = 1
    for extent in shape:
        product *= int(extent)
    return product
