#include "assay/release/version_matrix.hpp"

#include "release/sample_matrix.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::string refusal(const VersionMatrix& matrix) {
  const auto checked = check(matrix);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().kind == ErrorKind::invalid);
  return checked.error().message;
}

}  // namespace

TEST_CASE("a matrix that makes sense") {
  CHECK(check(sample_matrix()));
}

TEST_CASE("an axis that a rule misspells is named with the nearest") {
  VersionMatrix matrix = sample_matrix();
  matrix.rules.push_back(parse_matrix_rule("cuda >= 12 requires drivr >= 550").value());
  CHECK_THAT(refusal(matrix),
             contains("cuda >= 12 requires drivr >= 550") && contains("unknown axis 'drivr'; nearest: driver"));
}

TEST_CASE("values that are no versions are not ordered") {
  VersionMatrix matrix = sample_matrix();
  matrix.rules.push_back(parse_matrix_rule("framework >= 2 requires driver >= 550").value());
  CHECK_THAT(refusal(matrix), contains("'framework'") && contains("'pytorch' is no version"));
}

TEST_CASE("axes that make no sense") {
  CHECK_THAT(refusal({}), contains("no axes"));
  CHECK_THAT(refusal({"", {{"driver", {}}}, {}}), contains("no values"));
  CHECK_THAT(refusal({"", {{"driver", {"1"}}, {"driver", {"2"}}}, {}}), contains("given twice"));
  CHECK_THAT(refusal({"", {{"driver", {"1", "2", "1"}}}, {}}), contains("the value '1' twice"));
  CHECK_THAT(refusal({"", {{"a b", {"1"}}}, {}}), contains("no name for an axis"));
  CHECK_THAT(refusal({"", {{"", {"1"}}}, {}}), contains("no name for an axis"));
  CHECK_THAT(refusal({"", {{"driver", {""}}}, {}}), contains("empty"));
  CHECK_THAT(refusal({"", {{"driver", {"1"}}}, {MatrixRule{"r", MatrixRule::Kind::needs, {}, {}, ""}}}),
             contains("needs a condition"));
}

TEST_CASE("a combination as text") {
  const VersionMatrix matrix = sample_matrix();
  const std::uint16_t positions[] = {1, 2, 0};
  CHECK(combination_text(matrix, positions) == "driver=550.54 cuda=13.0 framework=pytorch");
}

TEST_CASE("rules that bind nothing, or remove all, are told") {
  VersionMatrix matrix{"", {{"rocm", {"6.1.2-43", "6.2.0-66"}}, {"amdgpu", {"6.1.5", "6.3.6"}}}, {}};
  matrix.rules.push_back(parse_matrix_rule("rocm >= 6.2 requires amdgpu >= 6.3").value());
  CHECK(rule_remarks(matrix).empty());
  matrix.rules = {parse_matrix_rule("rocm >= 7 requires amdgpu >= 6.3").value(),
                  parse_matrix_rule("rocm >= 6 requires amdgpu >= 7").value(),
                  parse_matrix_rule("rocm >= 6 excludes amdgpu == 5").value()};
  const auto remarks = rule_remarks(matrix);
  REQUIRE(remarks.size() == 3);
  CHECK_THAT(remarks[0], contains("binds nothing: no value of 'rocm' is '>= 7'"));
  CHECK_THAT(remarks[1], contains("removes everything that it binds"));
  CHECK_THAT(remarks[2], contains("excludes nothing"));
}
