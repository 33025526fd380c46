#pragma once

#include <cstdint>

#include "assay/compare/detail/block_arithmetic.hpp"
#include "assay/compare/detail/block_findings.hpp"

namespace assay::inline v0::detail {

/// The largest of each measure that a thread has seen, in one word with when: the lowest bits of a single make room for
/// it.
struct ThreadKeys {
  static constexpr std::uint32_t times = 32;  ///< the first is the largest in the word
  static constexpr std::uint32_t measure_bits = ~(times - 1);
  static constexpr float least_share = 1 - 0x1p-15F;  ///< of the largest: what is smaller certainly is

  std::uint32_t most[measures] = {};
  std::uint32_t second[measures] = {};  ///< at another time

  ASSAY_FUNCTION void keep(Measure measure, float value, std::uint32_t time) {
    const std::uint32_t key = (single_bits(value) & measure_bits) | (times - 1 - time),
                        smaller = key < most[measure] ? key : most[measure];
    second[measure] = smaller > second[measure] ? smaller : second[measure];
    most[measure] = key > most[measure] ? key : most[measure];
  }
  [[nodiscard]] ASSAY_FUNCTION static float value_of(std::uint32_t key) { return single_of_bits(key & measure_bits); }
  [[nodiscard]] ASSAY_FUNCTION static std::uint32_t time_of(std::uint32_t key) { return times - 1 - key % times; }
};

/// Those of a unit, and how many of its elements are in none of them.
struct UnitKeys {
  std::uint32_t most[measures] = {};
  std::uint32_t looked_at = 0;
};
struct JoinKeys {
  ASSAY_FUNCTION UnitKeys operator()(const UnitKeys& a, const UnitKeys& b) const {
    UnitKeys joined;
    for (int measure = 0; measure < measures; ++measure)
      joined.most[measure] = a.most[measure] > b.most[measure] ? a.most[measure] : b.most[measure];
    joined.looked_at = a.looked_at + b.looked_at;
    return joined;
  }
};

/// What a thread has measured.
struct ThreadTotals {
  ThreadKeys keys;
  UnitSums sums;
  UnitRoundings roundings;
  std::uint32_t looked_at = 0;  ///< elements that are not in the keys
};

/// A thread's memory, of which registers hold nothing. Written when there is something to write only.
struct ThreadMemory {
  union {
    ThreadTotals totals;
  };
  union {
    ThreadFindings findings;  ///< of elements that were looked at
  };
  bool any_findings;

  ASSAY_FUNCTION ThreadMemory() : any_findings(false) {}

  [[nodiscard]] ASSAY_FUNCTION ThreadFindings& found() {
    if (!any_findings) findings.clear();
    any_findings = true;
    return findings;
  }
};

}  // namespace assay::inline v0::detail
