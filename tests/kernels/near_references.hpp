#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/compare/paired_expectation.hpp"
#include "compare/paths.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// What `approximate_block` or `paired_block` said of a matrix.
struct NearReferences {
  Index told = 0, refused = 0;  ///< blocks
  Index unknown = 0;            ///< elements of those that are told
  double worst = 0;             ///< of how far off a value is, as a share of what that is told to be at most
};

namespace near_detail {

/// Holds what `tell(row, first, count, value, rest, error)` tells of rows, blocks of several beginnings and lengths, to
/// what it claims; pairs, also to be the nearest single and what it lacks.
template <bool in_pairs, BlockExpectation Expected, class Tell>
NearReferences hold(const Expected& expected, Index rows, Index columns, const Tell& tell) {
  NearReferences found;
  std::vector<double> value(1024), error(1024);
  for (Index row = 0; row < rows; ++row)
    for (const Index first : std::initializer_list<Index>{0, 1, 490, columns - 17, columns - 3}) {
      if (first < 0 || first >= columns) continue;
      const Index count = std::min<Index>(columns - first, first == 1 ? 5 : 1024);
      std::vector<float> near(1026, -7), near_rest(1026, -7), near_error(1026, -7);
      const ApproximationError off =
          tell(row, first, count, near.data() + 1, near_rest.data() + 1, near_error.data() + 1);
      if (off.absolute < 0) {
        ++found.refused;
        continue;
      }
      ++found.told;
      expected.expected_block(row, first, count, value.data(), error.data());
      bool within = true, same_bounds = true, nearest = true;
      for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float v = near[at + 1], w = in_pairs ? near_rest[at + 1] : 0;
        const double both = static_cast<double>(v) + static_cast<double>(w), size = std::fabs(static_cast<double>(v)),
                     most = off.absolute + off.relative * size, distance = std::fabs(both - value[at]);
        if (std::isnan(v)) {
          ++found.unknown;
          continue;
        }
        const bool holds_zeros = in_pairs || (off.absolute == 0 && off.relative == 0);
        if (size < (in_pairs ? 0x1p-90 : 0x1p-57) && !(size == 0 && holds_zeros))
          continue;  // of these nothing is claimed
        within = within && distance <= most + (in_pairs ? 0x1p-51 * size : 0);
        if (most > 0) found.worst = std::max(found.worst, distance / most);
        nearest = nearest && (v + w == v || distance + 0x1p-48 * size <= off.absolute);
        same_bounds = same_bounds &&
                      std::fabs(near_error[at + 1] - error[at]) <= 1e-5 * error[at] + (in_pairs ? 0x1p-134 : 0x1p-126);
      }
      CHECK(within);
      CHECK(nearest);
      CHECK(same_bounds);
      const auto behind = static_cast<std::size_t>(count) + 1;
      bool untouched = true;
      for (const auto* array : {&near, &near_rest, &near_error})
        untouched = untouched && (*array)[0] == -7 && (*array)[behind] == -7;
      CHECK(untouched);
    }
  return found;
}

}  // namespace near_detail

/// Of single approximations.
template <ApproximateExpectation Expected>
NearReferences near_references(const Expected& expected, Index rows, Index columns) {
  return near_detail::hold<false>(expected, rows, columns,
                                  [&](Index row, Index first, Index count, float* value, float*, float* error) {
                                    return expected.approximate_block(row, first, count, value, error);
                                  });
}
/// Of pairs.
template <PairedExpectation Expected>
NearReferences paired_references(const Expected& expected, Index rows, Index columns) {
  return near_detail::hold<true>(expected, rows, columns,
                                 [&](Index row, Index first, Index count, float* value, float* rest, float* error) {
                                   return expected.paired_block(row, first, count, value, rest, error);
                                 });
}

/// An expectation without its approximations and pairs.
template <BlockExpectation Expected>
struct WithoutApproximations {
  const Expected& expected;
  ExpectedElement operator()(Index row, Index column) const { return expected(row, column); }
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    expected.expected_block(row, first, count, value, error);
  }
};

/// How many misroundings are expected of that output, which is as many beside approximations as without them.
template <class T, BlockExpectation Expected>
double expected_misroundings(const Expected& expected, const std::vector<T>& output, Index rows, Index columns) {
  Host host(1);
  Host::Stream stream;
  const auto view = contiguous_view<const T, 2>(output.data(), {rows, columns});
  const auto compared = [&](const auto& with) {
    return detail::compare_on({true, instruction_set()}, host, stream, view, with, ChosenTolerance{})
        .value()
        .statistics.expected_misrounded;
  };
  const double due = compared(WithoutApproximations<Expected>{expected});
  CHECK(compared(expected) == Approx(due).epsilon(1e-4));
  return due;
}

/// Judges outputs of a plain kernel, and the same with a few faults, beside pairs and without them: what is found is
/// the same to the bit.
template <PairedExpectation Expected>
void judge_beside_pairs(const Expected& expected, std::vector<float> output, Index rows, Index columns) {
  Host host(1);
  Host::Stream stream;
  for (const bool faulty : {false, true}) {
    if (faulty)
      for (std::size_t i = 500; i < output.size(); i += 997)
        output[i] = i % 5 == 0   ? std::nanf("")
                    : i % 3 == 0 ? 0
                                 : output[i] * (1 + 0x1p-19F * static_cast<float>(i % 7));
    const auto view = contiguous_view<const float, 2>(output.data(), {rows, columns});
    const auto compared = [&](const auto& with) {
      return detail::compare_on({true, instruction_set()}, host, stream, view, with, ChosenTolerance{}).value();
    };
    const Comparison paired = compared(expected), plain = compared(WithoutApproximations<Expected>{expected});
    CHECK(findings(paired) == findings(plain));
    CHECK((plain.violations > 0) == faulty);
    CHECK(paired.statistics.squared_error == Approx(plain.statistics.squared_error).epsilon(1e-4));
    CHECK(paired.statistics.expected_misrounded == Approx(plain.statistics.expected_misrounded).epsilon(1e-4));
    if (!faulty) CHECK(plain.statistics.misrounded > plain.statistics.elements / 100);
  }
}

}  // namespace assay::testing
