#pragma once

#include <string>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/pooling/pooling.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline dnnl::memory::desc onednn_pooling_descriptor(const PoolingProblem& problem,
                                                                  const Operand& operand) {
  if (!problem.channels_last) return onednn_descriptor_of(operand);
  if (problem.dimensions == 1) return onednn_descriptor_of(operand, {0, 2, 1});
  if (problem.dimensions == 2) return onednn_descriptor_of(operand, {0, 3, 1, 2});
  return onednn_descriptor_of(operand, {0, 4, 1, 2, 3});
}

inline void onednn_pooling(const PoolingProblem& problem, const OperandArray& operands) {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto algorithm = problem.kind == PoolingKind::maximum ? dnnl::algorithm::pooling_max
                         : problem.include_padding            ? dnnl::algorithm::pooling_avg_include_padding
                                                              : dnnl::algorithm::pooling_avg_exclude_padding;
  const auto list = [&](const Index(&values)[3], Index less = 0) {
    memory::dims dims;
    for (int d = 0; d < problem.dimensions; ++d) dims.push_back(values[d] - less);
    return dims;
  };
  const memory::dims stride = list(problem.stride), window = list(problem.window), dilation = list(problem.dilation, 1),
                     before = list(problem.padding_before), after = list(problem.padding_after);
  const Operand &given = operands[Pooling::input], &wanted = operands[Pooling::output];
  const memory::desc given_description = onednn_pooling_descriptor(problem, given),
                     wanted_description = onednn_pooling_descriptor(problem, wanted);
  const memory::desc input = problem.backward ? wanted_description : given_description,
                     output = problem.backward ? given_description : wanted_description;
  const auto direction = problem.backward ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::pooling_forward::primitive_desc forward(engine, direction, algorithm, input, output, stride, window,
                                                      dilation, before, after);
#else
  const dnnl::pooling_v2_forward::primitive_desc forward(
      {direction, algorithm, input, output, stride, window, dilation, before, after}, engine);
#endif
  memory from(given_description, engine, given.data), to(wanted_description, engine, wanted.data);
  if (!problem.backward) {
#if DNNL_VERSION_MAJOR >= 3
    dnnl::pooling_forward(forward).execute(stream, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
#else
    dnnl::pooling_v2_forward(forward).execute(stream, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
#endif
  } else {
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::pooling_backward::primitive_desc backward(engine, algorithm, input, output, stride, window, dilation,
                                                          before, after, forward);
    dnnl::pooling_backward(backward).execute(stream, {{DNNL_ARG_DIFF_DST, from}, {DNNL_ARG_DIFF_SRC, to}});
#else
    const dnnl::pooling_v2_backward::primitive_desc backward(
        {algorithm, input, output, stride, window, dilation, before, after}, engine, forward);
    dnnl::pooling_v2_backward(backward).execute(stream, {{DNNL_ARG_DIFF_DST, from}, {DNNL_ARG_DIFF_SRC, to}});
#endif
  }
  stream.wait();
}

}  // namespace detail

/// oneDNN's pooling. It has no adaptive windows, and keeps the places of maxima to itself: a workspace whose contents
/// it does not describe, so that neither indices nor gradients from given ones can be had. A tensor without elements
/// makes its primitives do nothing, which is right here.
template <>
struct kernel<OneDnn, Pooling> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const PoolingProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (problem.adaptive) return failure(ErrorKind::unsupported, "oneDNN has no adaptive pooling");
    if (problem.uncounted_after[0] > 0 || problem.uncounted_after[1] > 0 || problem.uncounted_after[2] > 0)
      return failure(ErrorKind::unsupported, "oneDNN counts all of a window or none of its padding: no ceil_mode");
    if (problem.indices || (problem.backward && problem.kind == PoolingKind::maximum))
      return failure(ErrorKind::unsupported,
                     "oneDNN keeps the places of maxima in a workspace of its own: no indices are given or taken");
    if (!detail::onednn_type_of(problem.format))
      return failure(ErrorKind::unsupported, std::string("oneDNN has no format ") + problem.format.name);
    return detail::onednn_guarded(std::string("pooling of ") + problem.format.name,
                                  [&] { detail::onednn_pooling(problem, operands); });
  }
};

}  // namespace assay::inline v0
