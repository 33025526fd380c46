#pragma once

#include <string>
#include <unsupported/Eigen/CXX11/Tensor>

#include "assay/adapters/eigen/eigen.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/reduction/reduction.hpp"

namespace assay::inline v0 {

namespace detail {

/// Eigen's Tensor reductions along the middle dimension. False where it has none.
template <class Scalar>
[[nodiscard]] bool eigen_reduction(const ReductionProblem& problem, const OperandArray& operands) {
  using Eigen::RowMajor;
  const Operand& output = operands[Reduction::output];
  const Eigen::TensorMap<Eigen::Tensor<const Scalar, 3, RowMajor>> x(
      static_cast<const Scalar*>(operands[Reduction::input].data), problem.outer, problem.length, problem.inner);
  Eigen::TensorMap<Eigen::Tensor<Scalar, 2, RowMajor>> out(static_cast<Scalar*>(output.data), problem.outer,
                                                           problem.inner);
  const Eigen::array<Eigen::Index, 1> along{1};
  switch (problem.function) {
    case ReductionFunction::sum: out = x.sum(along); return true;
    case ReductionFunction::mean: out = x.mean(along); return true;
    case ReductionFunction::product: out = x.prod(along); return true;
    case ReductionFunction::l2_norm: out = x.square().sum(along).sqrt(); return true;
    case ReductionFunction::maximum: out = x.maximum(along); return true;
    case ReductionFunction::minimum: out = x.minimum(along); return true;
    case ReductionFunction::argmax:
    case ReductionFunction::argmin: {
      const bool maximum = problem.function == ReductionFunction::argmax;
      Eigen::Tensor<Eigen::DenseIndex, 2, RowMajor> indices(problem.outer, problem.inner);
      if (maximum)
        indices = x.argmax(1);
      else
        indices = x.argmin(1);
      for (Index i = 0; i < problem.outer * problem.inner; ++i) output.store(i, static_cast<double>(indices.data()[i]));
      return true;
    }
    case ReductionFunction::prefix_sum: {
      Eigen::TensorMap<Eigen::Tensor<Scalar, 3, RowMajor>> sums(static_cast<Scalar*>(output.data), problem.outer,
                                                                problem.length, problem.inner);
      sums = x.cumsum(1, problem.exclusive);
      return true;
    }
    default: return false;
  }
}

}  // namespace detail

/// Reductions of Eigen's Tensor module, which round every sum to the operands' format. Its tensors have no gaps between
/// rows; maxima, minima and their indices promise nothing of NaN.
template <>
struct kernel<EigenLibrary, Reduction> {
  static constexpr bool available = true;

  static Arithmetic arithmetic(const ReductionProblem& problem) {
    if (problem.input == element_format<bfloat16>()) return arithmetic_in<bfloat16>();
    if (problem.input == element_format<float16>()) return arithmetic_in<float16>();
    return {};
  }
  static Result<void> run(EigenLibrary&, EigenLibrary::Stream&, const ReductionProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    const Operand &input = operands[Reduction::input], &output = operands[Reduction::output];
    if (!input.is_dense() || !output.is_dense())
      return failure(ErrorKind::unsupported, "Eigen's tensors have no gaps between rows");
    if (!problem.gives_index() && !(problem.input == problem.output))
      return failure(ErrorKind::unsupported, "Eigen's reductions are of one format");
    if (problem.gives_index() && problem.ties == TiePolicy::last)
      return failure(ErrorKind::unsupported, "Eigen's argmax and argmin name the first of equal elements");
    bool done = false;
    if (problem.outer * problem.inner == 0) return {};
    if (problem.input == element_format<float32>())
      done = detail::eigen_reduction<float>(problem, operands);
    else if (problem.input == element_format<bfloat16>())
      done = detail::eigen_reduction<Eigen::bfloat16>(problem, operands);
    else if (problem.input == element_format<float16>())
      done = detail::eigen_reduction<Eigen::half>(problem, operands);
    if (!done)
      return failure(ErrorKind::unsupported, "Eigen's Tensor module has no reduction " +
                                                 std::string(name_of(problem.function)) + " of " + problem.input.name);
    return {};
  }
};

}  // namespace assay::inline v0
