#include "assay/compare/approximate_expectation.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/compare/any_expectation.hpp"
#include "compare/paths.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// References in arrays, and what is near them, as far off as it says at most.
struct Near {
  const double *value, *error;
  Index columns;
  ApproximationError off;
  Index* asked;  ///< of how many elements approximations were given

  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], error[row * columns + column]};
  }
  void expected_block(Index row, Index first, Index count, double* values, double* errors) const {
    for (Index i = 0; i < count; ++i) {
      values[i] = (*this)(row, first + i).value;
      errors[i] = (*this)(row, first + i).error;
    }
  }
  [[nodiscard]] ApproximationError approximate_block(Index row, Index first, Index count, float* values,
                                                     float* errors) const {
    for (Index i = 0; i < count; ++i) {
      const ExpectedElement element = (*this)(row, first + i);
      const auto at = static_cast<std::uint64_t>(row * columns + first + i) * 0x9e3779b97f4a7c15U;
      const double sign = (at >> 40 & 1) != 0 ? 1 : -1, share = (at >> 41 & 1) != 0 ? 0.999 : 0.1;
      const double farthest = off.absolute + off.relative * std::fabs(element.value),
                   rounding = std::fabs(element.value) * 0x1p-23;
      values[i] = static_cast<float>(element.value + sign * share * (farthest > rounding ? farthest - rounding : 0));
      errors[i] = static_cast<float>(element.error);
      if (!std::isfinite(values[i]) || !(errors[i] < 0x1p100F)) return {};
    }
    *asked += count;
    return off;
  }
};
static_assert(ApproximateExpectation<Near>);
static_assert(ApproximateExpectation<AnyExpectation>);
static_assert(BlockExpectation<Near>);

}  // namespace

TEMPLATE_TEST_CASE("outputs looked at beside approximate references are judged as beside exact ones", "[compare]",
                   bfloat16, float16) {
  unsigned seed = 2700;
  Index asked = 0;
  for (assay::testing::Hard kind : assay::testing::all_hard)
    for (const ApproximationError off : {ApproximationError{0, 0x1p-22}, ApproximationError{0x1p-20, 0x1p-23},
                                         ApproximationError{0x1p-9, 0x1p-12}, ApproximationError{0, 0}})
      for (const Index columns : {Index{20}, Index{1700}, Index{6000}}) {
        assay::testing::HardData<TestType> data(kind, 12000 / columns, columns, ++seed);
        if (seed % 2 == 0)  // as hard as that in one of 50 elements alone
          for (std::size_t i = 0; i < data.actual.size(); ++i)
            if (i % 50 != 0) data.actual[i] = encode<TestType>(data.value[i]);
        if (seed % 4 == 0) data.grow();
        if (off.absolute == 0 && off.relative == 0)
          for (double& value : data.value)
            value = std::isfinite(static_cast<float>(value)) ? static_cast<double>(static_cast<float>(value)) : value;
        const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {data.rows, columns});
        const Near expected{data.value.data(), data.error.data(), columns, off, &asked};
        Host host(1);
        Host::Stream stream;
        const auto plain =
            detail::compare_on({false, InstructionSet::baseline}, host, stream, view, expected, ChosenTolerance{});
        REQUIRE(plain);
        for (InstructionSet set : all_instruction_sets) {
          if (set > widest_instruction_set()) continue;
          const auto found = detail::compare_on({true, set}, host, stream, view, expected, ChosenTolerance{});
          REQUIRE(found);
          INFO(static_cast<int>(kind) << ", " << name_of(set) << ", " << columns << " columns, off by " << off.absolute
                                      << " + " << off.relative);
          CHECK(assay::testing::findings(found.value()) == assay::testing::findings(plain.value()));
          const ErrorStatistics &a = found.value().statistics, &b = plain.value().statistics;
          const double elements = static_cast<double>(b.elements), size = std::sqrt(b.squared_reference * elements),
                       most = off.absolute * elements + off.relative * size;
          CHECK(std::fabs(a.signed_error - b.signed_error) <= most + 1e-6 * size);
          if (std::isfinite(b.squared_reference))
            CHECK(a.squared_reference == Approx(b.squared_reference).epsilon(1e-3));
        }
      }
  if (widest_instruction_set() != InstructionSet::baseline) CHECK(asked > 300000);
}

namespace {

/// References and what is told of them, one beside the other.
struct Told {
  const double *value, *told;
  double bound;
  Index columns;
  ApproximationError off;

  ExpectedElement operator()(Index row, Index column) const { return {value[row * columns + column], bound}; }
  void expected_block(Index row, Index first, Index count, double* values, double* errors) const {
    for (Index i = 0; i < count; ++i) {
      values[i] = value[row * columns + first + i];
      errors[i] = bound;
    }
  }
  [[nodiscard]] ApproximationError approximate_block(Index row, Index first, Index count, float* values,
                                                     float* errors) const {
    for (Index i = 0; i < count; ++i) {
      values[i] = static_cast<float>(told[row * columns + first + i]);
      errors[i] = static_cast<float>(bound);
    }
    return off;
  }
};

}  // namespace

TEST_CASE("the one element in millions that is a record, or no rounding of its reference, is not passed", "[compare]") {
  constexpr Index rows = 2048, columns = 1040;
  constexpr double ulp = 0x1p-7;  // of bfloat16 from 1 to 2
  std::vector<bfloat16> actual(rows * columns);
  std::vector<double> value(actual.size()), told(actual.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double out = 1.125 + ulp * static_cast<double>(i * 7919 % 30);
    actual[i] = encode<bfloat16>(out);
    value[i] = told[i] = out + (i % 1000 == 0 ? 0.40625 : i % 2 == 0 ? 0.015625 : -0.03125) * ulp;
  }
  constexpr std::size_t odd = 1499 * columns + 1030;  // in a row that no sample shows, in its second block
  const auto put = [&](double out, double reference, double near) {
    actual[odd] = encode<bfloat16>(out);
    value[odd] = reference;
    told[odd] = near;
  };
  ApproximationError off{0, GENERATE(0x1p-23, 0.0)};  // singles near the references, and those that are them
  const auto compared = [&](bool on_vectors) {
    Host host(1);
    Host::Stream stream;
    const auto view = contiguous_view<const bfloat16, 2>(actual.data(), {rows, columns});
    const Told expected{value.data(), told.data(), 0x1p-12, columns, off};
    return detail::compare_on({on_vectors, widest_instruction_set()}, host, stream, view, expected, ChosenTolerance{})
        .value();
  };
  const MatrixPosition due{1499, 1030};
  const auto is_due = [&](const Extremum& extremum) {
    return extremum.position.row == due.row && extremum.position.column == due.column;
  };
  SECTION("an absolute error") {
    put(112, 112 + 64 * 0.296875 * ulp, 112 + 64 * 0.296875 * ulp);
    CHECK(is_due(compared(true).max_absolute_error));
  }
  SECTION("an error in units in the last place") {
    put(0.875, 0.875 + 0.2109375 * ulp, 0.875 + 0.2109375 * ulp);
    CHECK(is_due(compared(true).max_ulp_error));
  }
  SECTION("a relative error") {
    put(1, 1 + 0.390625 * ulp, 1 + 0.390625 * ulp);
    CHECK(is_due(compared(true).max_relative_error));
  }
  SECTION("beyond the bound") {
    put(1.75, 1.75 + 0.59375 * ulp, 1.75 + 0.59375 * ulp);
    const Comparison found = compared(true);
    CHECK(found.violations == 1);
    CHECK(is_due(found.max_ratio));
  }
  SECTION(
      "just below a power of two, where the approximation is not: half the gap above would do, not half that below") {
    off = {0.295 * ulp, 0};
    put(1, 1 - 0.29 * ulp, 1);
    const Comparison found = compared(true);
    CHECK(found.violations == 1);
    CHECK(found.statistics.misrounded == compared(false).statistics.misrounded);
    CHECK(assay::testing::findings(found) == assay::testing::findings(compared(false)));
    off = {0.15 * ulp, 0};  // it is farther off
    if (widest_instruction_set() != InstructionSet::baseline) CHECK(compared(true).violations == 0);
  }
  SECTION("just below a power of two, where the approximation is it: what rounds to the number below is not passed") {
    off = {0, 0x1p-12};
    put(1 - 0.5 * ulp, 1 - 0x1p-12, 1);
    CHECK(compared(true).violations == 1);
    put(1, 1 - 0x1p-12, 1);
    CHECK(compared(true).violations == 0);
    CHECK(assay::testing::findings(compared(true)) == assay::testing::findings(compared(false)));
  }
  SECTION("approximations are what is looked at: where they hide an error it is not seen") {
    put(1.75, 1.85, 1.75);
    CHECK(compared(false).violations == 1);
    if (widest_instruction_set() != InstructionSet::baseline) CHECK(compared(true).violations == 0);
  }
}

TEST_CASE("rows that are joined are approximated as one", "[compare]") {
  std::vector<double> value(24), error(24, 0.25);
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<double>(i);
  Index asked = 0;
  const Near expected{value.data(), error.data(), 4, {0, 0x1p-22}, &asked};
  const AnyExpectation any = AnyExpectation(expected).joined(3, 4);
  float near[9], near_error[9];
  const ApproximationError off = any.approximate_block(1, 2, 9, near, near_error);
  CHECK(off.absolute == 0);
  CHECK(off.relative == 0x1p-22);
  for (int i = 0; i < 9; ++i) {
    CHECK(near[i] == Approx(14 + i).epsilon(1e-6));
    CHECK(near_error[i] == 0.25F);
  }
  value[17] = std::nan("");
  CHECK(any.approximate_block(1, 2, 9, near, near_error).absolute < 0);
  CHECK(any.approximate_block(0, 2, 9, near, near_error).absolute == 0);
}
