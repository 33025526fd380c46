#pragma once

#include "assay/statistics/samples.hpp"

#include <bit>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE bool are_samples(std::span<const double> values) noexcept {
  constexpr std::uint64_t magnitude = ~(std::uint64_t{1} << 63);
  const auto largest = std::bit_cast<std::uint64_t>(largest_sample);
  for (const double value : values)
    if ((std::bit_cast<std::uint64_t>(value) & magnitude) > largest) return false;
  return true;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void expect_samples(std::span<const double> values, std::size_t fewest,
                                               const char* function) {
  expect(values.size() >= fewest, [&] {
    return std::string(function) + " was given " + std::to_string(values.size()) + " samples; it needs at least " +
           std::to_string(fewest);
  });
  expect(are_samples(values), [&] {
    std::size_t position = 0;
    while (are_samples(values.subspan(position, 1))) ++position;
    return std::string(function) + " was given " + short_text(values[position]) + " as sample " +
           std::to_string(position) + "; samples are finite and at most 1e150 in magnitude: drop failed runs before";
  });
}

}  // namespace detail

}  // namespace assay::inline v0
