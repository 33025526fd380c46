#include "assay/compare/refinable_expectation.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/any_expectation.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/tolerance/chosen.hpp"
#include "compare/paths.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Plain {
  const double* value;
  const double* error;
  Index columns;
  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], error[row * columns + column]};
  }
};

struct Refinable {
  const double* value;
  const double* cheap;
  const double* exact;
  Index columns;
  double doubt;
  ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], cheap[row * columns + column]};
  }
  ExpectedElement refine(Index row, Index column) const {
    return {value[row * columns + column], exact[row * columns + column]};
  }
  double doubt_ratio() const { return doubt; }
};

static_assert(RefinableExpectation<Refinable>);
static_assert(!RefinableExpectation<Plain>);

/// Outputs of r = 1 that lie off by so much, under a cheap and an exact E.
struct Case {
  std::vector<double> off, cheap, exact;
  double doubt = 0.25;

  Comparison compared(Index columns, unsigned threads = 1) const {
    const std::vector<double> value(off.size(), 1.0);
    std::vector<double> actual;
    for (double error : off) actual.push_back(1 + error);
    Host host(threads);
    Host::Stream stream;
    const Index rows = static_cast<Index>(off.size()) / columns;
    auto found = compare(host, stream, contiguous_view<const double, 2>(actual.data(), {rows, columns}),
                         Refinable{value.data(), cheap.data(), exact.data(), columns, doubt}, ChosenTolerance{});
    REQUIRE(found);
    return std::move(found).value();
  }
};

}  // namespace

TEST_CASE("an accepted element in doubt is decided by its exact E", "[compare]") {
  SECTION("a violation that the cheap E would hide") {
    const Comparison found = Case{{0x1p-10}, {0x1p-9}, {0x1p-12}}.compared(1);
    CHECK(found.refined == 1);
    CHECK(found.violations == 1);
    CHECK(found.max_ratio.value > 3.9);
  }
  SECTION("a correct element") {
    const Comparison found = Case{{0x1p-10}, {0x1p-9}, {0x1.8p-10}}.compared(1);
    CHECK(found.refined == 1);
    CHECK(found.violations == 0);
    CHECK(found.max_ratio.value > 0.6);
    CHECK(found.max_ratio.value < 0.7);
  }
  SECTION("below the ratio of doubt nothing is refined") {
    const Comparison found = Case{{0x1p-12}, {0x1p-9}, {0x1p-13}}.compared(1);
    CHECK(found.refined == 0);
    CHECK(found.violations == 0);
  }
  SECTION("what the larger E refutes is not refined") {
    const Comparison found = Case{{0x1p-8}, {0x1p-9}, {0x1p-7}}.compared(1);
    CHECK(found.refined == 0);
    CHECK(found.violations == 1);
  }
}

TEST_CASE(
    "an infinity that the cheap E accepts beside finite numbers is decided by the exact E, and one that is the only "
    "right answer is not in "
    "doubt") {
  struct Row {
    double value, cheap, exact;
    std::uint64_t refined, violations;
  };
  for (const Row& row : {Row{60000, 70000, 1, 1, 1}, Row{60000, 70000, 10000, 1, 0}, Row{1e6, 1000, 1, 0, 0}}) {
    INFO(row.value << " +- " << row.exact);
    const std::vector<double> values(64, row.value), loose(64, row.cheap), exact(64, row.exact);
    std::vector<float16> outputs(64, encode<float16>(row.value, Rounding::nearest_even, Overflow::ieee));
    outputs[5] = encode<float16>(infinity, Rounding::nearest_even, Overflow::ieee);
    const Refinable expected{values.data(), loose.data(), exact.data(), 64, 0x1p-4};
    const auto check = [&](const Result<Comparison>& found) {
      REQUIRE(found);
      CHECK(found.value().refined == row.refined);
      CHECK(found.value().violations == row.violations);
    };
    Host host(1);
    Host::Stream stream;
    check(
        compare(host, stream, contiguous_view<const float16, 2>(outputs.data(), {1, 64}), expected, ChosenTolerance{}));
    check(detail::compare_elements(host, stream, contiguous_operand(outputs.data(), {1, 64}), AnyExpectation(expected),
                                   ChosenTolerance{}));
  }
}

TEST_CASE("an undetermined element is refined, and may stay undetermined", "[compare]") {
  const Comparison found =
      Case{{0x1p-10, 0x1p-10, 0x1p-10}, {infinity, infinity, infinity}, {0x1p-9, 0x1p-12, infinity}}.compared(3);
  CHECK(found.refined == 3);
  CHECK(found.violations == 1);
  CHECK(found.undetermined == 1);
  CHECK(found.in_doubt == 0);
}

TEST_CASE("refinements are limited for each chunk; the rest is accepted and counted", "[compare]") {
  Case all;
  for (std::size_t i = 0; i < most_refinements_per_chunk + 44; ++i) {
    all.off.push_back(0x1p-10);
    all.cheap.push_back(i % 2 == 0 ? 0x1p-9 : infinity);
    all.exact.push_back(0x1p-12);
  }
  const Comparison found = all.compared(static_cast<Index>(all.off.size()));
  CHECK(found.refined == most_refinements_per_chunk);
  CHECK(found.violations == most_refinements_per_chunk);
  CHECK(found.in_doubt == 44);
  CHECK(found.undetermined == 22);
}

TEST_CASE("which elements are refined does not depend on the threads", "[compare]") {
  Case many;
  for (std::size_t i = 0; i < 3000 * 40; ++i) {
    many.off.push_back(i % 3 == 0 ? 0x1p-10 : 0);
    many.cheap.push_back(0x1p-9);
    many.exact.push_back(i % 7 == 0 ? 0x1p-12 : 0x1p-9);
  }
  const Comparison one = many.compared(40), four = many.compared(40, 4);
  CHECK(one.refined > 0);
  CHECK(one.violations > 0);
  CHECK(one.refined == four.refined);
  CHECK(one.in_doubt == four.in_doubt);
  CHECK(one.violations == four.violations);
  CHECK(one.worst.at(7).position.row == four.worst.at(7).position.row);
}

namespace {

/// A refinable expectation that hands out rows: vectors meet its doubts.
struct RefinableRows : Refinable {
  [[nodiscard]] ExpectedRow<double> expected_row(Index row) const {
    return {value + row * columns, cheap + row * columns, 0};
  }
};
static_assert(RefinableExpectation<RefinableRows> && RowExpectation<RefinableRows>);

}  // namespace

TEMPLATE_TEST_CASE("on vectors elements in doubt are those of the element-wise path", "[compare]", float32, bfloat16,
                   float16, double) {
  unsigned seed = 1200;
  for (assay::testing::Hard kind : assay::testing::all_hard)
    for (double doubt : {0.9, 0.5, 0.03}) {
      const Index rows = doubt > 0.8 ? 1100 : 40, columns = doubt > 0.8 ? 33 : 333;  // many rows are sampled first
      const assay::testing::HardData<TestType> data(kind, rows, columns, ++seed);
      std::vector<double> exact = data.error;
      for (std::size_t i = 0; i < exact.size(); ++i)
        exact[i] = std::isfinite(exact[i]) ? exact[i] * (i % 5 == 0 ? doubt : 1) : i % 2 == 0 ? 1 : exact[i];
      const RefinableRows expected{{data.value.data(), data.error.data(), exact.data(), columns, doubt}};
      assay::testing::check_paths(contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns}), expected,
                                  ChosenTolerance{}, 2);
    }
}
