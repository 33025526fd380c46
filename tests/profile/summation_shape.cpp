#include "assay/profile/summation_shape.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A shape gives the tree that its words describe") {
  CHECK(text_of(tree_of({}, 4)) == "(((0 1) 2) 3)");
  CHECK(text_of(tree_of({.chain = SummationChain::descending}, 4)) == "(0 (1 (2 3)))");
  CHECK(text_of(tree_of({.chain = SummationChain::pairwise}, 8)) == "(((0 1) (2 3)) ((4 5) (6 7)))");
  CHECK(text_of(tree_of({.chain = SummationChain::pairwise, .base = 2}, 8)) == "(((0 1) (2 3)) ((4 5) (6 7)))");
  CHECK(text_of(tree_of({.chain = SummationChain::pairwise, .base = 4}, 8)) == "((((0 1) 2) 3) (((4 5) 6) 7))");
  CHECK(text_of(tree_of({.lanes = 2}, 6)) == "(((0 2) 4) ((1 3) 5))");
  CHECK(text_of(tree_of({.lanes = 4, .lane_order = LaneOrder::halves}, 8)) == "(((0 4) (2 6)) ((1 5) (3 7)))");
  CHECK(text_of(tree_of({.lanes = 4, .lane_order = LaneOrder::neighbors}, 8)) == "(((0 4) (1 5)) ((2 6) (3 7)))");
  CHECK(text_of(tree_of({.fused = 4}, 10)) == "(((0…3) 4…7) 8 9)");
  CHECK(text_of(tree_of({.fused = 4, .carried = false}, 10)) == "(((0…3) (4…7)) (8 9))");
  CHECK(text_of(tree_of({.block = 3}, 8)) == "((((0 1) 2) ((3 4) 5)) (6 7))");
  CHECK(text_of(tree_of({.block = 4, .halved_rest = true}, 6)) == "(((0 1) 2) ((3 4) 5))");
  CHECK(text_of(tree_of({.parts = 2}, 5)) == "(((0 1) 2) (3 4))");
  CHECK(text_of(tree_of({.parts = 2, .lanes = 2}, 8)) == "(((0 2) (1 3)) ((4 6) (5 7)))");
  CHECK(tree_of({}, 1).additions.empty());
}

TEST_CASE(
    "Shapes are recognized from their trees, and what two numbers of terms agree on is the shape that made them") {
  int shapes = 0;
  for (const SummationShape& block : {SummationShape{}, SummationShape{.block = 24},
                                      SummationShape{.block = 48, .halved_rest = true}, SummationShape{.parts = 4}})
    for (const Index fused : {1, 4})
      for (const Index lanes : {1, 4, 8})
        for (const SummationChain chain :
             {SummationChain::ascending, SummationChain::descending, SummationChain::pairwise}) {
          SummationShape shape = block;
          shape.fused = fused;
          shape.lanes = lanes;
          shape.chain = chain;
          if (chain == SummationChain::pairwise && (lanes > 1 || fused > 1)) continue;
          if (block.block > 0 && lanes * fused > block.block) continue;
          const SummationTree one = tree_of(shape, 128), other = tree_of(shape, 216);
          std::vector<SummationShape> both;
          for (const SummationShape& found : shapes_of(one))
            if (tree_of(found, other.terms) == other) both.push_back(found);
          INFO(text_of(shape));
          REQUIRE(!both.empty());
          CHECK(both.front() == shape);
          ++shapes;
        }
  CHECK(shapes == 50);
}

TEST_CASE("A tree that follows no rule has no shape") {
  SummationTree odd{6, {{0, 3}, {6, 1}, {7, 5}, {8, 2}, {9, 4}}};
  CHECK(shapes_of(canonical(odd)).empty());
}

TEST_CASE("Shapes are told in words") {
  CHECK(text_of(SummationShape{}) == "sequential");
  CHECK(text_of(SummationShape{.chain = SummationChain::descending}) == "reversed");
  CHECK(text_of(SummationShape{.block = 384}) == "blocked by 384, each sequential");
  CHECK(text_of(SummationShape{.block = 320, .halved_rest = true}) ==
        "blocked by 320 (the rest halved), each sequential");
  CHECK(text_of(SummationShape{.parts = 4, .fused = 16}) ==
        "split-K in 4 parts, each sequential, 16 terms at once with the sum so far");
  CHECK(text_of(SummationShape{.chain = SummationChain::pairwise, .base = 8}) == "pairwise down to 8 terms");
  CHECK(text_of(SummationShape{.lanes = 8, .lane_order = LaneOrder::halves}) ==
        "strided over 8 lanes (combined upper half to lower half)");
}
