#pragma once

#include "assay/kernels/cross_entropy/cross_entropy.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> CrossEntropy::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const std::vector<Index> matrix{problem.rows, problem.classes},
      losses = problem.reduction == LossReduction::mean ? std::vector<Index>{} : std::vector<Index>{problem.rows};
  return std::vector<OperandSpec>{{"logits", OperandRole::input, problem.logits, matrix},
                                  {"labels", OperandRole::input, problem.labels, {problem.rows}},
                                  {"loss_gradient", OperandRole::input, problem.loss, losses, problem.backward},
                                  {"loss", OperandRole::output, problem.loss, losses, !problem.backward},
                                  {"logits_gradient", OperandRole::output, problem.output, matrix, problem.backward}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData CrossEntropy::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                            std::uint64_t seed) {
  OperandFill x;
  x.pattern = {kind, seed * 4, problem.classes, problem.logits.layout};
  const double limit = problem.logits.max_finite() / 4;
  OperationData data;
  data.model = RoundingModel::statistical;
  if (kind == FillKind::normal) x.scale = 3;
  if (kind == FillKind::constant) data.model = RoundingModel::worst_case;
  if (kind == FillKind::canceling) {
    x.pattern.kind = FillKind::normal;
    x.offset = limit < 200 ? limit : 200;
  }
  if (kind == FillKind::swamping) {
    x.pattern.kind = FillKind::one_hot;
    x.scale = 4.5;
    data.model = RoundingModel::worst_case;
  }
  const Fill draws{FillKind::uniform, seed * 4 + 1, problem.rows};
  std::vector<double> labels;
  for (Index row = 0; row < problem.rows; ++row) {
    const RandomBits bits = draws.bits(0, row);
    const auto label = static_cast<double>(bits.low() % static_cast<std::uint64_t>(problem.classes));
    labels.push_back(bits.words[3] % 6 == 0 ? static_cast<double>(problem.ignored_label) : label);
  }
  OperandFill incoming;
  incoming.pattern = {FillKind::normal, seed * 4 + 2, problem.rows, problem.loss.layout};
  incoming.offset = 1;
  data.operands = {x, OperandFill::of(std::move(labels)), incoming, {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<CrossEntropy::Problem>> CrossEntropy::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  std::vector<FillKind> all{normal, uniform, log_uniform, constant, canceling, swamping, special};
  const std::vector<FillKind> core{normal, canceling, special};
  if (exponential_tells_subnormals(format)) all.push_back(subnormal);
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](bool backward, Index rows, Index classes, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.backward = backward;
    problem.rows = rows;
    problem.classes = classes;
    problem.logits = problem.output = format;  // losses stay in float32, as frameworks have them
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const bool backward : {false, true}) {
    add(backward, 8, 128, all);
    add(backward, 1, 1, core);
    add(backward, 17, 31, all).labels = element_format<std::int64_t>();
    add(backward, 6, 1000, core).smoothing = 0.1;  // ImageNet with label smoothing
    add(backward, 2, 4099, core);                  // prime
    add(backward, 4, 32000, {normal});             // vocabulary of Llama 2
    add(backward, 37, 20, all).reduction = LossReduction::mean;
    add(backward, 12, 64, core).reduction = LossReduction::mean;
    shapes.back().problem.smoothing = 0.2;
    add(backward, 9, 10, core).ignored_label = 0;
    add(backward, 16, 50, core).smoothing = 1;
    add(backward, 1024, 3, {normal}).reduction = LossReduction::mean;
    shapes.back().problem.ignored_label = 2;
    add(backward, 0, 10, {normal});
    add(backward, 2048, 32000, {normal}, true);
  }
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> CrossEntropy::derivation(const Problem& problem,
                                                                             RoundingModel model,
                                                                             const Arithmetic& arithmetic) {
  using detail::number;
  const SoftmaxProblem softmax = softmax_of(problem);
  const SoftmaxBound bound = SoftmaxBound::of(softmax, model, arithmetic);
  std::vector<std::string> steps{
      "log s, s = sum exp(z - m), is off by exp(sum p_j d_j + g + R(eps + u) + u*range) - 1 + eps |log s|, d_j = "
      "2u|z_j - m| + eps; u "
      "= " +
      number(bound.unit) + ", eps = " + number(bound.function_error) + ", g = " + number(bound.growth) +
      " (Blanchard, Higham, Higham 2021)"};
  if (problem.backward) {
    steps.push_back(
        "E = (E_p + 2u (p + 2q)) |G| + (eps + 3u)|result|, p the softmax, q the target, G the incoming gradient" +
        std::string(problem.reduction == LossReduction::mean ? " over the rows that count" : ""));
    steps.push_back(
        "p = exp(z - (m + log s)) is off by min(u (|m| + log s), log s) more, relative to itself: m + log s is "
        "rounded");
  } else {
    steps.push_back(
        "E of a row adds 2u (|m| + |log s|) and, of label and smoothing, 2u of every term that is added, with (g + eps "
        "+ 2u) of the mean "
        "over classes");
    if (problem.reduction == LossReduction::mean) steps.push_back("the mean adds g(rows) + eps + 4u of itself");
  }
  return steps;
}

}  // namespace assay::inline v0
