#include "assay/core/unicode_numbers.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("ranges of code points are ascending, and both of their ends are in them") {
  for (std::size_t i = 1; i < std::size(detail::unicode_numbers); ++i)
    CHECK(detail::unicode_numbers[i - 1].last < detail::unicode_numbers[i].first);
  for (const detail::CodePointRange& range : detail::unicode_numbers) {
    CHECK(detail::is_unicode_number(range.first));
    CHECK(detail::is_unicode_number(range.last));
  }
}

TEST_CASE("numbers of Unicode are digits, letters of numbers, and fractions") {
  for (const char32_t number : {U'0', U'9', U'\u00BD', U'\u0665', U'\u2167', U'\uFF17', U'\U0001D7D8'})
    CHECK(detail::is_unicode_number(number));
  for (const char32_t other : {U'\0', U'/', U':', U'a', U'\u4E00', U'\U0010FFFF'})
    CHECK_FALSE(detail::is_unicode_number(other));
}
