"""What there is: operations, with their members and operands, and the words of PyTorch and NumPy for them."""

from __future__ import annotations

import functools
import json
from typing import Any, Dict, List, Tuple

from . import _assay
from ._names import NAMES, WORDS
from ._tensors import Refused

_FORMATS = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "float": "f32", "double": "f64", "half": "f16"}


@functools.lru_cache(maxsize=None)
def _described(operation: str) -> str:
    code, text = _assay.describe(operation)
    if code != 0:
        raise Refused(_with_own_names(text, operation))
    return text


def _with_own_names(message: str, operation: str) -> str:
    import difflib

    near = difflib.get_close_matches(operation, list(NAMES), n=2)
    return message + (f"; of other libraries' names: {', '.join(near)}" if near else "")


def describe(operation: str) -> Dict[str, Any]:
    """An operation's members, with their defaults, and its operands, in order. Raises `Refused` for an unknown one, with near names.

    >>> [operand["name"] for operand in describe("layernorm")["operands"] if operand["present"]]
    ['input', 'gamma', 'beta', 'output']
    """
    found: Dict[str, Any] = json.loads(_described(NAMES.get(operation, (operation, {}))[0]))
    return found


def operations() -> List[str]:
    """The names of all operations; those of PyTorch and NumPy ("layer_norm", "matmul") are understood, too."""
    names: List[str] = json.loads(_assay.describe(None)[1])
    return sorted(names)


def translate(operation: str, attributes: Dict[str, Any]) -> Tuple[str, Dict[str, Any]]:
    """Operation and attributes in Assay's words."""
    if operation == "gelu" and attributes.get("approximate", "none") == "tanh":
        operation = "gelu_tanh"
    attributes = {name: value for name, value in attributes.items() if name != "approximate" or not operation.startswith("gelu")}
    own, fixed = NAMES.get(operation, (operation, {}))
    members = describe(operation)["members"]
    found = {name: value for name, value in fixed.items() if name not in attributes}
    for name, value in attributes.items():
        word = name if name in members else WORDS.get(name, name)
        if value is None:
            continue  # the framework's word for the usual
        found[word] = value
    return own, found


def text_of(value: Any) -> str:
    """An attribute as the tool takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    name = getattr(value, "name", None) or str(value).rsplit(".", 1)[-1]
    if type(value).__name__ in ("dtype", "DType") or isinstance(value, type):
        return _FORMATS.get(getattr(value, "__name__", name), name)
    if hasattr(value, "item"):
        return text_of(value.item())
    return repr(value) if isinstance(value, float) else str(value)
