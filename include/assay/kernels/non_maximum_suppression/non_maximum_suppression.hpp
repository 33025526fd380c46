#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/non_maximum_suppression/judgement.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// Nothing an element: suppression judges its outputs by itself.
struct SuppressionExpected {
  int output = 0;
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index) const {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
};

/// One image, greedily: the best box that is left, until there is none. In double, so that boxes of any format are what they are stored as.
struct PortableSuppression {
  SuppressionProblem problem;
  Operand boxes, scores, kept, count;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index image = static_cast<Index>(index);
    Index found = 0, last = -1;
    while (found < problem.most) {
      Index best = -1;
      for (Index box = 0; box < problem.boxes; ++box) {
        if (!candidate(image, box) || (last >= 0 && !before(image, last, box)) || (best >= 0 && !before(image, box, best))) continue;
        bool overlaps = false;
        for (Index k = 0; k < found && !overlaps; ++k)
          overlaps = overlap(image, static_cast<Index>(kept.at(image, k)), box) > problem.iou_threshold;
        if (!overlaps) best = box;
      }
      if (best < 0) break;
      kept.format.store(kept.data, kept.offset(image, found), static_cast<double>(best));
      last = best;
      ++found;
    }
    for (Index place = found; place < problem.most; ++place) kept.format.store(kept.data, kept.offset(image, place), -1);
    count.format.store(count.data, count.offset(image), static_cast<double>(found));
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION bool candidate(Index image, Index box) const {
    return scores.at(image, box) > static_cast<double>(static_cast<float>(problem.score_threshold));
  }
  [[nodiscard]] ASSAY_FUNCTION bool before(Index image, Index a, Index b) const {
    const double x = scores.at(image, a), y = scores.at(image, b);
    return x > y || (x == y && a < b);
  }
  [[nodiscard]] ASSAY_FUNCTION double corner(Index image, Index box, int d, bool high) const {
    const double x = boxes.at(image, box, d), y = boxes.at(image, box, 2 + d);
    if (problem.box_format == BoxFormat::corners) return high ? y : x;
    return high ? x + y / 2 : x - y / 2;
  }
  [[nodiscard]] ASSAY_FUNCTION double overlap(Index image, Index a, Index b) const {
    double both = 1, first = 1, second = 1;
    for (int d = 0; d < 2; ++d) {
      const double low_a = corner(image, a, d, false), high_a = corner(image, a, d, true), low_b = corner(image, b, d, false),
                   high_b = corner(image, b, d, true);
      const double extent = (high_a < high_b ? high_a : high_b) - (low_a > low_b ? low_a : low_b);
      both *= extent > 0 ? extent : 0;
      first *= high_a - low_a;
      second *= high_b - low_b;
    }
    const double united = first + second - both;
    return united > 0 ? both / united : 0;
  }
};

/// Non-maximum suppression. Operands: `boxes` (batch, boxes, 4), `scores` (batch, boxes); `kept` (batch, most), indices by falling scores, then −1; `count` (batch). Judged on the
/// host; where the overlap lies within a correct kernel's error of the threshold either answer is right, and whatever follows from it.
struct NonMaximumSuppression {
  using Problem = SuppressionProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { boxes, scores, kept, count };

  [[nodiscard]] static const char* name() { return "non_maximum_suppression"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.format.name) + "." + problem.index_format.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check(problem); !checked) return checked.propagate();
    return std::vector<OperandSpec>{{"boxes", OperandRole::input, problem.format, {problem.batch, problem.boxes, 4}},
                                    {"scores", OperandRole::input, problem.format, {problem.batch, problem.boxes}},
                                    {"kept", OperandRole::output, problem.index_format, {problem.batch, problem.most}},
                                    {"count", OperandRole::output, problem.index_format, {problem.batch}}};
  }

  /// What each pattern is for:
  /// - normal: clusters of boxes: who suppresses whom, chains in which a suppressed box must not suppress; cancelling: the same far from the origin: extents in too narrow an arithmetic;
  /// - uniform: boxes all over: overlaps are rare, those of boxes apart in both dimensions must be 0;
  /// - exact_integer: whole coordinates and five scores: ties, overlaps that count pixels;
  /// - near_tie: pairs whose overlap is the threshold but for a thousandth to a hundred-millionth;
  /// - constant: one box; special: NaN and infinite scores.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed) {
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
      if (kind == FillKind::cancelling) x += 1000, y += 1000;
      if (kind == FillKind::near_tie) {
        const double apart = (1 - problem.iou_threshold) / (1 + problem.iou_threshold),
                     away[] = {1e-3, -1e-3, 1e-5, -1e-5, 1e-8, -1e-8, 0.02, -0.02};
        x = static_cast<double>(box / 2 % problem.boxes) * 8 + (box % 2 == 0 ? 0 : 4 * apart * (1 + away[box / 2 % 8]));
        y = 1;
        width = height = 4;
      }
      const bool centre = problem.box_format == BoxFormat::centre;
      for (const double coordinate :
           {centre ? x + width / 2 : x, centre ? y + height / 2 : y, centre ? width : x + width, centre ? height : y + height})
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

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    using enum FillKind;
    const std::vector<FillKind> all{normal, uniform, exact_integer, near_tie, cancelling, constant, special},
        core{normal, exact_integer, special};
    std::vector<OperationShape<Problem>> shapes;
    const auto add = [&](Problem problem, Index batch, Index boxes, Index most, double iou, const std::vector<FillKind>& fills,
                         bool large = false) {
      problem.batch = batch;
      problem.boxes = boxes;
      problem.most = most;
      problem.iou_threshold = iou;
      problem.format = format;
      shapes.push_back({problem, fills, large});
    };
    for (const BoxFormat box_format : {BoxFormat::corners, BoxFormat::centre})
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
    problem.box_format = BoxFormat::centre;
    problem.score_threshold = 0.25;
    add(problem, 1, 8400, 300, 0.45, {normal}, true);  // YOLOv8
    return shapes;
  }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel, const Arithmetic& arithmetic) {
    return {"overlaps by running error analysis, u = " + detail::number(arithmetic.unit_roundoff()) +
                "; where one lies within its error of " + detail::number(problem.iou_threshold) + ", both answers are right",
            "kept boxes are right if they stand in order, none overlaps an earlier one for certain, and every missing one may overlap an "
            "earlier kept one or had no room"};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SuppressionExpected>> reference(B&, typename B::Stream&, const Problem&,
                                                                                 const OperandArray&, RoundingModel, const Arithmetic&) {
    return OperationReference<SuppressionExpected>{{}, nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands) {
    return backend.parallel_for(stream, static_cast<std::size_t>(problem.batch),
                                PortableSuppression{problem, operands[boxes], operands[scores], operands[kept], operands[count]});
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before, int written,
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
        judged.refute("image " + std::to_string(image) + " counts " + detail::number(stored) + " boxes and lists " + std::to_string(found));
    }
    judged.describe(outcome);
    return true;
  }
};

}  // namespace assay::inline v0
