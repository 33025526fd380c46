#include "assay/gpgpu/kernels/expression.hpp"

#include <map>
#include <string>

#include "testing/catch.hpp"
#include "testing/checks.hpp"

using namespace assay;

namespace {

const std::map<std::string, ExpressionValue, std::less<>>& values() {
  static const std::map<std::string, ExpressionValue, std::less<>> all{
      {"n", ExpressionValue::of(std::int64_t{33})},       {"m", ExpressionValue::of(std::int64_t{7})},
      {"large", ExpressionValue::of(INT64_MAX)},          {"alpha", ExpressionValue::of(0.5)},
      {"order", ExpressionValue::of(std::string("row"))}, {"A.stride[1]", ExpressionValue::of(std::int64_t{40})}};
  return all;
}

ExpressionNames names() {
  return {[](std::string_view name) {
            const auto found = values().find(name);
            return found == values().end() ? nullptr : &found->second;
          },
          [] {
            std::vector<std::string> known;
            for (const auto& [name, value] : values()) known.push_back(name);
            return known;
          }};
}

ExpressionValue worth(const std::string& text) {
  const auto parsed = Expression::parse(text);
  REQUIRE(parsed);
  const auto value = parsed.value().evaluate(names());
  REQUIRE(value);
  return value.value();
}

std::int64_t integer(const std::string& text) {
  const ExpressionValue value = worth(text);
  CHECK(value.kind == ExpressionValue::Kind::integer);
  return value.integer;
}

/// Where it is refused, and why.
ExpressionProblem refusal(const std::string& text, bool when_parsed) {
  ExpressionProblem problem;
  const auto parsed = Expression::parse(text, &problem);
  CHECK(parsed.has_value() != when_parsed);
  if (parsed) CHECK_FALSE(parsed.value().evaluate(names(), &problem));
  return problem;
}

}  // namespace

TEST_CASE("expressions bind as in C++") {
  CHECK(integer("(n+15)/16*16") == 48);
  CHECK(integer("n + m * 2 - 1") == 46);
  CHECK(integer("n - m - 1") == 25);
  CHECK(integer("-n % 4") == -1);
  CHECK(integer("- (n) / 2") == -16);
  CHECK(integer("n < m || m == 7 && n != 7") == 1);
  CHECK(integer("!n + !0") == 1);
  CHECK(integer("n > 32 ? m : large + 1") == 7);
  CHECK(integer("0 ? 1 : 0 ? 2 : 3") == 3);
  CHECK(integer("A.stride[1]") == 40);
}

TEST_CASE("functions, real numbers and texts") {
  CHECK(integer("ceil_div(n, 16)") == 3);
  CHECK(integer("ceil_div(32, 16)") == 2);
  CHECK(integer("ceil_div(-33, 16)") == -2);
  CHECK(integer("min(n, m) + max(n, m)") == 40);
  CHECK(worth("alpha * 3").real == 1.5);
  CHECK(worth("1 / sqrt(4)").real == 0.5);
  CHECK(worth("2.5e1 + n").real == 58);
  CHECK(integer("order == 'row'") == 1);
  CHECK(integer("order != 'row' || alpha >= 0.5") == 1);
  CHECK(Expression::parse("a + min(b, A.offset)").value().names() == std::vector<std::string>{"a", "b", "A.offset"});
}

TEST_CASE("what overflows, divides by 0 or mixes kinds is refused where it stands") {
  CHECK(refusal("1 + large * 2", false).position == 10);
  CHECK(refusal("large + 1", false).message.find("exceeds 64 bits") != std::string::npos);
  CHECK(refusal("0 - large - 2", false).message.find("exceeds 64 bits") != std::string::npos);
  CHECK(refusal("n / (m - 7)", false).message.find("division by 0") != std::string::npos);
  CHECK(refusal("n % 0", false).message.find("division by 0") != std::string::npos);
  CHECK(refusal("ceil_div(n, 0)", false).message.find("division by 0") != std::string::npos);
  CHECK(refusal("order + 1", false).message.find("is a text") != std::string::npos);
  CHECK(refusal("order < 'x'", false).message.find("is a text") != std::string::npos);
  CHECK(refusal("alpha % 2", false).message.find("for integers") != std::string::npos);
  CHECK(refusal("sqrt(0 - 1)", false).message.find("negative") != std::string::npos);
}

TEST_CASE("names that there are not come with those nearest") {
  const ExpressionProblem problem = refusal("n + A.stride[2]", false);
  CHECK(problem.position == 4);
  CHECK(problem.message.find("unknown name 'A.stride[2]'; nearest: A.stride[1]") != std::string::npos);
  CHECK(refusal("cell_div(n, 2)", true).message.find("nearest: ceil_div") != std::string::npos);
}

TEST_CASE("what is no expression is refused where it stands") {
  CHECK(refusal("", true).position == 0);
  CHECK(refusal("n +", true).position == 3);
  CHECK(refusal("n m", true).position == 2);
  CHECK(refusal("(n", true).message.find("expected ')'") != std::string::npos);
  CHECK(refusal("n ? m", true).message.find("expected ':'") != std::string::npos);
  CHECK(refusal("min(n)", true).message.find("takes 2 arguments") != std::string::npos);
  CHECK(refusal("'row", true).message.find("no end") != std::string::npos);
  CHECK(refusal("99999999999999999999", true).message.find("no number of 64 bits") != std::string::npos);
  CHECK(refusal("1.2.3", true).message.find("no number") != std::string::npos);
  CHECK(refusal(std::string(1000, '('), true).message.find("deeper") != std::string::npos);
  CHECK(refusal(std::string(1000, '-') + "1", true).message.find("deeper") != std::string::npos);
  CHECK(refusal("n \xC3\xA4", true).position == 2);
}
