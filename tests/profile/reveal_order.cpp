#include "assay/profile/reveal_order.hpp"

#include "assay/profile/summation_shape.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Answers for a tree that is known, and counts what was asked.
struct KnownTree {
  SummationTree tree;
  std::size_t questions = 0, calls = 0;

  [[nodiscard]] Result<std::vector<Index>> operator()(const std::vector<std::pair<Index, Index>>& pairs) {
    questions += pairs.size();
    ++calls;
    const detail::TreeExtent extent = detail::extent_of(tree);
    std::vector<Index> parent(extent.first.size(), -1), answers;
    for (std::size_t i = 0; i < tree.additions.size(); ++i)
      for (const Index operand : tree.additions[i])
        parent[static_cast<std::size_t>(operand)] = tree.terms + static_cast<Index>(i);
    for (const auto& [first, second] : pairs) {
      std::vector<bool> above(extent.first.size());
      for (Index node = first; node >= 0; node = parent[static_cast<std::size_t>(node)])
        above[static_cast<std::size_t>(node)] = true;
      Index node = second;
      while (!above[static_cast<std::size_t>(node)]) node = parent[static_cast<std::size_t>(node)];
      answers.push_back(extent.count[static_cast<std::size_t>(node)]);
    }
    return answers;
  }
};

}  // namespace

TEST_CASE("Every order is revealed from pairs of terms, chains with 2 questions a term") {
  for (const Index terms : {1, 2, 7, 32, 100, 257})
    for (const SummationShape& shape : {SummationShape{}, SummationShape{.chain = SummationChain::descending},
                                        SummationShape{.chain = SummationChain::pairwise}, SummationShape{.lanes = 4},
                                        SummationShape{.lanes = 8, .lane_order = LaneOrder::halves},
                                        SummationShape{.fused = 4}, SummationShape{.fused = 16, .carried = false},
                                        SummationShape{.block = 10}, SummationShape{.parts = 4, .fused = 8}}) {
      KnownTree known{tree_of(shape, terms)};
      const auto revealed = reveal_order(terms, [&](const auto& pairs) { return known(pairs); });
      INFO(terms << " terms, " << text_of(shape));
      REQUIRE(revealed);
      CHECK(revealed.value() == known.tree);
      if (shape == SummationShape{} || shape.chain == SummationChain::descending)
        CHECK(known.questions <= static_cast<std::size_t>(2 * terms));
      CHECK(known.calls <= 20);
    }
}

TEST_CASE("Answers that no tree explains are an error that says so, and errors of the unit are passed on") {
  const auto contradicted = reveal_order(
      8, [](const auto& pairs) -> Result<std::vector<Index>> { return std::vector<Index>(pairs.size(), 5); });
  REQUIRE(!contradicted);
  CHECK(contradicted.error().kind == ErrorKind::invalid);
  CHECK(contradicted.error().message.find("no tree of 8 terms explains the answers") == 0);
  const auto failed =
      reveal_order(8, [](const auto&) -> Result<std::vector<Index>> { return failure(ErrorKind::device, "lost"); });
  REQUIRE(!failed);
  CHECK(failed.error().message == "lost");
}
