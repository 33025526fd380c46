#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// How `parse` refuses a text in which something was replaced.
inline std::string refusal_of(const auto& parse, std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const auto parsed = parse(text);
  INFO(to);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::malformed);
  return parsed.error().message;
}

}  // namespace assay::testing
