#pragma once

#include <optional>
#include <string>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

/// An eltwise algorithm with its two constants.
struct OneDnnEltwise {
  dnnl::algorithm algorithm;
  float alpha = 0, beta = 0;
};

[[nodiscard]] inline std::optional<OneDnnEltwise> onednn_eltwise_of(const ElementwiseProblem& problem) {
  using Algorithm = dnnl::algorithm;
  switch (problem.function) {
    case ElementwiseFunction::relu: return OneDnnEltwise{Algorithm::eltwise_relu};
    case ElementwiseFunction::gelu: return OneDnnEltwise{Algorithm::eltwise_gelu_erf};
    case ElementwiseFunction::gelu_tanh: return OneDnnEltwise{Algorithm::eltwise_gelu_tanh};
    case ElementwiseFunction::silu: return OneDnnEltwise{Algorithm::eltwise_swish, 1};
    case ElementwiseFunction::sigmoid: return OneDnnEltwise{Algorithm::eltwise_logistic};
    case ElementwiseFunction::tanh: return OneDnnEltwise{Algorithm::eltwise_tanh};
    case ElementwiseFunction::softplus: return OneDnnEltwise{Algorithm::eltwise_soft_relu, 1};
    case ElementwiseFunction::exp: return OneDnnEltwise{Algorithm::eltwise_exp};
    case ElementwiseFunction::log: return OneDnnEltwise{Algorithm::eltwise_log};
    case ElementwiseFunction::sqrt: return OneDnnEltwise{Algorithm::eltwise_sqrt};
    case ElementwiseFunction::rsqrt: return OneDnnEltwise{Algorithm::eltwise_pow, 1, -0.5F};
    case ElementwiseFunction::scale_shift:
      return OneDnnEltwise{Algorithm::eltwise_linear, static_cast<float>(problem.a), static_cast<float>(problem.b)};
    default: return std::nullopt;
  }
}

[[nodiscard]] inline std::optional<dnnl::algorithm> onednn_binary_of(ElementwiseFunction function) {
  using Algorithm = dnnl::algorithm;
  switch (function) {
    case ElementwiseFunction::add: return Algorithm::binary_add;
    case ElementwiseFunction::subtract: return Algorithm::binary_sub;
    case ElementwiseFunction::multiply: return Algorithm::binary_mul;
    case ElementwiseFunction::divide: return Algorithm::binary_div;
    case ElementwiseFunction::maximum: return Algorithm::binary_max;
    case ElementwiseFunction::minimum: return Algorithm::binary_min;
    default: return std::nullopt;
  }
}

/// oneDNN knows no tensors of rank 0: they are vectors of one element.
[[nodiscard]] inline dnnl::memory::desc onednn_elements(Operand operand) {
  if (operand.rank == 0) {
    operand.rank = 1;
    operand.extents[0] = operand.strides[0] = 1;
  }
  return onednn_descriptor_of(operand);
}

inline void onednn_eltwise(const ElementwiseProblem& problem, const OneDnnEltwise& function,
                           const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const Operand &x = operands[Elementwise::x], &dy = operands[Elementwise::y], &output = operands[Elementwise::output];
  const auto from = onednn_elements(x), to = onednn_elements(output);
  const auto direction = problem.backward ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  dnnl::memory source(from, engine, x.data), wanted(to, engine, output.data);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::eltwise_forward::primitive_desc forward(engine, direction, function.algorithm, from,
                                                      problem.backward ? from : to, function.alpha, function.beta);
#else
  const dnnl::eltwise_forward::primitive_desc forward(
      {direction, function.algorithm, from, function.alpha, function.beta}, engine);
#endif
  if (!problem.backward) {
    dnnl::eltwise_forward(forward).execute(stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, wanted}});
  } else {
    const auto gradient_description = onednn_elements(dy);
    dnnl::memory gradient(gradient_description, engine, dy.data);
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::eltwise_backward::primitive_desc backward(engine, function.algorithm, to, gradient_description, from,
                                                          function.alpha, function.beta, forward);
#else
    const dnnl::eltwise_backward::primitive_desc backward(
        {function.algorithm, gradient_description, from, function.alpha, function.beta}, engine, forward);
#endif
    dnnl::eltwise_backward(backward).execute(
        stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, wanted}});
  }
  stream.wait();
}

inline void onednn_binary(dnnl::algorithm algorithm, const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const Operand &x = operands[Elementwise::x], &y = operands[Elementwise::y], &output = operands[Elementwise::output];
  const auto first = onednn_elements(x), second = onednn_elements(y), to = onednn_elements(output);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::binary::primitive_desc description(engine, algorithm, first, second, to);
#else
  const dnnl::binary::primitive_desc description({algorithm, first, second, to}, engine);
#endif
  dnnl::binary(description)
      .execute(stream, {{DNNL_ARG_SRC_0, dnnl::memory(first, engine, x.data)},
                        {DNNL_ARG_SRC_1, dnnl::memory(second, engine, y.data)},
                        {DNNL_ARG_DST, dnnl::memory(to, engine, output.data)}});
  stream.wait();
}

inline void onednn_cast(const Operand& x, const Operand& output) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  dnnl::memory from(onednn_elements(x), engine, x.data), to(onednn_elements(output), engine, output.data);
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
}

}  // namespace detail

/// oneDNN's eltwise, binary and, for casts, reorder. Its relu, maxima and minima promise nothing of NaN, and what they
/// give is a matter for findings: both policies are run.
template <>
struct kernel<OneDnn, Elementwise> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const ElementwiseProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    const std::string function(name_of(problem.function));
    for (const ElementFormat& format : {problem.input, problem.output})
      if (!detail::onednn_type_of(format))
        return failure(ErrorKind::unsupported, std::string("oneDNN has no format ") + format.name);
    if (problem.function == ElementwiseFunction::cast) {
      if (problem.rounding != Rounding::nearest_even)
        return failure(ErrorKind::unsupported, "oneDNN's reorder rounds to nearest, ties to even, only");
      if (problem.saturating && problem.output.is_float())
        return failure(ErrorKind::unsupported, "oneDNN's reorder does not saturate to floating-point formats");
      return detail::onednn_guarded(
          "reorder from " + std::string(problem.input.name) + " to " + problem.output.name,
          [&] { detail::onednn_cast(operands[Elementwise::x], operands[Elementwise::output]); });
    }
    if (const auto binary = detail::onednn_binary_of(problem.function))
      return detail::onednn_guarded("binary " + function + " of " + problem.input.name,
                                    [&] { detail::onednn_binary(*binary, operands); });
    const auto eltwise = detail::onednn_eltwise_of(problem);
    if (!eltwise) return failure(ErrorKind::unsupported, "oneDNN has no " + function);
#if DNNL_VERSION_MAJOR < 3
    if (!(problem.input == problem.output))
      return failure(ErrorKind::unsupported, "oneDNN 2 has eltwise functions of one format only");
#endif
    return detail::onednn_guarded("eltwise " + function + " of " + problem.input.name,
                                  [&] { detail::onednn_eltwise(problem, *eltwise, operands); });
  }
};

}  // namespace assay::inline v0
