#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/detail/partial_comparison.hpp"

namespace assay::inline v0::detail {

/// The largest of a measure within a unit, and the place of its first element: row by row, counted in the unit.
struct Peak {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  double value = 0;
  std::uint32_t place = nowhere;

  ASSAY_FUNCTION void consider(double candidate, std::uint32_t at) {
    if (place == nowhere || candidate > value || (candidate == value && at < place)) {
      value = candidate;
      place = at;
    }
  }
};
struct JoinPeaks {
  ASSAY_FUNCTION Peak operator()(Peak a, Peak b) const {
    if (b.place != Peak::nowhere) a.consider(b.value, b.place);
    return a;
  }
};

/// What is measured of every element.
enum Measure : int { absolute_measure, relative_measure, ulp_measure, ratio_measure, measures };

/// Sums of a unit, a word less than a block may reduce at once.
struct UnitSums {
  double signed_error = 0, squared_error = 0, squared_reference = 0, chance = 0;
};
struct JoinSums {
  ASSAY_FUNCTION UnitSums operator()(const UnitSums& a, const UnitSums& b) const {
    return {a.signed_error + b.signed_error, a.squared_error + b.squared_error,
            a.squared_reference + b.squared_reference, a.chance + b.chance};
  }
};

/// Elements that are rare, by kind; a unit has fewer than 2³².
struct UnitCounts {
  std::uint32_t violations = 0, undetermined = 0, refined = 0, nan_unexpected = 0, nan_missing = 0,
                infinity_unexpected = 0, infinity_missing = 0;
  std::uint32_t left_out = 0;  ///< of the sums

  ASSAY_FUNCTION void count(ViolationKind kind) {
    ++violations;
    nan_unexpected += kind == ViolationKind::nan_unexpected ? 1 : 0;
    nan_missing += kind == ViolationKind::nan_missing ? 1 : 0;
    infinity_unexpected += kind == ViolationKind::infinity_unexpected ? 1 : 0;
    infinity_missing += kind == ViolationKind::infinity_missing ? 1 : 0;
  }
};
struct JoinCounts {
  ASSAY_FUNCTION UnitCounts operator()(const UnitCounts& a, const UnitCounts& b) const {
    return {a.violations + b.violations,
            a.undetermined + b.undetermined,
            a.refined + b.refined,
            a.nan_unexpected + b.nan_unexpected,
            a.nan_missing + b.nan_missing,
            a.infinity_unexpected + b.infinity_unexpected,
            a.infinity_missing + b.infinity_missing,
            a.left_out + b.left_out};
  }
};
struct UnitRoundings {
  std::uint32_t misrounded = 0, inward = 0;
};
struct JoinRoundings {
  ASSAY_FUNCTION UnitRoundings operator()(UnitRoundings a, UnitRoundings b) const {
    return {a.misrounded + b.misrounded, a.inward + b.inward};
  }
};

/// What a unit tells, on the device. Its ratios of tiles and its worst elements stand in arrays of their own, the
/// latter written only where there are any.
struct UnitFindings {
  Peak peaks[measures];
  UnitSums sums;
  UnitCounts counts;
  UnitRoundings roundings;
  std::uint32_t worst_used = 0;
};

/// The worst elements that one thread saw, largest ratio first.
struct WorstOfThread {
  static constexpr std::uint32_t most = static_cast<std::uint32_t>(Comparison::worst_count);
  double ratio[most];
  std::uint32_t place[most];
  std::uint32_t used;

  ASSAY_FUNCTION void clear() { used = 0; }
  [[nodiscard]] ASSAY_FUNCTION Peak operator[](std::uint32_t i) const { return {ratio[i], place[i]}; }
  ASSAY_FUNCTION void remember(const Peak& item) {
    if (used == most && !before(item, most - 1)) return;
    std::uint32_t at = used < most ? used++ : most - 1;
    for (; at > 0 && before(item, at - 1); --at) {
      ratio[at] = ratio[at - 1];
      place[at] = place[at - 1];
    }
    ratio[at] = item.value;
    place[at] = item.place;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION bool before(const Peak& item, std::uint32_t i) const {
    return item.value != ratio[i] ? item.value > ratio[i] : item.place < place[i];
  }
};

/// What a thread looked at exactly.
struct ThreadFindings {
  Peak peaks[measures];
  UnitCounts counts;
  UnitSums sums;
  UnitRoundings roundings;
  WorstOfThread worst;

  ASSAY_FUNCTION void clear() {
    for (Peak& peak : peaks) peak = Peak{};
    counts = UnitCounts{};
    sums = UnitSums{};
    roundings = UnitRoundings{};
    worst.clear();
  }
};

}  // namespace assay::inline v0::detail
