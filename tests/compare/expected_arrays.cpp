#include "assay/compare/expected_arrays.hpp"

#include "assay/compare/expected_values.hpp"
#include "compare/paths.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("arrays of references and bounds give their elements, row by row", "[compare]") {
  const double value[] = {1, 2, 3, 4, 5, 6}, error[] = {.1, .2, .3, .4, .5, .6};
  const ExpectedArrays arrays{value, error, 3};
  CHECK(arrays(1, 2).value == 6);
  CHECK(arrays(1, 2).error == .6);
  CHECK(arrays.expected_row(1)[0].value == 4);
  const ExpectedArrays uniform{value, nullptr, 2, .7};
  CHECK(uniform(2, 1).value == 6);
  CHECK(uniform(2, 1).error == .7);
  static_assert(RowExpectation<ExpectedArrays>);
}

TEMPLATE_TEST_CASE("on vectors arrays compare as they do one by one", "[compare]", float32, bfloat16, float16, float64) {
  unsigned seed = 100;
  for (Hard kind : all_hard)
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {3, 7}, {5, 8}, {40, 13}, {7, 131}, {66, 70}, {2, 1500}}) {
      const HardData<TestType> data(kind, rows, columns, ++seed);
      const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
      INFO("kind " << static_cast<int>(kind));
      for (const ChosenTolerance& tolerance : tolerances()) check_paths(view, ExpectedArrays{data.value.data(), data.error.data(), columns}, tolerance);
      check_paths(view, ExpectedArrays{data.value.data(), nullptr, columns, 0x1p-9}, DerivedTolerance{});
    }
}

TEMPLATE_TEST_CASE("what a sample of many rows foretells changes no finding", "[compare]", float32, bfloat16, float16) {
  unsigned seed = 900;
  for (Hard kind : all_hard)
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1100, 33}, {4400, 9}, {769, 225}}) {  // bands of 20, 72 and 16 rows; tiles of 225 columns have whole steps
      const HardData<TestType> data(kind, rows, columns, ++seed);
      const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
      INFO("kind " << static_cast<int>(kind));
      for (const char* tolerance : {"derived", "ulps=3", "atol=0.01,rtol=0.02", "rtol=1e-3"}) {
        check_paths(view, ExpectedArrays{data.value.data(), data.error.data(), columns}, tolerance_named(tolerance).value(), 2);
        check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns}, tolerance_named(tolerance).value(), 2);
      }
    }
}
