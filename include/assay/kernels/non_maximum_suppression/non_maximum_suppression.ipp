#pragma once

#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> NonMaximumSuppression::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  return std::vector<OperandSpec>{{"boxes", OperandRole::input, problem.format, {problem.batch, problem.boxes, 4}},
                                  {"scores", OperandRole::input, problem.format, {problem.batch, problem.boxes}},
                                  {"kept", OperandRole::output, problem.index_format, {problem.batch, problem.most}},
                                  {"count", OperandRole::output, problem.index_format, {problem.batch}}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData NonMaximumSuppression::data(const Problem& problem, FillKind kind,
                                                                     const Arithmetic&, std::uint64_t seed) {
  std::vector<double> coordinates, drawn_scores;
  for (Index box = 0; box < problem.batch * problem.boxes; ++box) {
    const auto unit = [&](std::uint64_t which) {
      return uniform_positive(random_bits(seed * 4, static_cast<std::uint64_t>(box), which));
    };
    const auto cluster = [&](std::uint64_t which) {
      return uniform_positive(random_bits(seed * 4 + 1, static_cast<std::uint64_t>(box / 7), which));
    };
    const bool spread = kind == FillKind::uniform;
    double x = spread ? unit(0) * 40 : cluster(0) * 20 + unit(0), y = spread ? unit(1) * 40 : cluster(1) * 20 + unit(1);
    double width = 1.5 + unit(2) * 2, height = 1.5 + unit(3) * 2, score = unit(4);
    if (kind == FillKind::exact_integer) {
      x = std::floor(x);
      y = std::floor(y);
      width = std::floor(width) + 1;
      height = std::floor(height) + 1;
      score = std::floor(score * 5) / 4;
    }
    if (kind == FillKind::constant) x = y = 3, width = height = 2;
    if (kind == FillKind::canceling) x += 1000, y += 1000;
    if (kind == FillKind::near_tie) {
      const double apart = (1 - problem.iou_threshold) / (1 + problem.iou_threshold),
                   away[] = {1e-3, -1e-3, 1e-5, -1e-5, 1e-8, -1e-8, 0.02, -0.02};
      x = static_cast<double>(box / 2 % problem.boxes) * 8 + (box % 2 == 0 ? 0 : 4 * apart * (1 + away[box / 2 % 8]));
      y = 1;
      width = height = 4;
    }
    const bool center = problem.box_format == BoxFormat::center;
    for (const double coordinate : {center ? x + width / 2 : x, center ? y + height / 2 : y, center ? width : x + width,
                                    center ? height : y + height})
      coordinates.push_back(coordinate);
    const double infinity = detail::double_of(binary64_layout.infinity_bits());
    if (kind == FillKind::special && box % 5 == 1) score = detail::double_of(binary64_layout.nan_bits());
    if (kind == FillKind::special && box % 11 == 2) score = box % 2 == 0 ? infinity : -infinity;
    drawn_scores.push_back(score);
  }
  OperationData data;
  data.model = RoundingModel::worst_case;
  data.operands = {OperandFill::of(std::move(coordinates)), OperandFill::of(std::move(drawn_scores)), {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<NonMaximumSuppression::Problem>> NonMaximumSuppression::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal, uniform, exact_integer, near_tie, canceling, constant, special},
      core{normal, exact_integer, special};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Problem problem, Index batch, Index boxes, Index most, double iou,
                       const std::vector<FillKind>& fills, bool large = false) {
    problem.batch = batch;
    problem.boxes = boxes;
    problem.most = most;
    problem.iou_threshold = iou;
    problem.format = format;
    shapes.push_back({problem, fills, large});
  };
  for (const BoxFormat box_format : {BoxFormat::corners, BoxFormat::center})
    for (const ScoreTies ties : {ScoreTies::any, ScoreTies::first_index}) {
      Problem problem;
      problem.box_format = box_format;
      problem.ties = ties;
      add(problem, 2, 60, 60, 0.5, all);
      add(problem, 1, 150, 40, 0.3, core);
      add(problem, 3, 31, 10, 0.65, core);
      problem.score_threshold = 0.25;
      add(problem, 2, 70, 70, 0.5, all);
      problem.score_threshold = 0.5;
      add(problem, 1, 100, 5, 0.7, core);
    }
  Problem problem;
  add(problem, 1, 40, 40, 0, core);
  add(problem, 1, 40, 40, 1, core);
  add(problem, 1, 1, 3, 0.5, core);
  add(problem, 2, 0, 4, 0.5, {normal});
  add(problem, 0, 9, 4, 0.5, {normal});
  add(problem, 2, 9, 0, 0.5, {normal});
  add(problem, 18, 24, 9, 0.5, {normal, uniform});  // more lists than tiles have rows
  problem.index_format = element_format<std::int32_t>();
  add(problem, 2, 50, 20, 0.45, core);
  problem.box_format = BoxFormat::center;
  problem.score_threshold = 0.25;
  add(problem, 1, 8400, 300, 0.45, {normal}, true);  // YOLOv8
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE bool NonMaximumSuppression::judge(const Problem& problem, const OperandArray& operands,
                                                             const OperandArray& before, int written,
                                                             const Arithmetic& arithmetic, Outcome& outcome) {
  detail::JudgedOutput judged;
  SuppressionJudge judge(problem, arithmetic);
  for (Index image = 0; image < problem.batch; ++image) {
    if (written == 0) {
      judge.judge(image, before[boxes], before[scores], operands[kept], judged);
      continue;
    }
    Index found = 0;
    while (found < problem.most && operands[kept].at(image, found) != -1) ++found;
    ++judged.elements;
    if (const double stored = operands[count].at(image); stored != static_cast<double>(found))
      judged.refute("image " + std::to_string(image) + " counts " + detail::number(stored) + " boxes and lists " +
                    std::to_string(found));
  }
  judged.describe(outcome);
  return true;
}

}  // namespace assay::inline v0
