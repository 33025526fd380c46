#pragma once

#include <string>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/kernels/softmax_backward/softmax_backward.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline dnnl::algorithm onednn_softmax_algorithm(bool logarithm) {
  return logarithm ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate;
}

inline void onednn_softmax(const SoftmaxProblem& problem, const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const Operand &x = operands[Softmax::input], &y = operands[Softmax::output];
  const auto from = onednn_descriptor_of(x), to = onednn_descriptor_of(y);
  const auto algorithm = onednn_softmax_algorithm(problem.logarithm);
#if DNNL_VERSION_MAJOR >= 3
  using Primitive = dnnl::softmax_forward;
  const Primitive::primitive_desc description(engine, dnnl::prop_kind::forward_inference, algorithm, from, to, 1);
#else
  using Primitive = dnnl::softmax_v2_forward;
  const Primitive::primitive_desc description({dnnl::prop_kind::forward_inference, algorithm, from, to, 1}, engine);
#endif
  Primitive(description)
      .execute(stream,
               {{DNNL_ARG_SRC, dnnl::memory(from, engine, x.data)}, {DNNL_ARG_DST, dnnl::memory(to, engine, y.data)}});
  stream.wait();
}

inline void onednn_softmax_backward(const SoftmaxBackwardProblem& problem, const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const Operand &y = operands[SoftmaxBackward::saved], &dy = operands[SoftmaxBackward::gradient],
                &dx = operands[SoftmaxBackward::output];
  const auto saved = onednn_descriptor_of(y), gradient = onednn_descriptor_of(dy), result = onednn_descriptor_of(dx);
  const auto algorithm = onednn_softmax_algorithm(problem.logarithm);
#if DNNL_VERSION_MAJOR >= 3
  using Primitive = dnnl::softmax_backward;
  const dnnl::softmax_forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, algorithm, saved,
                                                      saved, 1);
  const Primitive::primitive_desc description(engine, algorithm, result, gradient, saved, 1, forward);
#else
  using Primitive = dnnl::softmax_v2_backward;
  const dnnl::softmax_v2_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, algorithm, saved, saved, 1}, engine);
  const Primitive::primitive_desc description({algorithm, result, gradient, saved, 1}, engine, forward);
#endif
  Primitive(description)
      .execute(stream, {{DNNL_ARG_DST, dnnl::memory(saved, engine, y.data)},
                        {DNNL_ARG_DIFF_DST, dnnl::memory(gradient, engine, dy.data)},
                        {DNNL_ARG_DIFF_SRC, dnnl::memory(result, engine, dx.data)}});
  stream.wait();
}

/// Why a softmax is not offered, or nothing.
[[nodiscard]] inline std::string onednn_softmax_refusal(Index elements, double temperature,
                                                        std::initializer_list<ElementFormat> formats) {
  for (const ElementFormat& format : formats)
    if (!onednn_type_of(format)) return std::string("oneDNN has no format ") + format.name;
  if (temperature != 1) return "oneDNN's softmax has no temperature";
  return elements == 0 ? "oneDNN is not asked for a tensor without elements" : "";
}

}  // namespace detail

/// oneDNN's softmax and log-softmax: f32 arithmetic, no mask, no temperature.
template <>
struct kernel<OneDnn, Softmax> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const SoftmaxProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (problem.masked) return failure(ErrorKind::unsupported, "oneDNN's softmax has no mask");
    if (const std::string refusal = detail::onednn_softmax_refusal(
            problem.outer * problem.length * problem.inner, problem.temperature, {problem.input, problem.output});
        !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    return detail::onednn_guarded(std::string("softmax ") + problem.input.name + " → " + problem.output.name,
                                  [&] { detail::onednn_softmax(problem, operands); });
  }
};

/// oneDNN's gradients of them.
template <>
struct kernel<OneDnn, SoftmaxBackward> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const SoftmaxBackwardProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (const std::string refusal =
            detail::onednn_softmax_refusal(problem.outer * problem.length * problem.inner, problem.temperature,
                                           {problem.saved, problem.gradient, problem.output});
        !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    return detail::onednn_guarded(
        std::string("softmax's gradient ") + problem.gradient.name + " → " + problem.output.name,
        [&] { detail::onednn_softmax_backward(problem, operands); });
  }
};

}  // namespace assay::inline v0
