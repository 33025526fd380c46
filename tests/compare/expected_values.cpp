#include "assay/compare/expected_values.hpp"

#include "compare/paths.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("stored values give their elements, row by row", "[compare]") {
  const float value[] = {1, 2, 3, 4, 5, 6};
  const ExpectedValues<float> values{value, 3, .5};
  CHECK(values(1, 2).value == 6);
  CHECK(values(1, 2).error == .5);
  CHECK(values.expected_row(1)[0].value == 4);
  CHECK(values.expected_row(1)[0].error == .5);
  static_assert(RowExpectation<ExpectedValues<bfloat16>>);
}

TEMPLATE_TEST_CASE("on vectors stored values compare as they do one by one", "[compare]", float32, bfloat16, float16, float64) {
  unsigned seed = 500;
  for (Hard kind : all_hard)
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {3, 7}, {5, 8}, {40, 13}, {7, 131}, {66, 70}, {2, 1500}}) {
      const HardData<TestType> data(kind, rows, columns, ++seed);
      const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
      INFO("kind " << static_cast<int>(kind));
      for (const ChosenTolerance& tolerance : tolerances()) check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns}, tolerance);
      check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns, 0x1p-9}, DerivedTolerance{});
      check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns, infinite}, DerivedTolerance{});
    }
}
