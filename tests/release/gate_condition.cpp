#include "assay/release/gate_condition.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "testing/catch.hpp"

using namespace assay;

namespace {

GateCondition condition(const std::string& text) {
  const auto read = parse_gate_condition(text);
  INFO(text << (read ? std::string() : ": " + read.error().message));
  REQUIRE(read);
  CHECK(read.value().text == text);
  return read.value();
}

std::string refusal(const std::string& text) {
  const auto read = parse_gate_condition(text);
  INFO(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::malformed);
  return read.error().message;
}

}  // namespace

TEST_CASE("each comparison, below, at and above its limit, and never with a NaN") {
  struct Row {
    const char* sign;
    bool below, equal, above;
  };
  for (const Row& row : {Row{"==", false, true, false}, Row{"!=", true, false, true}, Row{"<", true, false, false},
                         Row{"<=", true, true, false}, Row{">", false, false, true}, Row{">=", false, true, true}}) {
    INFO(row.sign);
    const GateCondition read = condition(std::string("max(x) ") + row.sign + " 3");
    CHECK(read.holds(2.9) == row.below);
    CHECK(read.holds(3) == row.equal);
    CHECK(read.holds(3.1) == row.above);
    CHECK(read.holds(std::numeric_limits<double>::infinity()) == row.above);
    CHECK(read.holds(-std::numeric_limits<double>::infinity()) == row.below);
    CHECK_FALSE(read.holds(std::nan("")));
  }
  const GateCondition within = condition("each(perplexity) within 12.3 +- 0.5");
  CHECK(within.holds(12.8));
  CHECK(within.holds(11.8));
  CHECK_FALSE(within.holds(12.81));
  CHECK_FALSE(within.holds(11.79));
  CHECK_FALSE(within.holds(std::nan("")));
  CHECK(condition("each(x) within -1e-3 ± 5e-4").holds(-0.0012));
}

TEST_CASE("what is measured") {
  const GateCondition plain = condition("sum(uncorrectable ECC) == 0");
  CHECK(plain.kind == GateCondition::Kind::measurement);
  CHECK(plain.aggregate == GateAggregate::sum);
  CHECK(plain.measurement == "uncorrectable ECC");
  const GateCondition difference = condition("each(|loss - loss-reference|) <= 0.5");
  CHECK(difference.measurement == "loss");
  CHECK(difference.subtracted == "loss-reference");
  CHECK(difference.absolute);
  Outcome outcome;
  outcome.measure("loss", 12.3);
  CHECK_FALSE(difference.measured_in(outcome));
  outcome.measure("loss-reference", 12.8);
  REQUIRE(difference.measured_in(outcome));
  CHECK(difference.holds(difference.value_in(outcome)));  // 12.8 - 12.3 is 0.5 in decimal numbers
  CHECK(condition("each(loss - loss-reference) < 0").value_in(outcome) < 0);
  outcome.measurements[1].value = 12.8001;
  CHECK_FALSE(difference.holds(difference.value_in(outcome)));
  outcome.measurements[0].value = std::nan("");
  CHECK_FALSE(difference.holds(difference.value_in(outcome)));
}

TEST_CASE("pass rates as shares and percentages") {
  CHECK(condition("pass_rate >= 99.9 %").limit == 0.999);
  CHECK(condition("pass_rate >= 1").limit == 1);
  CHECK(condition("pass_rate == 100%").kind == GateCondition::Kind::pass_rate);
  CHECK(condition("no fail").kind == GateCondition::Kind::no_fail);
}

TEST_CASE("which conditions one outcome alone can break") {
  for (const char* text :
       {"no fail", "pass_rate > 0.5", "each(x) == 1", "max(x) <= 3", "max(x) < 3", "min(x) >= 3", "min(x) > 3"}) {
    INFO(text);
    CHECK(condition(text).of_each());
  }
  for (const char* text : {"max(x) >= 3", "min(x) <= 3", "mean(x) <= 3", "sum(x) == 0", "count(x) >= 3", "max(x) == 3",
                           "min(x) within 3 +- 1"}) {
    INFO(text);
    CHECK_FALSE(condition(text).of_each());
  }
}

TEST_CASE("what cannot be meant is refused") {
  CHECK_THAT(refusal(""), testing::contains("parentheses"));
  CHECK_THAT(refusal("maxx(x) <= 3"), testing::contains("unknown aggregate 'maxx'; nearest: max"));
  CHECK_THAT(refusal("max(x) =< 3"), testing::contains("unknown comparison '=<'"));
  CHECK_THAT(refusal("max(x) withn 3"), testing::contains("nearest: within"));
  CHECK_THAT(refusal("max(x) <= three"), testing::contains("'three' is no number"));
  CHECK_THAT(refusal("max(x) <= nan"), testing::contains("no number"));
  CHECK_THAT(refusal("max(x) <= inf"), testing::contains("no number"));
  CHECK_THAT(refusal("max(x) <= 1e999"), testing::contains("no number"));
  CHECK_THAT(refusal("max(x) <="), testing::contains("no number"));
  CHECK_THAT(refusal("max() <= 3"), testing::contains("no name"));
  CHECK_THAT(refusal("max(|x) <= 3"), testing::contains("no name"));
  CHECK_THAT(refusal("max(x) within 3"), testing::contains("tolerance"));
  CHECK_THAT(refusal("max(x) within 3 +- -1"), testing::contains("below 0"));
  CHECK_THAT(refusal("max(x"), testing::contains("parentheses"));
  CHECK_THAT(refusal("pass_rate <= 0.5"), testing::contains("demanded with >="));
  CHECK_THAT(refusal("pass_rate >= 0"), testing::contains("above 0"));
  CHECK_THAT(refusal("pass_rate >= 99"), testing::contains("at most 1"));
  CHECK_THAT(refusal("pass_rate > 100 %"), testing::contains("no pass rate is above 1"));
}

TEST_CASE("mutated conditions are read or refused, never worse") {
  const std::string seeds[] = {"each(|perplexity - perplexity_baseline|) <= 0.5", "pass_rate >= 99.9 %",
                               "max(x) within 12.3 +- 0.5"};
  std::mt19937 random(3);
  std::size_t read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seeds[random() % 3];
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      if (random() % 2 == 0 || at == text.size())
        text.insert(at, 1, "<>=!|()-+ %.1eax\xc2"[random() % 17]);
      else
        text.erase(at, 1 + random() % 4);
    }
    const auto result = parse_gate_condition(text);
    (result ? read : refused) += 1;
    if (result) {
      REQUIRE(std::isfinite(result.value().limit));
      REQUIRE_FALSE(result.value().holds(std::nan("")));
    }
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}
