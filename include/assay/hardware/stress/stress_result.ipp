#pragma once

#include "assay/hardware/stress/stress_result.hpp"

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string StressDefect::text() const {
  std::string bits;
  for (int bit = 0; bit < 64; ++bit)
    if ((flipped >> bit & 1) != 0) bits += (bits.empty() ? "" : ",") + std::to_string(bit);
  return "processor " + std::to_string(processor) + ", tile " + std::to_string(tile) + ", element (" +
         std::to_string(row) + ", " + std::to_string(column) + "): " + detail::printed_number(actual, 17) + " for " +
         detail::printed_number(expected, 17) + " (bit " + bits + "), " + std::to_string(wrong_elements) +
         " elements of the tile; " +
         (!operands_intact  ? "an operand in memory had changed"
          : seen_again == 0 ? "not seen again in " + std::to_string(reruns) + " re-runs on the same processor"
                            : "seen again in " + std::to_string(seen_again) + " of " + std::to_string(reruns) +
                                  " re-runs on the same processor");
}

}  // namespace assay::inline v0
