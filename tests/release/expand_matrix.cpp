#include "assay/release/expand_matrix.hpp"

#include <random>
#include <set>
#include <string>

#include "release/sample_matrix.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Whether a combination breaks a rule, told from the rule's own words.
bool broken(const VersionMatrix& matrix, std::span<const std::uint16_t> combination) {
  const auto holds = [&](const MatrixCondition& condition) {
    for (std::size_t axis = 0; axis < matrix.axes.size(); ++axis)
      if (matrix.axes[axis].name == condition.axis)
        return condition.constraint.allows(matrix.axes[axis].values[combination[axis]]);
    return false;
  };
  for (const MatrixRule& rule : matrix.rules) {
    bool when = true, then = true;
    for (const MatrixCondition& condition : rule.when) when = when && holds(condition);
    for (const MatrixCondition& condition : rule.then) then = then && holds(condition);
    if (when && then == (rule.kind == MatrixRule::Kind::excludes)) return true;
  }
  return false;
}

std::set<std::string> texts(const VersionMatrix& matrix, const CombinationList& list) {
  std::set<std::string> found;
  for (std::size_t i = 0; i < list.size(); ++i) found.insert(combination_text(matrix, list[i]));
  return found;
}

/// All combinations that break no rule, by trying all.
std::set<std::string> by_trial(const VersionMatrix& matrix) {
  std::set<std::string> found;
  std::vector<std::uint16_t> values(matrix.axes.size(), 0);
  for (;;) {
    if (!broken(matrix, values)) found.insert(combination_text(matrix, values));
    std::size_t axis = 0;
    while (axis < values.size() && ++values[axis] == matrix.axes[axis].values.size()) values[axis++] = 0;
    if (axis == values.size()) return found;
  }
}

}  // namespace

TEST_CASE("impossible corners are left out") {
  const VersionMatrix matrix = sample_matrix();
  const auto expansion = expand(matrix).value();
  CHECK(expansion.product == 18);
  CHECK(expansion.combinations.size() == 18 - 4 - 3);
  const auto found = texts(matrix, expansion.combinations);
  CHECK(found == by_trial(matrix));
  CHECK(found.count("driver=550.54 cuda=13.0 framework=pytorch") == 0);
  CHECK(found.count("driver=580.1 cuda=11.8 framework=jax") == 0);
  CHECK(found.count("driver=580.1 cuda=13.0 framework=jax") == 1);
  CHECK(expansion.cut_by_rule[0] > 0);
  CHECK(expansion.cut_by_rule[1] > 0);
}

TEST_CASE("a rule that changes nothing is told") {
  VersionMatrix matrix = sample_matrix();
  matrix.rules.push_back(parse_matrix_rule("cuda >= 14 requires driver >= 600").value());
  CHECK(expand(matrix).value().cut_by_rule[2] == 0);
}

TEST_CASE("no combination is left, or one axis alone") {
  VersionMatrix matrix = grid_matrix(2, 2);
  matrix.rules = {parse_matrix_rule("a0 == * requires a1 == 7").value()};
  CHECK(expand(matrix).value().combinations.empty());
  VersionMatrix single = grid_matrix(1, 4);
  single.rules = {parse_matrix_rule("a0 >= 2 requires a0 >= 3").value()};
  CHECK(texts(single, expand(single).value().combinations) == std::set<std::string>{"a0=0", "a0=1", "a0=3"});
}

TEST_CASE("more than can be run is refused") {
  CHECK(expand(grid_matrix(2, 10), 100));
  const auto refused = expand(grid_matrix(2, 10), 99);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, contains("more than 99"));
  CHECK_FALSE(expand({}));
}

TEST_CASE("random rules: what is expanded is what trying all finds") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    VersionMatrix matrix = grid_matrix(2 + random() % 4, 2 + random() % 3);
    for (auto rules = random() % 5; rules > 0; --rules) {
      const auto condition = [&] {
        const char* signs[] = {"==", "!=", ">=", "<"};
        return "a" + std::to_string(random() % matrix.axes.size()) + " " + signs[random() % 4] + " " +
               std::to_string(random() % 4);
      };
      std::string text = condition();
      if (random() % 2 == 0) text += " and " + condition();
      text += random() % 2 == 0 ? " requires " : " excludes ";
      text += condition();
      if (random() % 2 == 0) text += " and " + condition();
      matrix.rules.push_back(parse_matrix_rule(text).value());
    }
    const auto found = expand(matrix).value();
    REQUIRE(texts(matrix, found.combinations) == by_trial(matrix));
    REQUIRE(found.combinations.size() == by_trial(matrix).size());
  }
}

TEST_CASE("what rules exclude is not enumerated") {
  VersionMatrix matrix = grid_matrix(30, 10);  // 10^30 combinations
  for (std::size_t axis = 0; axis < 29; ++axis)
    matrix.rules.push_back(
        parse_matrix_rule("a" + std::to_string(axis) + " == * requires a" + std::to_string(axis) + " == 3").value());
  CHECK(expand(matrix).value().combinations.size() == 10);
}
