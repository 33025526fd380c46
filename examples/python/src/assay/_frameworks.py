"""How a suite's operands become tensors of a framework, and what a function returns goes back."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from ._kernel import CODES, Operand, last_line

# What ml_dtypes calls the formats that NumPy has no word for.
ML_DTYPES = {"bf16": "bfloat16", "e4m3fn": "float8_e4m3fn", "e5m2": "float8_e5m2", "e4m3fnuz": "float8_e4m3fnuz", "e5m2fnuz": "float8_e5m2fnuz",
             "e4m3b11fnuz": "float8_e4m3b11fnuz", "e4m3": "float8_e4m3", "e3m4": "float8_e3m4", "e8m0fnu": "float8_e8m0fnu"}


class Unavailable(ValueError):
    """A framework, or a device of it, that is not here."""


class Numpy:
    """Functions of NumPy arrays, in place."""

    def give(self, operand: Operand) -> Any:
        """What the function gets: the suite's own memory, read-only if it is an input's."""
        array = _as_numpy(operand)
        array.flags.writeable = operand.role != "input"
        return array

    def take(self, result: Any, operand: Operand) -> None:
        """Writes what the function has returned."""
        import numpy

        to, found = _as_numpy(operand), numpy.asarray(result)
        _fits(found.shape, to.shape, str(found.dtype), str(to.dtype))
        to[...] = found.reshape(to.shape)


class Torch:
    """Functions of PyTorch's tensors, on any of its devices."""

    def __init__(self, device: Optional[str] = None):
        import torch

        self.device = None if device in (None, "cpu") else torch.device(device)  # type: ignore[arg-type]
        if self.device is not None:
            torch.empty(1, device=self.device)  # a device that is not there is told at once

    def give(self, operand: Operand) -> Any:
        """What the function gets: the suite's own memory, or a copy on the device."""
        import torch

        bits = operand.bits if all(stride >= 0 for stride in operand.bits.strides) else operand.bits.copy()
        seen = torch.from_numpy(bits.view(f"i{bits.itemsize}") if operand.format not in CODES else bits).view(self._dtype(operand))
        return seen if self.device is None else seen.to(self.device)

    def take(self, result: Any, operand: Operand) -> None:
        """Writes what the function has returned."""
        asked = self._dtype(operand)
        if not hasattr(result, "detach"):
            raise TypeError(f"the function returned a {type(result).__name__} where a tensor is asked for")
        _fits(tuple(result.shape), operand.bits.shape, str(result.dtype), str(asked))
        found = result.detach().cpu().resolve_conj().resolve_neg().contiguous()
        if operand.format not in CODES:
            import torch

            found = found.view({1: torch.uint8, 2: torch.int16}[operand.bits.itemsize])
        operand.bits[...] = found.numpy().view(operand.bits.dtype).reshape(operand.bits.shape)

    @staticmethod
    def _dtype(operand: Operand) -> Any:
        import torch

        name = ML_DTYPES.get(operand.format, str(operand.bits.dtype))
        if (operand.format not in CODES and operand.format not in ML_DTYPES) or not hasattr(torch, name):
            raise NotImplementedError(f"PyTorch has no {operand.format}")
        return getattr(torch, name)


class Jax:
    """Functions of JAX's arrays, which are copies: JAX wants memory of its own alignment."""

    def __init__(self, device: Optional[str] = None):
        import jax

        self.device = jax.devices(device)[0] if device else None

    def give(self, operand: Operand) -> Any:
        """What the function gets."""
        import jax

        if operand.bits.dtype.itemsize == 8 and not jax.config.jax_enable_x64:
            raise NotImplementedError(f"JAX has {operand.format} with jax_enable_x64 only")
        return jax.device_put(_as_numpy(operand).copy(), self.device)

    def take(self, result: Any, operand: Operand) -> None:
        """Writes what the function has returned."""
        Numpy().take(result, operand)


class TensorFlow:
    """Functions of TensorFlow's tensors, which are copies."""

    def __init__(self, device: Optional[str] = None):
        import tensorflow  # noqa: F401

        self.device = device or "cpu"

    def give(self, operand: Operand) -> Any:
        """What the function gets."""
        import tensorflow

        with tensorflow.device(self.device):
            return tensorflow.constant(_as_numpy(operand))

    def take(self, result: Any, operand: Operand) -> None:
        """Writes what the function has returned."""
        Numpy().take(result.numpy(), operand)


def framework_named(name: str, device: Optional[str]) -> Any:
    """The framework of that name. Raises `Unavailable`."""
    known: Dict[str, Callable[[], Any]] = {"numpy": Numpy, "torch": lambda: Torch(device), "jax": lambda: Jax(device), "tensorflow": lambda: TensorFlow(device)}
    if name not in known:
        raise Unavailable(f"framework {name!r} is not known; known: {', '.join(known)}")
    if name == "numpy" and device not in (None, "cpu"):
        raise Unavailable(f"NumPy has no device {device!r}")
    try:
        return known[name]()
    except (ImportError, RuntimeError, AssertionError) as error:
        raise Unavailable(f"{name}{f' on {device!r}' if device else ''} cannot be had: {last_line(error)}") from error


def _as_numpy(operand: Operand) -> Any:
    """The operand's own memory; of formats that NumPy has no word for by ml_dtypes. Raises NotImplementedError."""
    if operand.format in CODES:
        return operand.bits.view()
    try:
        import ml_dtypes
    except ImportError:
        raise NotImplementedError(f"NumPy has no {operand.format} without the package ml_dtypes") from None
    if operand.format not in ML_DTYPES or not hasattr(ml_dtypes, ML_DTYPES[operand.format]):
        raise NotImplementedError(f"NumPy has no {operand.format}")
    return operand.bits.view(getattr(ml_dtypes, ML_DTYPES[operand.format]))


def _fits(found: tuple, asked: tuple, found_type: str, asked_type: str) -> None:
    if found_type != asked_type:
        raise TypeError(f"the function returned {found_type} where {asked_type} is asked for")
    if [extent for extent in found if extent != 1] != [extent for extent in asked if extent != 1]:
        raise ValueError(f"the function returned a shape of {tuple(found)} where {tuple(asked)} is asked for")
