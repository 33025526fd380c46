#pragma once

#include "assay/diagnosis/detail/evidence.hpp"

#include <array>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE FailureSizes failure_sizes(const FailingOutput& output) {
  FailureSizes sizes;
  sizes.elements = output.size();
  std::vector<double> relative;
  double squared_error = 0, squared = 0;
  const ElementFormat& format = output.format;
  const double least = format.is_float() ? std::ldexp(1.0, format.layout.min_exponent()) : 0,
               most = format.max_finite();
  const std::size_t step = output.size() / 4000000 + 1;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double actual = output.actual[i], expected = output.expected[i];
    const bool numbers = is_finite(actual) && is_finite(expected);
    if (numbers && i % step == 0)
      squared_error += (actual - expected) * (actual - expected), squared += expected * expected;
    if (!output.violated[i]) continue;
    ++sizes.violations;
    if (!numbers || actual == 0 || std::fabs(expected) > most) {
      const double right = output.right(i);
      sizes.nan_unexpected += is_nan(actual) && !is_nan(right) ? 1 : 0;
      sizes.nan_missing += !is_nan(actual) && is_nan(right) ? 1 : 0;
      sizes.infinity_unexpected += is_infinite(actual) && !is_nan(right) ? 1 : 0;
      sizes.infinity_missing += !is_nan(actual) && is_infinite(right) && !is_infinite(actual) ? 1 : 0;
      sizes.zeros += actual == 0 && right != 0 ? 1 : 0;
    }
    if (!numbers) continue;
    ++sizes.finite;
    sizes.inward += std::fabs(actual) < std::fabs(expected) ? 1 : 0;
    sizes.subnormal_expected +=
        (std::fabs(expected) < least && expected != 0) || (std::fabs(actual) < least && actual != 0) ? 1 : 0;
    sizes.near_overflow = sizes.near_overflow || std::fabs(expected) > most / 100;
    const double ratio = expected != 0 ? std::fabs(actual - expected) / std::fabs(expected) : 1;
    sizes.largest_relative = std::max(sizes.largest_relative, ratio);
    if (relative.size() < 100000) relative.push_back(ratio);
  }
  if (!relative.empty()) sizes.median_relative = upper_median(relative);
  sizes.rms_over_scale = squared > 0 ? std::sqrt(squared_error / squared) : 0;
  return sizes;
}

ASSAY_DETAIL_HEADER_INLINE FailurePlaces failure_places(const FailingOutput& output) {
  FailurePlaces places;
  const std::size_t rank = output.extents.size();
  std::vector<std::vector<std::uint8_t>> hit(rank);
  for (std::size_t d = 0; d < rank; ++d) hit[d].resize(static_cast<std::size_t>(output.extents[d]));
  const std::size_t columns = output.columns(), rows = output.rows();
  std::array<std::size_t, 64> lanes{};
  for (std::size_t row = 0; row < rows; ++row) {
    bool any = false;
    for (std::size_t column = 0; column < columns; ++column) {
      if (!output.violated[row * columns + column]) continue;
      any = true;
      ++lanes[column % 64];
      if (rank > 0) hit[rank - 1][column] = 1;
    }
    if (!any) continue;
    std::size_t rest = row;
    for (std::size_t d = rank - 1; rank > 1 && d-- > 0;) {
      hit[d][rest % static_cast<std::size_t>(output.extents[d])] = 1;
      rest /= static_cast<std::size_t>(output.extents[d]);
    }
  }
  double box = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    Index first = -1, last = -1, count = 0;
    for (std::size_t i = 0; i < hit[d].size(); ++i)
      if (hit[d][i]) first = first < 0 ? static_cast<Index>(i) : first, last = static_cast<Index>(i), ++count;
    places.ranges.emplace_back(first, last);
    places.filled.push_back(last >= first ? static_cast<double>(count) / static_cast<double>(last - first + 1) : 0);
    box *= static_cast<double>(last - first + 1);
    const Index extent = output.extents[d];
    if (extent < 2 || first < 0 || (first == 0 && last == extent - 1)) continue;
    const std::string axis = d + 1 == rank ? "column" : d + 2 == rank ? "row" : "dimension " + std::to_string(d);
    const std::string plural = d + 2 >= rank ? "s" : "";
    std::string sentence = first == last ? "all violations are in " + axis + " " + std::to_string(first)
                                         : "all violations are in " + axis + plural + " " + std::to_string(first) +
                                               " to " + std::to_string(last);
    sentence += " of " + std::to_string(extent);
    if (first > 0 && last == extent - 1) {
      for (const Index tile : {128, 64, 32, 16, 8, 4})
        if (first % tile == 0 && extent - first <= tile) {
          sentence += extent % tile != 0 ? ": those beyond the last multiple of " + std::to_string(tile)
                                         : ": the last " + std::to_string(tile);
          break;
        }
    } else if (last - first + 1 > 1 && ((last - first + 1) & (last - first)) == 0 && first % (last - first + 1) == 0) {
      sentence += ": one tile of " + std::to_string(last - first + 1);
    }
    places.sentences.push_back(sentence);
  }
  places.density = box > 0 ? static_cast<double>(output.violations) / box : 0;
  if (columns >= 8 && output.violations >= 4)
    for (std::size_t period = 4; period <= 64; period *= 2) {
      std::vector<std::size_t> count(period);
      for (std::size_t lane = 0; lane < 64; ++lane) count[lane % period] += lanes[lane];
      const auto most = std::max_element(count.begin(), count.end());
      if (columns < 2 * period || *most != output.violations || places.lane_period != 0) continue;
      if (rank > 0 && places.ranges[rank - 1].first == places.ranges[rank - 1].second) break;
      places.lane_period = static_cast<Index>(period);
      places.lane = most - count.begin();
      places.sentences.push_back("all violations are in columns that are " + std::to_string(places.lane) + " modulo " +
                                 std::to_string(period) + ": one lane");
    }
  return places;
}

ASSAY_DETAIL_HEADER_INLINE HeatMap violation_map(const FailingOutput& output) {
  HeatMap map;
  map.title = "violations of " + output.name;
  const std::size_t rows = output.rows(), columns = output.columns();
  if (rows == 0 || columns == 0) return map;
  const auto cell = [](std::size_t extent, std::size_t most) { return (extent + most - 1) / most; };
  const std::size_t height = cell(rows, 32), width = cell(columns, 64);
  map.rows_per_cell = static_cast<std::int64_t>(height);
  map.columns_per_cell = static_cast<std::int64_t>(width);
  map.rows = cell(rows, height);
  map.columns = cell(columns, width);
  map.values.resize(map.rows * map.columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      if (output.violated[row * columns + column])
        map.values[row / height * map.columns + column / width] += 1 / static_cast<double>(height * width);
  return map;
}

}  // namespace assay::inline v0::detail
