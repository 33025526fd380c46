#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/baselines/golden_tensor.hpp"

namespace assay::inline v0::detail {

/// A sum with the rounding errors of its additions carried along (Neumaier 1974): |error| ≤ u·|sum| + O(n²u²)·Σ|x|.
class CarefulSum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    rest_ += std::fabs(sum_) >= std::fabs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

/// Positions to keep of `elements`: half of them evenly spread, the first and the last among them, half at random by a
/// fixed sequence, so that neither a pattern of the tensor's nor one of the kernel's hides between them. Ascending,
/// each once.
[[nodiscard]] std::vector<Index> sample_positions(Index elements, Index count);

/// Into how many columns a tensor is folded: its last extent, where that leaves neither rows nor columns of more than
/// 65536 sums.
[[nodiscard]] inline Index folded_columns(const std::vector<Index>& extents, Index elements) {
  const Index last = extents.empty() ? 1 : extents.back();
  if (last > 1 && last <= 65536 && elements / last <= 65536 && elements / last > 1) return last;
  return std::max<Index>(static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(elements)))), 1);
}

/// The sums of `values`, folded into so many columns.
[[nodiscard]] TensorSums sums_of(const std::vector<double>& values, Index columns);

/// The sums of allowances over the rows and columns of a fold; infinite where one of them is.
void sum_allowances(const std::vector<double>& allowed, Index columns, std::vector<double>& row_sums,
                    std::vector<double>& column_sums);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/detail/tensor_sums.ipp"
#endif
