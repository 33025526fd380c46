#include "assay/compare/expected_row.hpp"

#include <cstddef>
#include <limits>
#include <vector>

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
                     errors[] = {0x1p-9,  0x1p-3,  infinite, 0, -1, std::numeric_limits<double>::quiet_NaN(),
                                 0x1p200, 0x1p-120};
    return errors[row % 8];
  }
  ExpectedElement operator()(Index row, Index column) const { return {value[row * columns + column], error_of(row)}; }
  [[nodiscard]] ExpectedRow<double> expected_row(Index row) const {
    return {value + row * columns, nullptr, error_of(row)};
  }
};
/// Rows that lie where they will, one behind the other but for some.
struct ScatteredRows {
  const std::size_t* places;  ///< of the rows' first elements
  const double *value, *error;
  ExpectedElement operator()(Index row, Index column) const { return expected_row(row)[column]; }
  [[nodiscard]] ExpectedRow<double> expected_row(Index row) const {
    return {value + places[row], error + places[row], 0};
  }
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

TEMPLATE_TEST_CASE("rows of different errors, of which some are no bounds, compare on vectors as one by one",
                   "[compare]", float32, bfloat16, float16) {
  unsigned seed = 1500;
  for (assay::testing::Hard kind : assay::testing::all_hard) {
    const assay::testing::HardData<TestType> data(kind, 70, 300, ++seed);
    const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {70, 300});
    INFO("kind " << static_cast<int>(kind));
    assay::testing::check_paths(view, ErrorsOfRows{data.value.data(), 300}, ChosenTolerance{});
  }
}

TEMPLATE_TEST_CASE("short rows are compared as one as far as outputs and references follow one another", "[compare]",
                   float32, bfloat16, float16) {
  using namespace assay::testing;
  unsigned seed = 1700;
  // A kind of data takes one length of rows: all take minutes.
  constexpr Index lengths[] = {5, 28, 130};
  for (Hard kind : all_hard) {
    const Index columns = lengths[(static_cast<std::size_t>(kind) + sizeof(TestType)) % std::size(lengths)];
    const Index images = 80, lines = 9, gap = 3,
                rows = images * lines;  // groups of 3 rows, outputs without a gap for 9
    HardData<TestType> data(kind, rows, columns, ++seed);
    std::vector<TestType> output(static_cast<std::size_t>(images * (lines * columns + gap)));
    std::vector<double> value, error;
    std::vector<std::size_t> places;
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; ++column)
        output[static_cast<std::size_t>(row * columns + row / lines * gap + column)] =
            data.actual[static_cast<std::size_t>(row * columns + column)];
      if (row % 7 == 4) value.resize(value.size() + 2), error.resize(value.size());
      places.push_back(value.size());
      const auto first = static_cast<std::ptrdiff_t>(row * columns);
      value.insert(value.end(), data.value.begin() + first, data.value.begin() + first + columns);
      error.insert(error.end(), data.error.begin() + first, data.error.begin() + first + columns);
    }
    const StridedView<const TestType, 3> apart{
        output.data(), {images, lines, columns}, {lines * columns + gap, columns, 1}};
    const auto together = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
    const ScatteredRows scattered{places.data(), value.data(), error.data()};
    INFO("kind " << static_cast<int>(kind));
    for (const char* tolerance : {"derived", "atol=0.01,rtol=0.02"}) {
      const ChosenTolerance chosen = tolerance_named(tolerance).value();
      check_paths(apart, scattered, chosen);
      check_paths(together, scattered, chosen);
      check_paths(apart, ErrorsOfRows{data.value.data(), columns}, chosen);
    }
  }
}
