#include "assay/profile/summation_tree.hpp"

#include "testing/catch.hpp"

using assay::canonical;
using assay::SummationTree;

TEST_CASE("Two trees are equal in canonical form exactly if they add in the same order") {
  const SummationTree one{4, {{0, 1}, {2, 3}, {4, 5}}}, mirrored{4, {{3, 2}, {1, 0}, {4, 5}}},
      sequential{4, {{0, 1}, {4, 2}, {5, 3}}};
  CHECK(one != mirrored);
  CHECK(canonical(one) == canonical(mirrored));
  CHECK(canonical(one) != canonical(sequential));
  CHECK(canonical(canonical(one)) == canonical(one));
  CHECK(canonical(sequential) == sequential);
}

TEST_CASE("A tree is printed as nested parentheses, runs of terms as their ends, and is cut where it is too long") {
  CHECK(text_of(SummationTree{4, {{0, 1}, {4, 2}, {5, 3}}}) == "(((0 1) 2) 3)");
  CHECK(text_of(canonical(SummationTree{4, {{3, 2}, {1, 0}, {4, 5}}})) == "((0 1) (2 3))");
  CHECK(text_of(SummationTree{8, {{0, 1, 2, 3, 4}, {8, 5, 6, 7}}}) == "((0…4) 5 6 7)");
  CHECK(text_of(SummationTree{1, {}}) == "0");
  CHECK(text_of(SummationTree{0, {}}).empty());
  CHECK(text_of(SummationTree{4, {{0, 1}, {4, 2}, {5, 3}}}, 5) == "(((0 …");
}

TEST_CASE("An addition of one operand is that operand") {
  SummationTree tree{2, {}};
  CHECK(tree.add({1}) == 1);
  CHECK(tree.add({0, 1}) == 2);
  CHECK(tree.root() == 2);
  CHECK(tree.operands_of(2) == std::vector<assay::Index>{0, 1});
}
