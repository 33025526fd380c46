#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/diagnosis/detail/evidence.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Whether wrong elements hold right values of other places, whichever these are: told where values are many and known
/// to enough digits that others fit none of them.
class BorrowedValues {
 public:
  explicit BorrowedValues(const FailingOutput& output);

  [[nodiscard]] std::optional<Diagnosis> explanation() const;

 private:
  static constexpr std::size_t most_sorted = std::size_t{1} << 20;  // beyond, sorting costs more than it tells

  /// Between a right value and the next larger one.
  [[nodiscard]] double usual_gap() const {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < right_.size(); ++i)
      if (right_[i] > right_[i - 1]) gaps.push_back(right_[i] - right_[i - 1]);
    return gaps.empty() ? 1 : upper_median(gaps);
  }
  [[nodiscard]] bool is_right_somewhere(double value, std::size_t element) const {
    const double reach = output_.format.unit_in_last_place(value) * 0.5 + static_cast<double>(output_.error[element]);
    const auto nearest = std::lower_bound(right_.begin(), right_.end(), value - reach);
    return nearest != right_.end() && *nearest <= value + reach;
  }

  const FailingOutput& output_;
  std::vector<double> right_;
  std::vector<std::size_t> wrong_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/borrowed_values.ipp"
#endif
