#pragma once

#include "assay/formats/limits.hpp"
#include "assay/kernels/attention/bound.hpp"

namespace assay::inline v0 {

/// Where a reference puts what it finds: of the output and of the log-sum-exp, in row-major order.
struct AttentionResults {
  double* value = nullptr;      ///< of the output
  double* error = nullptr;      ///< E of the output
  double* sum_value = nullptr;  ///< of the log-sum-exp; null: not asked for
  double* sum_error = nullptr;  ///< E of the log-sum-exp
};

/// Adds a visible value that is NaN or infinite with weight p. Where the weight may be 0 in a correct kernel nobody
/// knows what comes of it: 0·NaN is NaN, but a tile without weights may be skipped.
ASSAY_FUNCTION inline void meet_special(double v, double p, const AttentionBound& bound, double& value, double& error) {
  if (p <= 16 * bound.weight_underflow)
    error = AttentionBound::infinity();
  else
    value += v * p;
}

/// What a sum of the values that a row sees in one column may come to on the way: Σ|v|, for until a kernel meets the
/// largest score all that it has met may have weight 1, and values may be scaled when they are summed. As many times
/// `largest`, the largest of them and perhaps of others, will do where that cannot overflow. O(1), else O(keys).
[[nodiscard]] ASSAY_FUNCTION inline double running_sum(const AttentionLayout& layout, const AttentionRow& row,
                                                       const AttentionBound& bound, Index column, double largest) {
  const double scale = detail::absolute(layout.stored_scale(AttentionOperand::value_scale, row.key_head));
  const double at_most = static_cast<double>(row.last - row.first) * (scale < 1 ? largest / scale : largest);
  if (at_most <= bound.largest) return at_most;
  const Operand& values = layout.operand(AttentionOperand::value);
  const bool masked = layout.operand(AttentionOperand::additive_mask).present();
  double sum = 0;
  for (Index key = row.first; key < row.last; ++key) {
    if (masked && layout.mask(row, key) == -AttentionBound::infinity()) continue;
    const double v =
        values.format.load(values.data, layout.key_place(values, row, key) + column * values.strides[values.rank - 1]);
    if (is_finite(v)) sum += detail::absolute(v) * (scale > 1 ? scale : 1);
  }
  return sum;
}

/// After all terms of a row: what they have in common. Nothing is said where the query overflows in a kernel that
/// scales it before it meets keys. O(1), or O(depth) where the scale is above 1.
ASSAY_FUNCTION inline void finish_row(AttentionScan& scan, const AttentionBound& bound, const AttentionLayout& layout,
                                      const AttentionRow& row) {
  scan.finish(bound, row.last - row.first);
  if (!(layout.scale > 1)) return;
  const Operand& queries = layout.operand(AttentionOperand::query);
  const Index place = layout.query_place(queries, row);
  for (Index c = 0; c < layout.depth; ++c)
    if (layout.scale *
            detail::absolute(queries.format.load(queries.data, place + c * queries.strides[queries.rank - 1])) >
        bound.largest)
      scan.denominator = AttentionBound::infinity();
}

}  // namespace assay::inline v0
