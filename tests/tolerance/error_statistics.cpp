#include "assay/tolerance/error_statistics.hpp"

#include <type_traits>

#include "testing/catch.hpp"

using assay::ErrorStatistics;

TEST_CASE("error statistics are joined field by field", "[tolerance]") {
  static_assert(std::is_trivially_copyable_v<ErrorStatistics>);
  ErrorStatistics left{1, 2, 4, 8, 16, 32, 64};
  const ErrorStatistics right{100, -2000, 3000, 4000, 5000, 6000, 7000};
  left.join(right);
  CHECK(left.elements == 101);
  CHECK(left.signed_error == -1998);
  CHECK(left.squared_error == 3004);
  CHECK(left.squared_reference == 4008);
  CHECK(left.misrounded == 5016);
  CHECK(left.expected_misrounded == 6032);
  CHECK(left.misrounded_inward == 7064);
  ErrorStatistics empty;
  empty.join(right);
  CHECK(empty.elements == right.elements);
  CHECK(empty.signed_error == right.signed_error);
}
