#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/normalization_backward/normalization_backward.hpp"

namespace assay::inline v0 {

namespace detail {

/// A normalization in oneDNN's terms: a layer's of extents (outer, channels), or a batch's of (outer, channels, inner)
/// by statistics that are given.
class OneDnnNormalization {
 public:
  OneDnnNormalization(const NormalizationProblem& problem, const OperandArray& operands)
      : problem_(problem), operands_(operands) {}

  void forward() {
    using Op = Normalization;
    pass(DNNL_ARG_SRC, Op::input);
    pass(DNNL_ARG_DST, Op::output);
    pass(DNNL_ARG_SCALE, Op::gamma);
    pass(DNNL_ARG_SHIFT, Op::beta);
    pass(DNNL_ARG_MEAN, layer() ? Op::saved_mean : Op::mean);
    pass(DNNL_ARG_VARIANCE, layer() ? Op::saved_deviation : Op::variance);
    const auto kind = layer() && problem_.saved != SavedStatistics::none ? dnnl::prop_kind::forward_training
                                                                         : dnnl::prop_kind::forward_inference;
    const auto input = onednn_descriptor_of(operands_[Op::input]), output = onednn_descriptor_of(operands_[Op::output]);
    if (layer())
      execute(dnnl::layer_normalization_forward(layer_forward(kind, input, output)));
    else
      execute(dnnl::batch_normalization_forward(batch_forward(kind, input, output)));
  }

  void backward() {
    using Op = NormalizationBackward;
    pass(DNNL_ARG_SRC, Op::input);
    pass(DNNL_ARG_DIFF_DST, Op::gradient);
    pass(DNNL_ARG_SCALE, Op::gamma);
    pass(DNNL_ARG_MEAN, Op::mean);
    pass(DNNL_ARG_VARIANCE, Op::deviation);
    pass(DNNL_ARG_DIFF_SRC, Op::input_gradient);
    pass(DNNL_ARG_DIFF_SCALE, Op::gamma_gradient);
    pass(DNNL_ARG_DIFF_SHIFT, Op::beta_gradient);
    const auto kind = problem_.gamma || problem_.beta ? dnnl::prop_kind::backward : dnnl::prop_kind::backward_data;
    const auto input = onednn_descriptor_of(operands_[Op::input]),
               gradient = onednn_descriptor_of(operands_[Op::gradient]);
    [[maybe_unused]] const auto result = onednn_descriptor_of(operands_[Op::input_gradient]);
    const auto epsilon = static_cast<float>(problem_.epsilon);
    const auto forward_kind = dnnl::prop_kind::forward_training;
    if (layer()) {
      const auto hint = layer_forward(forward_kind, input, gradient);
#if DNNL_VERSION_MAJOR >= 3
      differentiate<dnnl::layer_normalization_backward>(
          {engine_, kind, result, gradient, input, statistics(), epsilon, flags(), hint});
#else
      differentiate<dnnl::layer_normalization_backward>(
          {{kind, gradient, input, statistics(), epsilon, flags()}, engine_, hint});
#endif
    } else {
      const auto hint = batch_forward(forward_kind, input, gradient);
#if DNNL_VERSION_MAJOR >= 3
      differentiate<dnnl::batch_normalization_backward>(
          {engine_, kind, result, gradient, input, epsilon, flags(), hint});
#else
      differentiate<dnnl::batch_normalization_backward>({{kind, gradient, input, epsilon, flags()}, engine_, hint});
#endif
    }
  }

 private:
  using Descriptor = dnnl::memory::desc;

  [[nodiscard]] bool layer() const {
    return problem_.kind == NormalizationKind::layer;
  }
  [[nodiscard]] dnnl::normalization_flags flags() const {
    auto flags = layer() ? dnnl::normalization_flags::none : dnnl::normalization_flags::use_global_stats;
    if (problem_.gamma) flags |= dnnl::normalization_flags::use_scale;
    if (problem_.beta) flags |= dnnl::normalization_flags::use_shift;
    return flags;
  }
  [[nodiscard]] Descriptor statistics() const {
    return {{problem_.outer}, dnnl::memory::data_type::f32, dnnl::memory::dims{1}};
  }

  // of 2.6, one descriptor serves input and output
  [[nodiscard]] dnnl::layer_normalization_forward::primitive_desc layer_forward(
      dnnl::prop_kind kind, const Descriptor& input, [[maybe_unused]] const Descriptor& output) const {
    const auto epsilon = static_cast<float>(problem_.epsilon);
#if DNNL_VERSION_MAJOR >= 3
    return {engine_, kind, input, output, statistics(), epsilon, flags()};
#else
    return {{kind, input, statistics(), epsilon, flags()}, engine_};
#endif
  }
  [[nodiscard]] dnnl::batch_normalization_forward::primitive_desc batch_forward(
      dnnl::prop_kind kind, const Descriptor& input, [[maybe_unused]] const Descriptor& output) const {
    const auto epsilon = static_cast<float>(problem_.epsilon);
#if DNNL_VERSION_MAJOR >= 3
    return {engine_, kind, input, output, epsilon, flags()};
#else
    return {{kind, input, epsilon, flags()}, engine_};
#endif
  }

  void pass(int argument, int position) {
    const Operand& operand = operands_[position];
    if (operand.present())
      arguments_.emplace(argument, dnnl::memory(onednn_descriptor_of(operand), engine_, operand.data));
  }
  // No gradient depends on beta, yet some versions count it among the inputs of some primitives, and refuse a call with
  // one too few or too many.
  template <class Primitive>
  void differentiate(const typename Primitive::primitive_desc& description) {
    const int others = 4 + (problem_.gamma ? 1 : 0);  // input, gradient, mean, variance, gamma
    int inputs = 0;
    dnnl::error::wrap_c_api(dnnl_primitive_desc_query(description.get(), dnnl_query_num_of_inputs_s32, 0, &inputs),
                            "could not query the number of inputs");
    std::vector<float> shift(static_cast<std::size_t>(problem_.channels));
    if (problem_.beta && inputs > others)
      arguments_.emplace(DNNL_ARG_SHIFT, dnnl::memory(Descriptor({problem_.channels}, dnnl::memory::data_type::f32,
                                                                 dnnl::memory::dims{1}),
                                                      engine_, shift.data()));
    execute(Primitive(description));
  }
  void execute(const dnnl::primitive& primitive) const {
    dnnl::stream stream(engine_);
    primitive.execute(stream, arguments_);
    stream.wait();
  }

  NormalizationProblem problem_;
  OperandArray operands_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  std::unordered_map<int, dnnl::memory> arguments_;
};

/// Why a normalization is not offered, or nothing. `of_data` are the operands of the extents of the input: of the same
/// format and strides for 2.6.
[[nodiscard]] inline std::string onednn_normalization_refusal(const NormalizationProblem& problem,
                                                              const OperandArray& operands,
                                                              std::initializer_list<int> of_data) {
  if (problem.kind == NormalizationKind::rms || problem.kind == NormalizationKind::group)
    return std::string("this adapter calls no primitive of oneDNN for ") + name_of(problem.kind);
  if (!(problem.parameters == element_format<float32>()))
    return std::string("oneDNN's gamma, beta and statistics are f32, not ") + problem.parameters.name;
  if (problem.kind == NormalizationKind::layer && problem.saved == SavedStatistics::inverse_deviation)
    return "oneDNN saves variances, not inverse deviations";
  if (problem.outer * problem.channels * problem.inner == 0) return "oneDNN is not asked for a tensor without elements";
  const Operand& first = operands[*of_data.begin()];
  for (const int position : of_data) {
    const Operand& operand = operands[position];
    if (!onednn_type_of(operand.format)) return std::string("oneDNN has no format ") + operand.format.name;
    if (!(operand.format == first.format))
      return std::string("oneDNN 2.6 normalizes in one format, not from ") + first.format.name + " to " +
             operand.format.name;
    for (int d = 0; d < operand.rank; ++d)
      if (operand.strides[d] != first.strides[d]) return "oneDNN 2.6 normalizes between tensors of equal strides only";
  }
  return "";
}

}  // namespace detail

/// oneDNN's layer normalization, and batch normalization by statistics that are given: f32 arithmetic, the variance in
/// two passes. Finding, 2.6.3: layer normalization accepts tensors with gaps between their rows and then works as if
/// there were none: it takes gaps for data, writes into them and leaves the last rows unwritten.
template <>
struct kernel<OneDnn, Normalization> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const NormalizationProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (const std::string refusal =
            detail::onednn_normalization_refusal(problem, operands, {Normalization::input, Normalization::output});
        !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    return detail::onednn_guarded(std::string(name_of(problem.kind)) + " in " + problem.input.name,
                                  [&] { detail::OneDnnNormalization(problem, operands).forward(); });
  }
};

/// oneDNN's gradients of them.
template <>
struct kernel<OneDnn, NormalizationBackward> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const NormalizationBackwardProblem& problem,
                          const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    using Op = NormalizationBackward;
    if (const std::string refusal = detail::onednn_normalization_refusal(problem.forward, operands,
                                                                         {Op::input, Op::gradient, Op::input_gradient});
        !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    return detail::onednn_guarded(
        std::string(name_of(problem.forward.kind)) + "'s gradients in " + problem.forward.input.name,
        [&] { detail::OneDnnNormalization(problem.forward, operands).backward(); });
  }
};

}  // namespace assay::inline v0
