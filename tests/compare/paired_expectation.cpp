#include "assay/compare/paired_expectation.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/compare/any_expectation.hpp"
#include "compare/paths.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Puts a number as a pair; false where singles do not hold it.
bool put_pair(double number, float& value, float& rest) {
  value = static_cast<float>(number);
  rest = static_cast<float>(number - static_cast<double>(value));
  return std::isfinite(value) && (number == 0 || std::fabs(number) > 0x1p-100);
}

/// References in arrays, and pairs near them, as far off as it says at most.
struct NearPairs {
  const double *value, *error;
  Index columns;
  ApproximationError off;
  Index* asked;  ///< of how many elements pairs were given

  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], error[row * columns + column]};
  }
  void expected_block(Index row, Index first, Index count, double* values, double* errors) const {
    for (Index i = 0; i < count; ++i) {
      values[i] = (*this)(row, first + i).value;
      errors[i] = (*this)(row, first + i).error;
    }
  }
  [[nodiscard]] ApproximationError paired_block(Index row, Index first, Index count, float* values, float* rests,
                                                float* errors) const {
    for (Index i = 0; i < count; ++i) {
      const ExpectedElement element = (*this)(row, first + i);
      const auto at = static_cast<std::uint64_t>(row * columns + first + i) * 0x9e3779b97f4a7c15U;
      const double sign = (at >> 40 & 1) != 0 ? 1 : -1, share = (at >> 41 & 1) != 0 ? 0.999 : 0.1;
      const double farthest = off.absolute + off.relative * std::fabs(element.value),
                   rounding = std::fabs(element.value) * 0x1p-47;
      errors[i] = static_cast<float>(element.error * (1 + sign * 9e-6));
      if (!put_pair(element.value + sign * share * (farthest > rounding ? farthest - rounding : 0), values[i],
                    rests[i]) ||
          !(errors[i] < 0x1p100F))
        return {};
    }
    *asked += count;
    return off;
  }
};
static_assert(PairedExpectation<NearPairs>);
static_assert(PairedExpectation<AnyExpectation>);
static_assert(!ApproximateExpectation<NearPairs>);

}  // namespace

TEST_CASE("singles looked at beside pairs are judged as beside exact references", "[compare]") {
  unsigned seed = 2900;
  Index asked = 0;
  for (assay::testing::Hard kind : assay::testing::all_hard)
    for (const ApproximationError off : {ApproximationError{0, 0x1p-45}, ApproximationError{0, 0x1p-34},
                                         ApproximationError{0x1p-36, 0x1p-35}, ApproximationError{0x1p-20, 0x1p-23}})
      for (const Index columns : {Index{20}, Index{1700}, Index{6000}}) {
        assay::testing::HardData<float32> data(kind, 12000 / columns, columns, ++seed);
        if (seed % 2 == 0)  // as hard as that in one of 50 elements alone
          for (std::size_t i = 0; i < data.actual.size(); ++i)
            if (i % 50 != 0) data.actual[i] = encode<float32>(data.value[i] * (1 + (i % 3 == 0 ? 0x1p-25 : 0)));
        if (seed % 4 == 0) data.grow();
        const auto view = contiguous_view<const float32, 2>(data.actual.data(), {data.rows, columns});
        const NearPairs expected{data.value.data(), data.error.data(), columns, off, &asked};
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
          CHECK(a.expected_misrounded == Approx(b.expected_misrounded).epsilon(1e-3).margin(1e-6));
          if (off.relative < 0x1p-30 && std::isfinite(b.squared_error))
            CHECK(a.squared_error == Approx(b.squared_error).epsilon(2e-2).margin(1e-18 * b.squared_reference));
        }
      }
  if (widest_instruction_set() == InstructionSet::avx512) CHECK(asked > 300000);
  if (widest_instruction_set() == InstructionSet::avx2) CHECK(asked > 200000);
}

TEST_CASE("squares of errors that singles do not hold are summed in double, and zeros beside pairs are zeros",
          "[compare]") {
  constexpr Index rows = 32, columns = 2048;
  std::vector<float32> actual(rows * columns);
  std::vector<double> value(actual.size()), error(actual.size());
  const bool zeros = GENERATE(false, true);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    value[i] = zeros && i % 7 == 0 ? 0 : std::ldexp(std::sqrt(1.3 + static_cast<double>(i) * 0x1p-18), zeros ? 0 : -55);
    error[i] = value[i] * 0x1p-22;
    actual[i] = static_cast<float>(value[i] * (1 + 0x1p-35 * static_cast<double>(i * 7919 % 4093)));
  }
  Index asked = 0;
  const NearPairs expected{value.data(), error.data(), columns, {0, 0x1p-40}, &asked};
  const auto view = contiguous_view<const float32, 2>(actual.data(), {rows, columns});
  Host host(1);
  Host::Stream stream;
  const auto compared = [&](bool on_vectors) {
    return detail::compare_on({on_vectors, widest_instruction_set()}, host, stream, view, expected, ChosenTolerance{})
        .value();
  };
  const Comparison found = compared(true), plain = compared(false);
  CHECK(assay::testing::findings(found) == assay::testing::findings(plain));
  CHECK(found.statistics.squared_error == Approx(plain.statistics.squared_error).epsilon(1e-4));
  CHECK(plain.statistics.squared_error > 0);
  CHECK(found.statistics.expected_misrounded == Approx(plain.statistics.expected_misrounded).epsilon(1e-4));
  if (widest_instruction_set() != InstructionSet::baseline) CHECK(asked > 0);
}

namespace {

/// References and what is told of them, one beside the other.
struct ToldPairs {
  const double *value, *told;
  double bound;
  Index odd;
  double odd_bound, share_told;  ///< of every bound
  Index columns;
  ApproximationError off;

  [[nodiscard]] double error(Index element) const { return element == odd ? odd_bound : bound; }
  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], error(row * columns + column)};
  }
  void expected_block(Index row, Index first, Index count, double* values, double* errors) const {
    for (Index i = 0; i < count; ++i) {
      values[i] = value[row * columns + first + i];
      errors[i] = error(row * columns + first + i);
    }
  }
  [[nodiscard]] ApproximationError paired_block(Index row, Index first, Index count, float* values, float* rests,
                                                float* errors) const {
    for (Index i = 0; i < count; ++i) {
      put_pair(told[row * columns + first + i], values[i], rests[i]);
      errors[i] = static_cast<float>(error(row * columns + first + i) * share_told);
    }
    return off;
  }
};

}  // namespace

TEST_CASE("the one single in millions that is a record, wrong, or nearly between two is not passed", "[compare]") {
  constexpr Index rows = 2048, columns = 1040;
  constexpr double ulp = 0x1p-23;  // of float32 from 1 to 2
  std::vector<float32> actual(rows * columns);
  std::vector<double> value(actual.size()), told(actual.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {  // most are the references, rounded, others a place off
    const double out = 1.125 + ulp * static_cast<double>(i * 7919 % 300000);
    actual[i] = encode<float32>(out);
    value[i] = told[i] = out + (i % 1000 == 0 ? 1.40625
                                : i % 2 == 0  ? 0.015625
                                : i % 3 == 0  ? 0.5625 + 0x1p-10 * static_cast<double>(i * 7919 % 191)
                                              : -0.03125) *
                                   ulp;
  }
  constexpr std::size_t odd = 1499 * columns + 1030;  // in a row that no sample shows, in its second block
  double bound = 2 * ulp, odd_bound = bound, share_told = 1;
  const auto put = [&](double out, double reference, double near) {
    actual[odd] = encode<float32>(out);
    value[odd] = reference;
    told[odd] = near;
  };
  ApproximationError off{0, 0x1p-36};
  const auto compared = [&](bool on_vectors) {
    Host host(1);
    Host::Stream stream;
    const auto view = contiguous_view<const float32, 2>(actual.data(), {rows, columns});
    const ToldPairs expected{value.data(), told.data(), bound, odd, odd_bound, share_told, columns, off};
    return detail::compare_on({on_vectors, widest_instruction_set()}, host, stream, view, expected, ChosenTolerance{})
        .value();
  };
  const MatrixPosition due{1499, 1030};
  const auto is_due = [&](const Extremum& extremum) {
    return extremum.position.row == due.row && extremum.position.column == due.column;
  };
  const auto is_as_exact = [&] {
    const Comparison found = compared(true), plain = compared(false);
    CHECK(assay::testing::findings(found) == assay::testing::findings(plain));
    return found;
  };
  SECTION("an absolute error") {
    put(112, 112 + 64 * 0.296875 * ulp, 112 + 64 * 0.296875 * ulp);
    CHECK(is_due(is_as_exact().max_absolute_error));
  }
  SECTION("an error in units in the last place") {
    odd_bound = 8 * ulp;  // so that its share of that is none
    put(0.875, 0.875 + 0.71875 * ulp, 0.875 + 0.71875 * ulp);
    CHECK(is_due(is_as_exact().max_ulp_error));
  }
  SECTION("a relative error") {
    odd_bound = 8 * ulp;
    put(1 + 4 * ulp, 1 + 5.390625 * ulp, 1 + 5.390625 * ulp);
    CHECK(is_due(is_as_exact().max_relative_error));
  }
  SECTION("records that what pairs are off by may hide") {
    off.relative = 0x1p-28;
    odd_bound = 8 * ulp;
    put(1.75, 1.75 + 1.42 * ulp, 1.75 + 1.39 * ulp);
    CHECK(is_due(is_as_exact().max_ulp_error));
    odd_bound = bound;
    put(1.75, 1.75 + 2.51 * ulp, 1.75 + 2.48 * ulp);
    CHECK(is_as_exact().violations == 1);
  }
  SECTION("a share of the bound") {
    put(1.75, 1.75 + 1.421875 * ulp, 1.75 + 1.421875 * ulp);
    const Comparison found = is_as_exact();
    CHECK(is_due(found.max_ratio));
    CHECK(found.violations == 0);
  }
  SECTION("beyond the bound") {
    put(1.75, 1.75 + 2.59375 * ulp, 1.75 + 2.59375 * ulp);
    const Comparison found = is_as_exact();
    CHECK(found.violations == 1);
    CHECK(is_due(found.max_ratio));
  }
  SECTION("beyond the bound by less than bounds are told to be more, where everything else fails by more") {
    for (std::size_t i = 0; i < actual.size(); i += 100) value[i] = told[i] = decode(actual[i]) + 4.5 * ulp;
    const std::uint64_t before = compared(false).violations;
    share_told = 1 + 9e-6;
    bound = odd_bound = 2.25 * ulp;
    std::uint64_t more = 0;
    for (std::size_t i = 791; i < actual.size(); i += 1600, ++more)
      value[i] = told[i] = decode(actual[i]) + (0.5 + 2.25 * (1 + 4e-6)) * ulp;
    CHECK(is_as_exact().violations == before + more);
  }
  SECTION("the reference's negative") {
    put(-1.75, 1.75, 1.75);
    CHECK(is_as_exact().violations == 1);
  }
  SECTION("nearly between two numbers, on the other side than it is told") {
    const std::uint64_t before = compared(false).statistics.misrounded;
    put(1.75, 1.75 + (0.5 + 0x1p-16) * ulp, 1.75 + (0.5 - 0x1p-16) * ulp);
    CHECK(is_as_exact().statistics.misrounded >= before);
    put(1.75, 1.75 + (0.5 - 0x1p-16) * ulp, 1.75 + (0.5 + 0x1p-16) * ulp);
    CHECK(is_as_exact().statistics.misrounded <= before + 1);
  }
  SECTION("nearly between two numbers below a power of two, which lie half as near") {
    put(1, 1 - (0.25 + 0x1p-16) * ulp, 1 - (0.25 - 0x1p-16) * ulp);
    is_as_exact();
    put(1, 1 - (0.25 - 0x1p-16) * ulp, 1 - (0.25 + 0x1p-16) * ulp);
    is_as_exact();
  }
  SECTION("just below a power of two half a gap is half as wide") {
    bound = odd_bound = 0.75 * ulp;
    put(1, 1 - 1.1 * ulp, 1 - 1.1 * ulp);
    is_as_exact();
  }
  SECTION("pairs are what is looked at: where they hide an error it is not seen") {
    put(1.75, 1.85, 1.75);
    CHECK(compared(false).violations == 1);
    if (widest_instruction_set() != InstructionSet::baseline) CHECK(compared(true).violations == 0);
  }
}

TEST_CASE("pairs of rows that are joined are told as one's", "[compare]") {
  std::vector<double> value(24), error(24, 0.25);
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<double>(i) + 1.0 / 3;
  Index asked = 0;
  const NearPairs expected{value.data(), error.data(), 4, {0, 0x1p-40}, &asked};
  const AnyExpectation any = AnyExpectation(expected).joined(3, 4);
  float near[9], near_rest[9], near_error[9];
  const ApproximationError off = any.paired_block(1, 2, 9, near, near_rest, near_error);
  CHECK(off.absolute == 0);
  CHECK(off.relative == 0x1p-40);
  for (int i = 0; i < 9; ++i) {
    CHECK(static_cast<double>(near[i]) + static_cast<double>(near_rest[i]) ==
          Approx(14 + i + 1.0 / 3).epsilon(0x1p-39));
    CHECK(near_error[i] == Approx(0.25F).epsilon(1e-5));
  }
  value[17] = std::nan("");
  CHECK(any.paired_block(1, 2, 9, near, near_rest, near_error).absolute < 0);
  CHECK(any.paired_block(0, 2, 9, near, near_rest, near_error).absolute == 0);
  struct Without {
    ExpectedElement operator()(Index, Index) const { return {1, 0}; }
  };
  const Without without;
  CHECK(AnyExpectation(without).paired_block(0, 0, 4, near, near_rest, near_error).absolute < 0);
}
