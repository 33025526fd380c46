"""Is what this kernel computed right?

Tensors of NumPy, PyTorch, JAX, TensorFlow and whoever speaks DLPack are judged where they lie, by a reference and a
bound that is derived from operation, data and formats: no tolerance is guessed.

>>> import assay, numpy
>>> x = numpy.linspace(-4, 4, 32, dtype="f4").reshape(4, 8)
>>> y = numpy.exp(x) / numpy.exp(x).sum(axis=1, keepdims=True)
>>> bool(assay.check("softmax", y, [x], dim=1))
True
>>> y[2, 3] *= 1.001
>>> outcome = assay.check("softmax", y, [x], dim=1)
>>> outcome.verdict, outcome.violations
('fail', 1)
"""

from ._check import Incorrect, assert_correct, check
from ._kernel import Unsupported
from ._operations import describe, operations
from ._outcome import Outcome, Report
from ._tensors import Refused
from ._validate import validate

__all__ = ["Incorrect", "Outcome", "Refused", "Report", "Unsupported", "assert_correct", "check", "describe", "operations", "validate"]
__version__ = "0.1.0"
