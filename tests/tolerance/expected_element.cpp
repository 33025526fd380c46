#include "assay/tolerance/expected_element.hpp"

#include <type_traits>

#include "testing/catch.hpp"

TEST_CASE("an expected element travels to devices and expects an exact zero unless told otherwise", "[tolerance]") {
  static_assert(std::is_trivially_copyable_v<assay::ExpectedElement> && std::is_aggregate_v<assay::ExpectedElement>);
  constexpr assay::ExpectedElement element;
  static_assert(element.value == 0 && element.error == 0);
  CHECK(assay::ExpectedElement{2, 3}.error == 3);
}
