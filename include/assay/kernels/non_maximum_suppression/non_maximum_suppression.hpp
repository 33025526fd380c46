#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/non_maximum_suppression/judgment.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// Nothing an element: suppression judges its outputs by itself.
struct SuppressionExpected {
  int output = 0;
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index) const {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
};

/// One image, greedily: the best box that is left, until there is none. In double, so that boxes of any format are what
/// they are stored as.
struct PortableSuppression {
  SuppressionProblem problem;
  Operand boxes, scores, kept, count;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index image = static_cast<Index>(index);
    Index found = 0, last = -1;
    while (found < problem.most) {
      Index best = -1;
      for (Index box = 0; box < problem.boxes; ++box) {
        if (!candidate(image, box) || (last >= 0 && !before(image, last, box)) ||
            (best >= 0 && !before(image, box, best)))
          continue;
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
    for (Index place = found; place < problem.most; ++place)
      kept.format.store(kept.data, kept.offset(image, place), -1);
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
      const double low_a = corner(image, a, d, false), high_a = corner(image, a, d, true),
                   low_b = corner(image, b, d, false), high_b = corner(image, b, d, true);
      const double extent = (high_a < high_b ? high_a : high_b) - (low_a > low_b ? low_a : low_b);
      both *= extent > 0 ? extent : 0;
      first *= high_a - low_a;
      second *= high_b - low_b;
    }
    const double united = first + second - both;
    return united > 0 ? both / united : 0;
  }
};

/// Non-maximum suppression. Operands: `boxes` (batch, boxes, 4), `scores` (batch, boxes); `kept` (batch, most), indices
/// by falling scores, then −1; `count` (batch). Judged on the host; where the overlap lies within a correct kernel's
/// error of the threshold either answer is right, and whatever follows from it.
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

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for:
  /// - normal: clusters of boxes: who suppresses whom, chains in which a suppressed box must not suppress; canceling:
  ///   the same far from the origin: extents in too narrow an arithmetic;
  /// - uniform: boxes all over: overlaps are rare, those of boxes apart in both dimensions must be 0;
  /// - exact_integer: whole coordinates and five scores: ties, overlaps that count pixels;
  /// - near_tie: pairs whose overlap is the threshold but for a thousandth to a hundred-millionth;
  /// - constant: one box; special: NaN and infinite scores.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic) {
    return {"overlaps by running error analysis, u = " + detail::number(arithmetic.unit_roundoff()) +
                "; where one lies within its error of " + detail::number(problem.iou_threshold) +
                ", both answers are right",
            "kept boxes are right if they stand in order, none overlaps an earlier one for certain, and every missing "
            "one may overlap an "
            "earlier kept one or had no room"};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SuppressionExpected>> reference(B&, typename B::Stream&,
                                                                                 const Problem&, const OperandArray&,
                                                                                 RoundingModel, const Arithmetic&) {
    return OperationReference<SuppressionExpected>{{}, nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return backend.parallel_for(
        stream, static_cast<std::size_t>(problem.batch),
        PortableSuppression{problem, operands[boxes], operands[scores], operands[kept], operands[count]});
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before,
                                  int written, const Arithmetic& arithmetic, Outcome& outcome);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.ipp"
#endif
