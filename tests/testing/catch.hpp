#pragma once

/// Catch2, version 2 or 3, or a stand-in where there is none or ASSAY_TEST_PLAIN is defined: one spelling for what the
/// tests use.
#if defined(ASSAY_TEST_PLAIN)
#include "testing/plain_catch.hpp"
#elif __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#elif __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#define ASSAY_TEST_PLAIN
#include "testing/plain_catch.hpp"
#endif

#include <string>

namespace assay::testing {

#if defined(ASSAY_TEST_PLAIN)
/// A matcher: the text contains `part`.
inline plain::Contains contains(const std::string& part) {
  return {part};
}
#elif __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
/// A matcher: the text contains `part`.
inline auto contains(const std::string& part) {
  return Catch::Matchers::ContainsSubstring(part);
}
/// A matcher: the text matches the regular expression as a whole.
inline auto matches(const std::string& expression) {
  return Catch::Matchers::Matches(expression);
}
#else
using Catch::Detail::Approx;
inline auto contains(const std::string& part) {
  return Catch::Matchers::Contains(part);
}
inline auto matches(const std::string& expression) {
  return Catch::Matchers::Matches(expression);
}
#endif

}  // namespace assay::testing
