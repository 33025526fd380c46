#pragma once

#include <cmath>
#include <cstddef>

#include "assay/kernels/elementwise/reference.hpp"

namespace assay::inline v0 {

/// One element in single precision.
struct PortableElementwise {
  ElementwiseProblem problem;
  Operand inputs[3];
  BroadcastOffset offsets[3];
  Operand output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index), row = element / problem.columns(),
                column = element % problem.columns();
    double stored[3] = {0, 0, 0};
    for (int i = 0; i < problem.inputs(); ++i)
      stored[i] = inputs[i].format.load(inputs[i].data, offsets[i](problem, row, column));
    if (problem.function == ElementwiseFunction::cast) {
      output.format.store_code(
          output.data, output.offset_of(element),
          output.format.encode(stored[0], problem.rounding, problem.saturating ? Overflow::saturate : Overflow::ieee));
      return;
    }
    const float x = static_cast<float>(stored[0]), y = static_cast<float>(stored[1]), z = static_cast<float>(stored[2]);
    output.store(element, problem.backward ? slope(x, y) : value(x, y, z));
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION static float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }
  [[nodiscard]] ASSAY_FUNCTION static float larger(float x, float y) { return x > y ? x : y; }
  [[nodiscard]] ASSAY_FUNCTION static float inner(float x) { return 0.79788456F * (x + 0.044715F * x * x * x); }

  [[nodiscard]] ASSAY_FUNCTION float larger_or_nan(float x, float y) const {
    if (problem.nan_policy == NanPolicy::number) return is_nan(x) ? y : is_nan(y) ? x : larger(x, y);
    return is_nan(x) || is_nan(y) ? x + y : larger(x, y);
  }
  [[nodiscard]] ASSAY_FUNCTION float value(float x, float y, float z) const {
    switch (problem.function) {
      case ElementwiseFunction::cast: return x;
      case ElementwiseFunction::relu: return larger_or_nan(x, 0);
      case ElementwiseFunction::gelu: return 0.5F * x * (1 + std::erf(x * 0.70710678F));
      case ElementwiseFunction::gelu_tanh: return 0.5F * x * (1 + std::tanh(inner(x)));
      case ElementwiseFunction::silu: return x / (1 + std::exp(-x));
      case ElementwiseFunction::sigmoid: return sigmoid(x);
      case ElementwiseFunction::tanh: return std::tanh(x);
      case ElementwiseFunction::softplus: return x > 20 ? x : std::log1p(std::exp(x));
      case ElementwiseFunction::exp: return std::exp(x);
      case ElementwiseFunction::log: return std::log(x);
      case ElementwiseFunction::sqrt: return std::sqrt(x);
      case ElementwiseFunction::rsqrt: return 1 / std::sqrt(x);
      case ElementwiseFunction::sin: return std::sin(x);
      case ElementwiseFunction::cos: return std::cos(x);
      case ElementwiseFunction::erf: return std::erf(x);
      case ElementwiseFunction::scale_shift: return static_cast<float>(problem.a) * x + static_cast<float>(problem.b);
      case ElementwiseFunction::add: return x + y;
      case ElementwiseFunction::subtract: return x - y;
      case ElementwiseFunction::multiply: return x * y;
      case ElementwiseFunction::divide: return x / y;
      case ElementwiseFunction::maximum: return larger_or_nan(x, y);
      case ElementwiseFunction::minimum: return -larger_or_nan(-x, -y);
      case ElementwiseFunction::multiply_add: return x * y + z;
    }
    return x;
  }
  [[nodiscard]] ASSAY_FUNCTION float slope(float x, float dy) const {
    const float s = sigmoid(x), t = std::tanh(problem.function == ElementwiseFunction::tanh ? x : inner(x));
    switch (problem.function) {
      case ElementwiseFunction::relu: return x > 0 ? dy : 0;
      case ElementwiseFunction::sigmoid: return s * (1 - s) * dy;
      case ElementwiseFunction::tanh: return (1 - t * t) * dy;
      case ElementwiseFunction::softplus: return s * dy;
      case ElementwiseFunction::silu: return s * (1 + x * (1 - s)) * dy;
      case ElementwiseFunction::gelu:
        return (0.5F * (1 + std::erf(x * 0.70710678F)) + x * 0.39894228F * std::exp(-0.5F * x * x)) * dy;
      default: return (0.5F * (1 + t) + 0.5F * x * (1 - t * t) * 0.79788456F * (1 + 0.134145F * x * x)) * dy;
    }
  }
};

/// An elementwise operation for any parallel backend and formats, written to be read. It is validated like everybody
/// else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_elementwise(B& backend, typename B::Stream& stream,
                                                const ElementwiseProblem& problem, const OperandArray& operands) {
  PortableElementwise kernel{problem, {}, {}, operands[3]};
  for (int i = 0; i < problem.inputs(); ++i) {
    kernel.inputs[i] = operands[i];
    kernel.offsets[i] = BroadcastOffset(operands[i]);
  }
  return backend.parallel_for(stream, static_cast<std::size_t>(problem.size()), kernel);
}

}  // namespace assay::inline v0
