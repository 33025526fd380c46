#include "assay/release/matrix_rule.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::string refusal(const std::string& text) {
  const auto read = parse_matrix_rule(text);
  INFO(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::malformed);
  CHECK_THAT(read.error().message, testing::contains(text.substr(0, 20)));
  return read.error().message;
}

}  // namespace

TEST_CASE("rules as people write them") {
  const auto rule = parse_matrix_rule("cuda >= 12.6, < 13 and device == H100 | H200 requires driver >= 550").value();
  CHECK(rule.kind == MatrixRule::Kind::needs);
  REQUIRE(rule.when.size() == 2);
  CHECK(rule.when[0].axis == "cuda");
  CHECK(rule.when[0].constraint.allows("12.8"));
  CHECK_FALSE(rule.when[0].constraint.allows("13"));
  CHECK(rule.when[1].axis == "device");
  CHECK(rule.when[1].constraint.allows("H200"));
  REQUIRE(rule.then.size() == 1);
  CHECK(rule.then[0].axis == "driver");
  CHECK(rule.then[0].constraint.allows("550"));
  CHECK(rule.name == "cuda >= 12.6, < 13 and device == H100 | H200 requires driver >= 550");

  const auto excluded = parse_matrix_rule("device==MI300X excludes toolkit cuda*").value();
  CHECK(excluded.kind == MatrixRule::Kind::excludes);
  CHECK(excluded.when[0].constraint.allows("MI300X"));
  CHECK(excluded.then[0].constraint.allows("cuda-12"));
}

TEST_CASE("what is no rule is refused by name") {
  CHECK_THAT(refusal("cuda >= 12.6 needs driver >= 550"), testing::contains("neither 'requires' nor 'excludes'"));
  CHECK_THAT(refusal("cuda >= 12.6 requires driver >= 550 requires x == 1"), testing::contains("twice"));
  CHECK_THAT(refusal("requires driver >= 550"), testing::contains("no condition"));
  CHECK_THAT(refusal("cuda >= 12.6 requires"), testing::contains("no condition"));
  CHECK_THAT(refusal("cuda requires driver >= 550"), testing::contains("'cuda' is no condition"));
  CHECK_THAT(refusal("cuda >= 12.6 and requires driver >= 550"), testing::contains("no condition"));
  CHECK_THAT(refusal("cuda => 12.6 requires driver >= 550"), testing::contains("unknown operator '=>'"));
  CHECK_THAT(refusal(""), testing::contains("neither"));
}
