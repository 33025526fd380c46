#include "assay/performance/interleaving.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every contender has its turn equally often, and within every round once") {
  for (const auto how : {Interleaving::random, Interleaving::balanced})
    for (std::size_t contenders = 1; contenders <= 9; ++contenders) {
      const auto order = interleaved_order(contenders, 25, how, 3);
      REQUIRE(order.size() == contenders * 25);
      for (std::size_t at = 0; at < order.size(); at += contenders) {
        const std::set<std::size_t> round(order.begin() + static_cast<std::ptrdiff_t>(at),
                                          order.begin() + static_cast<std::ptrdiff_t>(at + contenders));
        REQUIRE(round.size() == contenders);
        REQUIRE(*round.rbegin() == contenders - 1);
      }
    }
  CHECK(interleaved_order(2, 3, Interleaving::blocks, 1) == std::vector<std::size_t>{0, 0, 0, 1, 1, 1});
  CHECK(interleaved_order(0, 3, Interleaving::balanced, 1).empty());
  CHECK(interleaved_order(3, 0, Interleaving::random, 1).empty());
}

TEST_CASE("balanced: each contender equally often in every place, and behind every other within rounds") {
  for (std::size_t contenders = 2; contenders <= 9; ++contenders) {
    const std::size_t rounds = contenders % 2 == 0 ? contenders : 2 * contenders;
    const auto order = interleaved_order(contenders, rounds, Interleaving::balanced, 17);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places, followers;
    for (std::size_t i = 0; i < order.size(); ++i) {
      ++places[{order[i], i % contenders}];
      if (i % contenders != 0) ++followers[{order[i - 1], order[i]}];
    }
    CAPTURE(contenders);
    CHECK(places.size() == contenders * contenders);
    CHECK(followers.size() == contenders * (contenders - 1));
    for (const auto& [place, times] : places) CHECK(times == rounds / contenders);
    for (const auto& [pair, times] : followers) CHECK(times == rounds / contenders);
  }
}

TEST_CASE("the order is a function of the seed") {
  for (const auto how : {Interleaving::random, Interleaving::balanced}) {
    CHECK(interleaved_order(5, 20, how, 1) == interleaved_order(5, 20, how, 1));
    CHECK(interleaved_order(5, 20, how, 1) != interleaved_order(5, 20, how, 2));
  }
}
