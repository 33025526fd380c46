#pragma once

#include <optional>
#include <string>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/reduction/reduction.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::optional<dnnl::algorithm> onednn_reduction_of(ReductionFunction function) {
  using Algorithm = dnnl::algorithm;
  switch (function) {
    case ReductionFunction::sum: return Algorithm::reduction_sum;
    case ReductionFunction::mean: return Algorithm::reduction_mean;
    case ReductionFunction::product: return Algorithm::reduction_mul;
    case ReductionFunction::maximum: return Algorithm::reduction_max;
    case ReductionFunction::minimum: return Algorithm::reduction_min;
    case ReductionFunction::l2_norm: return Algorithm::reduction_norm_lp_sum;
    default: return std::nullopt;
  }
}

inline void onednn_reduction(const ReductionProblem& problem, dnnl::algorithm algorithm, const OperandArray& operands) {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const Operand &input = operands[Reduction::input], &output = operands[Reduction::output];
  memory::dims extents{problem.outer, 1}, strides{output.strides[0], output.strides[0]};
  if (problem.inner != 1) {
    extents.push_back(problem.inner);
    strides.push_back(output.strides[output.rank - 1]);
    strides[1] = problem.inner;
  } else {
    strides[1] = 1;
  }
  const memory::desc from = onednn_descriptor_of(input), to(extents, *onednn_type_of(output.format), strides);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::reduction::primitive_desc description(engine, algorithm, from, to, 2, 0);
#else
  const dnnl::reduction::primitive_desc description({algorithm, from, to, 2, 0}, engine);
#endif
  dnnl::reduction(description)
      .execute(stream,
               {{DNNL_ARG_SRC, memory(from, engine, input.data)}, {DNNL_ARG_DST, memory(to, engine, output.data)}});
  stream.wait();
}

}  // namespace detail

/// oneDNN's reduction, in float32. It gives no indices, variances or prefix sums, refuses an extent that is not reduced
/// (length 1), and to it a tensor without elements makes the whole primitive do nothing, which leaves sums of nothing
/// unwritten: they are unsupported.
template <>
struct kernel<OneDnn, Reduction> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const ReductionProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    const auto algorithm = detail::onednn_reduction_of(problem.function);
    if (!algorithm)
      return failure(ErrorKind::unsupported, "oneDNN has no reduction " + std::string(name_of(problem.function)));
    if (problem.length == 0)
      return failure(ErrorKind::unsupported,
                     "oneDNN does nothing where the input has no elements: reductions of length 0 stay unwritten");
    if (problem.length == 1) return failure(ErrorKind::unsupported, "oneDNN refuses to reduce a dimension of extent 1");
    for (const ElementFormat& format : {problem.input, problem.output})
      if (!detail::onednn_type_of(format))
        return failure(ErrorKind::unsupported, std::string("oneDNN has no format ") + format.name);
    return detail::onednn_guarded("reduction " + std::string(name_of(problem.function)) + " of " + problem.input.name,
                                  [&] { detail::onednn_reduction(problem, *algorithm, operands); });
  }
};

}  // namespace assay::inline v0
