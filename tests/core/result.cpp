#include "assay/core/result.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "testing/catch.hpp"

using assay::Error;
using assay::ErrorKind;
using assay::failure;
using assay::Result;

namespace {

Result<int> halved(int value) {
  if (value % 2 != 0) return failure(ErrorKind::invalid, std::to_string(value) + " is odd");
  return value / 2;
}

Result<std::string> described(int value) {
  const auto half = halved(value);
  if (!half) return half.propagate();
  return "half is " + std::to_string(half.value());
}

Result<void> checked(int value) {
  const auto half = halved(value);
  if (!half) return half.propagate();
  return {};
}

}  // namespace

TEST_CASE("a result holds a value or an error", "[core]") {
  const auto good = halved(10);
  REQUIRE(good.has_value());
  CHECK(static_cast<bool>(good));
  CHECK(good.value() == 5);
  const auto bad = halved(7);
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().kind == ErrorKind::invalid);
  CHECK(bad.error().message == "7 is odd");
}

TEST_CASE("a failure travels through functions of other types", "[core]") {
  CHECK(described(4).value() == "half is 2");
  CHECK(described(5).error().message == "5 is odd");
  CHECK(checked(4).has_value());
  CHECK(checked(5).error().message == "5 is odd");
  CHECK(checked(5).error().kind == ErrorKind::invalid);
}

TEST_CASE("asking a result for what it has not is misuse that carries the error", "[core]") {
  auto bad = halved(7);
  auto good = halved(8);
  CHECK_THROWS_AS(bad.value(), assay::Misuse);
  CHECK_THROWS_WITH(bad.value(), assay::testing::contains("7 is odd"));
  CHECK_THROWS_WITH(halved(9).value(), assay::testing::contains("9 is odd"));
  CHECK_THROWS_AS(good.error(), assay::Misuse);
  CHECK_THROWS_AS(good.propagate(), assay::Misuse);
  CHECK_THROWS_WITH(checked(7).value(), assay::testing::contains("7 is odd"));
  CHECK_THROWS_AS(checked(8).error(), assay::Misuse);
  CHECK_NOTHROW(checked(8).value());
}

TEST_CASE("a result carries what only moves, and lets it be changed", "[core]") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  *result.value() = 4;
  const std::unique_ptr<int> taken = std::move(result).value();
  CHECK(*taken == 4);
  static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
}

TEST_CASE("a loop over the value of a temporary result goes through a living value", "[core]") {
  const auto words = [] {
    return Result<std::vector<std::string>>({"a word too long for a string's own buffer", "another"});
  };
  std::size_t letters = 0;
  for (const std::string& word : words().value()) letters += word.size();
  CHECK(letters == 48);
  STATIC_REQUIRE(std::is_same_v<decltype(words().value()), std::vector<std::string>>);
}

TEST_CASE("an error may itself be a value", "[core]") {
  const Result<Error> value = Error{ErrorKind::io, "as a value"};
  REQUIRE(value.has_value());
  CHECK(value.value().message == "as a value");
  const Result<Error> failed = failure(ErrorKind::io, "as a failure");
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message == "as a failure");
}
