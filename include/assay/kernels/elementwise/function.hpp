#pragma once

#include <array>
#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// The functions of one, two or three operands that are applied to each element by itself.
enum class ElementwiseFunction {
  cast,       ///< x, rounded once to the output's format
  relu,       ///< max(x, 0)
  gelu,       ///< x·Φ(x) = x/2·(1 + erf(x/√2))
  gelu_tanh,  ///< x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))
  silu,       ///< x·σ(x)
  sigmoid,    ///< σ(x) = 1/(1 + e^−x)
  tanh,
  softplus,  ///< log(1 + e^x)
  exp,
  log,
  sqrt,
  rsqrt,  ///< 1/√x
  sin,
  cos,
  erf,
  scale_shift,  ///< a·x + b with the problem's constants a and b
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  multiply_add  ///< x·y + z
};

/// In the order of `ElementwiseFunction`.
inline constexpr std::array<ElementwiseFunction, 23> all_elementwise_functions{
    ElementwiseFunction::cast,        ElementwiseFunction::relu,        ElementwiseFunction::gelu,
    ElementwiseFunction::gelu_tanh,   ElementwiseFunction::silu,        ElementwiseFunction::sigmoid,
    ElementwiseFunction::tanh,        ElementwiseFunction::softplus,    ElementwiseFunction::exp,
    ElementwiseFunction::log,         ElementwiseFunction::sqrt,        ElementwiseFunction::rsqrt,
    ElementwiseFunction::sin,         ElementwiseFunction::cos,         ElementwiseFunction::erf,
    ElementwiseFunction::scale_shift, ElementwiseFunction::add,         ElementwiseFunction::subtract,
    ElementwiseFunction::multiply,    ElementwiseFunction::divide,      ElementwiseFunction::maximum,
    ElementwiseFunction::minimum,     ElementwiseFunction::multiply_add};

/// The name in ids and on the command line.
[[nodiscard]] constexpr std::string_view name_of(ElementwiseFunction function) noexcept {
  constexpr std::string_view names[] = {"cast",     "relu",     "gelu",    "gelu_tanh",   "silu",        "sigmoid",
                                        "tanh",     "softplus", "exp",     "log",         "sqrt",        "rsqrt",
                                        "sin",      "cos",      "erf",     "scale_shift", "add",         "subtract",
                                        "multiply", "divide",   "maximum", "minimum",     "multiply_add"};
  return names[static_cast<int>(function)];
}

/// How many operands it reads.
[[nodiscard]] ASSAY_FUNCTION constexpr int operands_of(ElementwiseFunction function) {
  return function == ElementwiseFunction::multiply_add ? 3 : function >= ElementwiseFunction::add ? 2 : 1;
}

/// Activations have a backward pass: the gradient of the input from the input and the gradient of the output.
[[nodiscard]] ASSAY_FUNCTION constexpr bool has_gradient(ElementwiseFunction function) {
  return function >= ElementwiseFunction::relu && function <= ElementwiseFunction::softplus;
}

}  // namespace assay::inline v0
