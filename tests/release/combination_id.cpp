#include "assay/release/combination_id.hpp"

#include <set>
#include <string>

#include "assay/release/expand_matrix.hpp"
#include "release/sample_matrix.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("ids are the same on every machine and in every version") {
  CHECK(combination_id({{"cuda", "12.6"}, {"driver", "550.54"}}) == "c-ea1023174efdea0e");
  CHECK(combination_id({}) == "c-efd01f60ba992926");
}

TEST_CASE("neither the order of axes nor what stands beside changes them") {
  VersionMatrix matrix = sample_matrix(), turned = matrix;
  std::swap(turned.axes[0], turned.axes[2]);
  std::set<std::string> one, two;
  for (const auto& [from, ids] : {std::pair(&matrix, &one), std::pair(&turned, &two)}) {
    const auto list = expand(*from).value().combinations;
    for (std::size_t i = 0; i < list.size(); ++i) ids->insert(combination_id(named_combination(*from, list[i])));
  }
  CHECK(one == two);
  CHECK(one.size() == 11);
  CHECK(combination_id({{"a", "b=c"}}) != combination_id({{"a=b", "c"}}));
  CHECK(combination_text(NamedCombination{{"driver", "1"}, {"cuda", "2"}}) == "cuda=2 driver=1");
}

TEST_CASE("shards are disjoint, together whole, about equal, and stay as the matrix grows") {
  VersionMatrix matrix = grid_matrix(4, 10);
  const auto list = expand(matrix).value().combinations;
  std::size_t sizes[7] = {};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const NamedCombination named = named_combination(matrix, list[i]);
    std::size_t holders = 0;
    for (std::size_t shard = 1; shard <= 7; ++shard)
      if (in_shard(named, {shard, 7})) {
        ++sizes[shard - 1];
        ++holders;
      }
    REQUIRE(holders == 1);
  }
  for (const std::size_t size : sizes) CHECK((size > 1300 && size < 1560));  // 10000 / 7 ± 4 standard deviations
  matrix.axes[0].values.push_back("10");
  const std::uint16_t positions[] = {3, 1, 4, 1};
  CHECK(in_shard(named_combination(matrix, positions), {1, 7}) ==
        in_shard(named_combination(grid_matrix(4, 10), positions), {1, 7}));
}
