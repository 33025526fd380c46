#include "assay/compare/expected_row.hpp"

#include <limits>

#include "compare/paths.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {
struct ByElement {
  ExpectedElement operator()(Index, Index) const { return {}; }
};
struct ByRow : ByElement {
  ExpectedRow<float16> expected_row(Index) const { return {}; }
};
struct WrongRow : ByElement {
  const double* expected_row(Index) const { return nullptr; }
};
/// Every row has an error bound of its own, some of them none that could be one.
struct ErrorsOfRows {
  const double* value;
  Index columns;
  [[nodiscard]] static double error_of(Index row) {
    constexpr double infinite = std::numeric_limits<double>::infinity(),
                     errors[] = {0x1p-9, 0x1p-3, infinite, 0, -1, std::numeric_limits<double>::quiet_NaN(), 0x1p200, 0x1p-120};
    return errors[row % 8];
  }
  ExpectedElement operator()(Index row, Index column) const { return {value[row * columns + column], error_of(row)}; }
  [[nodiscard]] ExpectedRow<double> expected_row(Index row) const { return {value + row * columns, nullptr, error_of(row)}; }
};
static_assert(!RowExpectation<ByElement>);
static_assert(RowExpectation<ByRow>);
static_assert(!RowExpectation<WrongRow>);
}  // namespace

TEST_CASE("a row decodes its values, with one error for all or one for each", "[compare]") {
  const float16 value[] = {encode<float16>(1.5), encode<float16>(-2)};
  const double error[] = {.25, .5};
  CHECK(ExpectedRow<float16>{value, error, 7}[1].value == -2);
  CHECK(ExpectedRow<float16>{value, error, 7}[1].error == .5);
  CHECK(ExpectedRow<float16>{value, nullptr, 7}[0].value == 1.5);
  CHECK(ExpectedRow<float16>{value, nullptr, 7}[0].error == 7);
}

TEMPLATE_TEST_CASE("rows of different errors, of which some are no bounds, compare on vectors as one by one", "[compare]", float32,
                   bfloat16, float16) {
  unsigned seed = 1500;
  for (assay::testing::Hard kind : assay::testing::all_hard) {
    const assay::testing::HardData<TestType> data(kind, 70, 300, ++seed);
    const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {70, 300});
    INFO("kind " << static_cast<int>(kind));
    assay::testing::check_paths(view, ErrorsOfRows{data.value.data(), 300}, ChosenTolerance{});
  }
}
