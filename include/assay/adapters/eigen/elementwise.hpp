#pragma once

#include <string>

#include "assay/adapters/eigen/eigen.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// Eigen's array functions on one row. False where it has no such function.
template <class Scalar>
[[nodiscard]] bool eigen_row(const ElementwiseProblem& problem, const Scalar* x, const Scalar* y, Scalar* output,
                             Index count) {
  using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  const Eigen::Map<const Array> a(x, count), b(y, y != nullptr ? count : 0);
  Eigen::Map<Array> out(output, count);
  const Scalar zero(0.0f);
  switch (problem.function) {
    case ElementwiseFunction::relu: out = a.max(zero); return true;
    case ElementwiseFunction::silu: out = a * a.logistic(); return true;
    case ElementwiseFunction::sigmoid: out = a.logistic(); return true;
    case ElementwiseFunction::tanh: out = a.tanh(); return true;
    case ElementwiseFunction::exp: out = a.exp(); return true;
    case ElementwiseFunction::log: out = a.log(); return true;
    case ElementwiseFunction::sqrt: out = a.sqrt(); return true;
    case ElementwiseFunction::rsqrt: out = a.rsqrt(); return true;
    case ElementwiseFunction::sin: out = a.sin(); return true;
    case ElementwiseFunction::cos: out = a.cos(); return true;
    case ElementwiseFunction::scale_shift:
      out = a * Scalar(static_cast<float>(problem.a)) + Scalar(static_cast<float>(problem.b));
      return true;
    case ElementwiseFunction::add: out = a + b; return true;
    case ElementwiseFunction::subtract: out = a - b; return true;
    case ElementwiseFunction::multiply: out = a * b; return true;
    case ElementwiseFunction::divide: out = a / b; return true;
    case ElementwiseFunction::maximum: out = a.max(b); return true;
    case ElementwiseFunction::minimum: out = a.min(b); return true;
    default: return false;
  }
}

template <class Scalar>
[[nodiscard]] Result<void> eigen_elementwise(const ElementwiseProblem& problem, const OperandArray& operands) {
  const Operand &x = operands[Elementwise::x], &y = operands[Elementwise::y], &output = operands[Elementwise::output];
  for (Index row = 0; row * problem.columns() < problem.size(); ++row) {
    const auto start = [&](const Operand& operand) {
      return static_cast<Scalar*>(operand.data) + operand.offset_of(row * problem.columns());
    };
    if (!eigen_row<Scalar>(problem, start(x), problem.inputs() > 1 ? start(y) : nullptr, start(output),
                           problem.columns()))
      return failure(ErrorKind::unsupported, "Eigen's arrays have no " + std::string(name_of(problem.function)));
  }
  return {};
}

}  // namespace detail

/// Eigen's array functions, row by row. Each operator of an expression rounds to the operands' format. Maxima and
/// minima promise nothing of NaN; both policies are run.
template <>
struct kernel<EigenLibrary, Elementwise> {
  static constexpr bool available = true;

  static Arithmetic arithmetic(const ElementwiseProblem& problem) {
    const bool composed =
        problem.function == ElementwiseFunction::silu || problem.function == ElementwiseFunction::sigmoid ||
        problem.function == ElementwiseFunction::scale_shift || problem.function == ElementwiseFunction::rsqrt ||
        problem.function == ElementwiseFunction::tanh;
    if (composed && problem.input == element_format<bfloat16>()) return arithmetic_in<bfloat16>();
    if (composed && problem.input == element_format<float16>()) return arithmetic_in<float16>();
    return {};
  }
  static Result<void> run(EigenLibrary&, EigenLibrary::Stream&, const ElementwiseProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (problem.function == ElementwiseFunction::cast || problem.backward)
      return failure(ErrorKind::unsupported,
                     "Eigen's arrays have no such function: casts and gradients are not offered");
    if ((problem.broadcast[0] | problem.broadcast[1] | problem.broadcast[2]) != 0)
      return failure(ErrorKind::unsupported, "Eigen's arrays repeat no operands by themselves");
    if (!(problem.input == problem.output) || (problem.inputs() > 1 && !(problem.second == problem.input)))
      return failure(ErrorKind::unsupported, "Eigen's arrays are of one format");
    if (problem.size() == 0) return {};
    if (problem.input == element_format<float32>()) return detail::eigen_elementwise<float>(problem, operands);
    if (problem.input == element_format<bfloat16>())
      return detail::eigen_elementwise<Eigen::bfloat16>(problem, operands);
    if (problem.input == element_format<float16>()) return detail::eigen_elementwise<Eigen::half>(problem, operands);
    return failure(ErrorKind::unsupported, std::string("Eigen's arrays of ") + problem.input.name + " are not offered");
  }
};

}  // namespace assay::inline v0
