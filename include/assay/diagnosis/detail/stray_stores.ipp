#pragma once

#include "assay/diagnosis/detail/stray_stores.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_stray_stores(const FailingOutput& output) {
  const std::size_t columns = output.columns();
  const auto zero_is_wrong = [&](std::size_t element) { return !output.accepted(element).contains(0); };
  const auto named = [&](const char* kind, const std::string& sentence) {
    return Diagnosis{FaultClass::memory, kind, Confidence::likely, {"0 stands in " + output.name + " " + sentence}, {}};
  };
  for (std::size_t tile = 4; tile <= 128 && output.violations >= 2; tile *= 2) {
    const std::size_t beyond = (tile - columns % tile) % tile;
    if (beyond == 0 || beyond >= columns) continue;
    bool spared = false;
    for (std::size_t i = 0; i < beyond && !spared; ++i) spared = zero_is_wrong(i);
    if (spared && zeroed(output, [&](std::size_t i) { return i >= columns && i % columns < beyond; }))
      return named("stored_beyond_rows", "in the first " + std::to_string(beyond) +
                                             " columns of every row but the first: tiles of " + std::to_string(tile) +
                                             " columns reach beyond the end of the row before");
  }
  if (output.size() < 2 || !zero_is_wrong(0)) return std::nullopt;
  for (std::size_t lanes = 8; lanes <= 64; lanes *= 2)
    if (lanes != columns && zeroed(output, [&](std::size_t i) { return i > 0 && i % lanes == 0; }))
      return named("stored_behind_lanes",
                   "behind every " + std::to_string(lanes) +
                       " elements, but not in the first element: the last lane stores more than its own");
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_initial_values(const FailingOutput& output) {
  if (!output.format.is_float() || output.violations == 0) return std::nullopt;
  const double most = output.format.max_finite();
  const std::size_t columns = output.columns();
  double number = 0;
  bool less = false, more = false;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (!output.violated[i]) continue;
    if (number == 0) number = output.actual[i];
    if (!is_finite(output.expected[i]) || !(std::fabs(output.expected[i]) < most / 2) || output.actual[i] != number)
      return std::nullopt;
    (output.expected[i] < number ? less : more) = true;
  }
  const bool identity = number == 1 && less && more && output.violations >= 4;
  if (std::fabs(number) != most && !identity) return std::nullopt;
  for (std::size_t row = 0; row < output.size() && identity; row += columns) {
    bool any = false, throughout = true;
    for (std::size_t i = row; i < row + columns; ++i) {
      any = any || output.violated[i];
      throughout = throughout && (output.violated[i] || output.accepted(i).contains(number));
    }
    if (any && !throughout) return std::nullopt;
  }
  return Diagnosis{FaultClass::missing_work,
                   "initial_values",
                   Confidence::likely,
                   {"all " + std::to_string(output.violations) + " wrong elements of " + output.name + " are " +
                    (identity     ? "1, with which a product begins"
                     : number < 0 ? "the lowest number, with which a maximum begins"
                                  : "the largest number, with which a minimum begins") +
                    ": nothing came to them"},
                   {}};
}

}  // namespace assay::inline v0::detail
