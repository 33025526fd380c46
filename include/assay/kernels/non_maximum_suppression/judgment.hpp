#pragma once

#include <string>
#include <vector>

#include "assay/kernels/detail/judged_output.hpp"
#include "assay/kernels/non_maximum_suppression/problem.hpp"
#include "assay/tolerance/bounded.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// Intersection over union of two boxes, with the error of a correct kernel by running error analysis: of extents that
/// are differences, their products, and the quotient (or the product of the threshold and the union).
struct BoxOverlap {
  BoundedArithmetic arithmetic;
  BoxFormat format = BoxFormat::corners;

  /// A box with its area, and how far they may be off.
  struct Box {
    /// Corners on both axes, and the area.
    Bounded low[2], high[2], area;
    bool finite = true;  ///< false: the box counts as none
  };
  /// The box of four stored numbers.
  [[nodiscard]] Box box(const double (&x)[4]) const {
    Box box;
    for (const double coordinate : x) box.finite = box.finite && is_finite(coordinate);
    for (int d = 0; d < 2; ++d) {
      box.low[d] = arithmetic.exact(x[d]);
      box.high[d] = arithmetic.exact(x[2 + d]);
      if (format == BoxFormat::corners) continue;
      const Bounded half = arithmetic.scale(arithmetic.exact(x[2 + d]), 0.5);
      box.low[d] = arithmetic.subtract(arithmetic.exact(x[d]), half);
      box.high[d] = arithmetic.add(arithmetic.exact(x[d]), half);
    }
    // of a center's box the area may be taken of width and height or of the corners
    box.area =
        arithmetic.multiply(arithmetic.subtract(box.high[0], box.low[0]), arithmetic.subtract(box.high[1], box.low[1]));
    return box;
  }
  [[nodiscard]] Bounded operator()(const Box& a, const Box& b) const {
    if (!a.finite || !b.finite) return {0, BoundedArithmetic::infinity()};
    Bounded intersection = arithmetic.exact(1);
    for (int d = 0; d < 2; ++d) {
      const Bounded low = arithmetic.maximum(a.low[d], b.low[d]),
                    high = arithmetic.negate(
                        arithmetic.maximum(arithmetic.negate(a.high[d]), arithmetic.negate(b.high[d])));
      const Bounded extent = arithmetic.subtract(high, low);
      if (extent.value + extent.error <= 0) return {0, 0};
      const Bounded cut = arithmetic.maximum(extent, arithmetic.exact(0));
      intersection = d == 0 ? cut : arithmetic.multiply(intersection, cut);
    }
    const Bounded united = arithmetic.subtract(arithmetic.add(a.area, b.area), intersection);
    if (united.value == 0) return {0, united.error == 0 ? 0 : BoundedArithmetic::infinity()};
    Bounded ratio = arithmetic.divide(intersection, united);
    ratio.error += 2 * arithmetic.unit * ratio.value;
    return ratio;
  }
};

/// Judges one image: which boxes were kept is right if there is an answer to every question that rounding leaves open
/// with which the greedy algorithm gives just them. That is so if and only if they stand in order, no kept box overlaps
/// an earlier one for certain, and every box that is missing may overlap an earlier kept one, or comes after the last
/// where there was no more room.
class SuppressionJudge {
 public:
  /// Judges kernels of that problem.
  SuppressionJudge(const SuppressionProblem& problem, const Arithmetic& arithmetic)
      : problem_(problem), overlap_{BoundedArithmetic(arithmetic), problem.box_format} {}

  void judge(Index image, const Operand& boxes, const Operand& scores, const Operand& kept,
             detail::JudgedOutput& judged);

 private:
  void read(Index image, const Operand& boxes, const Operand& scores);
  [[nodiscard]] bool candidate(Index box) const {
    return scores_[static_cast<std::size_t>(box)] > static_cast<double>(static_cast<float>(problem_.score_threshold));
  }
  [[nodiscard]] bool certainly_before(Index a, Index b) const {
    const double x = scores_[static_cast<std::size_t>(a)], y = scores_[static_cast<std::size_t>(b)];
    return x > y || (x == y && problem_.ties == ScoreTies::first_index && a < b);
  }
  [[nodiscard]] Bounded between(Index a, Index b) const {
    return overlap_(boxes_[static_cast<std::size_t>(a)], boxes_[static_cast<std::size_t>(b)]);
  }

  SuppressionProblem problem_;
  BoxOverlap overlap_;
  std::vector<BoxOverlap::Box> boxes_;
  std::vector<double> scores_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/non_maximum_suppression/judgment.ipp"
#endif
