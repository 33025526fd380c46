#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/compare/paired_expectation.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// What `approximate_block` said of a matrix.
struct NearReferences {
  Index told = 0, refused = 0;  ///< blocks
  Index unknown = 0;            ///< elements of those that are told
  double worst = 0;             ///< of how far off a value is, as a share of what that is told to be at most
};

/// Holds the approximations of rows, blocks of several beginnings and lengths, to what they claim.
template <ApproximateExpectation Expected>
NearReferences near_references(const Expected& expected, Index rows, Index columns) {
  NearReferences found;
  std::vector<double> value(1024), error(1024);
  for (Index row = 0; row < rows; ++row)
    for (const Index first : std::initializer_list<Index>{0, 1, 490, columns - 17, columns - 3}) {
      if (first < 0 || first >= columns) continue;
      const Index count = std::min<Index>(columns - first, first == 1 ? 5 : 1024);
      std::vector<float> near(1026, -7), near_error(1026, -7);
      const ApproximationError off = expected.approximate_block(row, first, count, near.data() + 1, near_error.data() + 1);
      if (off.absolute < 0) {
        ++found.refused;
        continue;
      }
      ++found.told;
      expected.expected_block(row, first, count, value.data(), error.data());
      bool within = true, same_bounds = true;
      for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double v = near[at + 1], most = off.absolute + off.relative * std::fabs(v), distance = std::fabs(v - value[at]);
        if (std::isnan(v)) {
          ++found.unknown;
          continue;
        }
        within = within && distance <= most;
        if (most > 0) found.worst = std::max(found.worst, distance / most);
        same_bounds = same_bounds && std::fabs(near_error[at + 1] - error[at]) <= 1e-5 * error[at] + 0x1p-126;
      }
      CHECK(within);
      CHECK(same_bounds);
      const auto behind = static_cast<std::size_t>(count) + 1;
      const bool untouched = near[0] == -7 && near_error[0] == -7 && near[behind] == -7 && near_error[behind] == -7;
      CHECK(untouched);
    }
  return found;
}

/// The same of pairs, which are also to be the nearest single and what it lacks.
template <PairedExpectation Expected>
NearReferences paired_references(const Expected& expected, Index rows, Index columns) {
  NearReferences found;
  std::vector<double> value(1024), error(1024);
  for (Index row = 0; row < rows; ++row)
    for (const Index first : std::initializer_list<Index>{0, 1, 490, columns - 17, columns - 3}) {
      if (first < 0 || first >= columns) continue;
      const Index count = std::min<Index>(columns - first, first == 1 ? 5 : 1024);
      std::vector<float> near(1026, -7), near_rest(1026, -7), near_error(1026, -7);
      const ApproximationError off = expected.paired_block(row, first, count, near.data() + 1, near_rest.data() + 1, near_error.data() + 1);
      if (off.absolute < 0) {
        ++found.refused;
        continue;
      }
      ++found.told;
      expected.expected_block(row, first, count, value.data(), error.data());
      bool within = true, same_bounds = true, nearest = true;
      for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float v = near[at + 1], w = near_rest[at + 1];
        const double both = static_cast<double>(v) + static_cast<double>(w), size = std::fabs(static_cast<double>(v)),
                     most = off.absolute + off.relative * size, distance = std::fabs(both - value[at]);
        if (std::isnan(v)) {
          ++found.unknown;
          continue;
        }
        if (size > 0 && size < 0x1p-90) continue;
        within = within && distance <= most + 0x1p-51 * size;
        if (most > 0) found.worst = std::max(found.worst, distance / most);
        nearest = nearest && (v + w == v || distance + 0x1p-48 * size <= off.absolute);
        same_bounds = same_bounds && std::fabs(near_error[at + 1] - error[at]) <= 1e-5 * error[at] + 0x1p-126;
      }
      CHECK(within);
      CHECK(nearest);
      CHECK(same_bounds);
      const auto behind = static_cast<std::size_t>(count) + 1;
      bool untouched = true;
      for (const auto* array : {&near, &near_rest, &near_error}) untouched = untouched && (*array)[0] == -7 && (*array)[behind] == -7;
      CHECK(untouched);
    }
  return found;
}

}  // namespace assay::testing
