#include "assay/release/pairwise.hpp"

#include <random>
#include <set>
#include <tuple>

#include "assay/release/expand_matrix.hpp"
#include "release/sample_matrix.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

std::set<Pair> pairs_of(const CombinationList& list) {
  std::set<Pair> pairs;
  for (std::size_t row = 0; row < list.size(); ++row)
    for (std::size_t i = 0; i < list.axes(); ++i)
      for (std::size_t j = i + 1; j < list.axes(); ++j) pairs.insert({i, list[row][i], j, list[row][j]});
  return pairs;
}

}  // namespace

TEST_CASE("sizes against those that are known") {
  struct Row {
    std::size_t axes, values, optimum, most;
  };
  // Optima: Colbourn's tables of covering arrays of strength 2 (CAN(2, k, v)).
  for (const Row& row : {Row{4, 3, 9, 12}, Row{13, 3, 15, 22}, Row{3, 2, 4, 4}, Row{5, 4, 16, 24}, Row{10, 2, 6, 9},
                         Row{2, 7, 49, 49}}) {
    INFO(row.values << "^" << row.axes);
    const auto reduction = pairwise(grid_matrix(row.axes, row.values)).value();
    CHECK(reduction.combinations.size() >= row.optimum);
    CHECK(reduction.combinations.size() <= row.most);
    CHECK(reduction.lower_bound == row.values * row.values);
    CHECK(reduction.impossible.empty());
    CHECK(reduction.pairs == row.axes * (row.axes - 1) / 2 * row.values * row.values);
    CHECK(pairs_of(reduction.combinations).size() == reduction.pairs);
  }
}

TEST_CASE("with rules: every pair that can be, no combination that cannot, and the impossible pairs by name") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 60; ++trial) {
    VersionMatrix matrix = grid_matrix(2 + random() % 4, 2 + random() % 3);
    for (auto rules = random() % 5; rules > 0; --rules) {
      const auto condition = [&] {
        return "a" + std::to_string(random() % matrix.axes.size()) + (random() % 2 == 0 ? " == " : " >= ") +
               std::to_string(random() % 4);
      };
      matrix.rules.push_back(parse_matrix_rule(condition() + " and " + condition() +
                                               (random() % 2 == 0 ? " requires " : " excludes ") + condition())
                                 .value());
    }
    const auto whole = expand(matrix).value().combinations;
    const auto reduction = pairwise(matrix).value();
    REQUIRE(pairs_of(reduction.combinations) == pairs_of(whole));
    REQUIRE(reduction.pairs == pairs_of(whole).size());
    std::set<std::vector<std::uint16_t>> allowed;
    for (std::size_t i = 0; i < whole.size(); ++i) allowed.emplace(whole[i].begin(), whole[i].end());
    for (std::size_t i = 0; i < reduction.combinations.size(); ++i)
      REQUIRE(allowed.count({reduction.combinations[i].begin(), reduction.combinations[i].end()}) == 1);
    std::size_t all = 0;
    for (std::size_t i = 0; i < matrix.axes.size(); ++i)
      for (std::size_t j = i + 1; j < matrix.axes.size(); ++j)
        all += matrix.axes[i].values.size() * matrix.axes[j].values.size();
    REQUIRE(reduction.impossible.size() + reduction.pairs == all);
    for (const MatrixPair& pair : reduction.impossible)
      REQUIRE(pairs_of(whole).count({pair.axis, pair.value, pair.other_axis, pair.other_value}) == 0);
    REQUIRE(reduction.combinations.size() <= whole.size());
    REQUIRE(reduction.combinations.size() >= reduction.lower_bound);
  }
}

TEST_CASE("a pair that only three rules together forbid is found impossible") {
  VersionMatrix matrix = grid_matrix(4, 2);
  for (const char* rule : {"a0 == 1 requires a1 == 1", "a1 == 1 requires a2 == 1", "a2 == 1 requires a3 == 1"})
    matrix.rules.push_back(parse_matrix_rule(rule).value());
  bool found = false;
  const auto reduction = pairwise(matrix).value();
  for (const MatrixPair& pair : reduction.impossible)
    found = found || (pair.axis == 0 && pair.value == 1 && pair.other_axis == 3 && pair.other_value == 0);
  CHECK(found);
}

TEST_CASE("one axis, nothing allowed, and the same list twice") {
  VersionMatrix single = grid_matrix(1, 5);
  single.rules = {parse_matrix_rule("a0 == 2 requires a0 == 3").value()};
  CHECK(pairwise(single).value().combinations.size() == 4);
  VersionMatrix nothing = grid_matrix(3, 2);
  nothing.rules = {parse_matrix_rule("a0 == * excludes a1 == *").value()};
  const auto empty = pairwise(nothing).value();
  CHECK(empty.combinations.empty());
  CHECK(empty.impossible.size() == 12);
  CHECK(pairs_of(pairwise(grid_matrix(6, 4)).value().combinations) ==
        pairs_of(pairwise(grid_matrix(6, 4)).value().combinations));
  CHECK_FALSE(pairwise({}));
}
