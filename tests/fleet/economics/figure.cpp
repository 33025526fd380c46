#include "assay/fleet/economics/figure.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("an interval of a figure covers every combination of what is assumed") {
  const Assumption a{"a", 2, 1, 3, "1", {}}, b{"b", 10, 5, 20, "1", {}}, c = assumed("c", 4, "1");
  const Figure figure = evaluate("f", "1", "a * c / b", {a, b, c}, [](const auto& v) { return v[0] * v[2] / v[1]; });
  CHECK(figure.value == 0.8);
  CHECK(figure.low == 1 * 4 / 20.0);
  CHECK(figure.high == 3 * 4 / 5.0);
  CHECK(assumption_table({figure, figure}).rows.size() == 3);
  CHECK(figure_table("t", {figure}).rows[0][2] == "0.2000 to 2.400");
}

TEST_CASE("what is assumed is read as a number or two") {
  CHECK(parse_assumption("rent", "2.5", "$/h").value().low == 2.5);
  CHECK(parse_assumption("rent", "2:3", "$/h").value().value == 2.5);
  CHECK(parse_assumption("rent", "2:3", "$/h").value().high == 3);
  CHECK(parse_assumption("rent", "0", "$/h").has_value());
  for (const char* wrong : {"-2", "3:2", "", ":", "1:", "nan", "inf", "two", "1:2:3", "1e999"}) {
    INFO(wrong);
    const auto refused = parse_assumption("rent", wrong, "$/h");
    REQUIRE_FALSE(refused.has_value());
    CHECK_THAT(refused.error().message, contains("rent is"));
  }
  CHECK_FALSE(parse_assumption("rent", "0:1", "$/h", true).has_value());
}

TEST_CASE("a formula that is no number is misuse, and never is told as such") {
  const auto nan = [](const auto&) { return std::numeric_limits<double>::quiet_NaN(); };
  CHECK_THROWS_AS(static_cast<void>(evaluate("f", "1", "", {assumed("a", 1, "1")}, nan)), Misuse);
  const Figure never = evaluate("f", "1", "", {}, [](const auto&) { return std::numeric_limits<double>::infinity(); });
  CHECK(figure_table("t", {never}).rows[0][1] == "never");
}
