#include "assay/compare/expected_row.hpp"

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
