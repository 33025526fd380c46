#pragma once

#include <cstdint>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// What only a whole tensor can tell of its errors e = out − r. Elements that are not finite in out or r are left out.
struct ErrorStatistics {
  std::uint64_t elements = 0;           ///< that were finite on both sides
  double signed_error = 0;              ///< Σ e: the bias
  double squared_error = 0;             ///< Σ e²
  double squared_reference = 0;         ///< Σ r²
  std::uint64_t misrounded = 0;         ///< elements that differ from the correctly rounded reference
  double expected_misrounded = 0;       ///< Σ min(1, E/ulp): an upper bound on what a correct kernel gives on average
  std::uint64_t misrounded_inward = 0;  ///< of the misrounded, those nearer to zero than the rounded reference

  /// Takes the sums of other elements of the same tensor.
  ASSAY_FUNCTION void join(const ErrorStatistics& other) {
    elements += other.elements;
    signed_error += other.signed_error;
    squared_error += other.squared_error;
    squared_reference += other.squared_reference;
    misrounded += other.misrounded;
    expected_misrounded += other.expected_misrounded;
    misrounded_inward += other.misrounded_inward;
  }
};

}  // namespace assay::inline v0
