#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/detail/lane_comparison.hpp"
#include "assay/formats/word_memory.hpp"

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What is read a little later than a block, for whose memory its steps of so many elements ask.
template <class T, class Reference, Index step, bool with_errors>
struct AheadOfBlock {
  std::uintptr_t actual, values, errors;

  template <class Row>
  [[nodiscard]] ASSAY_DETAIL_INLINE static AheadOfBlock of(const Row& row, Index column) {
    const std::uintptr_t values = row.values_ahead(column);
    return {row.actual_ahead(column), values,
            with_errors && row.expected.error != nullptr ? row.errors_ahead(column) : values};
  }
  ASSAY_DETAIL_INLINE void foresee(Index place) const {
    const auto offset = static_cast<std::uintptr_t>(place);
    foresee_at<sizeof(T) * step>(actual + offset * sizeof(T));
    foresee_at<sizeof(Reference) * step>(values + offset * sizeof(Reference));
    if constexpr (with_errors) foresee_at<sizeof(double) * step>(errors + offset * sizeof(double));
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail
