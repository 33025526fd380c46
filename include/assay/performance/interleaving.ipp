#pragma once

#include "assay/performance/interleaving.hpp"

#include <numeric>
#include <span>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> interleaved_order(std::size_t contenders, std::size_t rounds,
                                                                      Interleaving how, std::uint64_t seed) {
  expect(contenders < std::uint64_t{1} << 32, [] { return "interleaved_order() was given more than 2^32 contenders"; });
  std::vector<std::size_t> order;
  order.reserve(contenders * rounds);
  if (how == Interleaving::blocks) {
    for (std::size_t contender = 0; contender < contenders; ++contender) order.insert(order.end(), rounds, contender);
    return order;
  }
  detail::RandomSequence random(seed);
  std::vector<std::size_t> round(contenders);
  std::iota(round.begin(), round.end(), std::size_t{0});
  if (how == Interleaving::random || contenders < 2) {
    for (std::size_t i = 0; i < rounds; ++i) {
      random.shuffle(std::span(round));
      order.insert(order.end(), round.begin(), round.end());
    }
    return order;
  }

  // Row r of the square is 0, 1, n−1, 2, n−2, … plus r, modulo n; of an odd n, the rows are followed by themselves
  // reversed.
  std::vector<std::size_t> names = round, rows(contenders * (contenders % 2 == 0 ? 1 : 2));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  random.shuffle(std::span(names));
  for (std::size_t i = 0; i < rounds; ++i) {
    if (i % rows.size() == 0) random.shuffle(std::span(rows));
    const std::size_t row = rows[i % rows.size()], shift = row % contenders;
    for (std::size_t place = 0; place < contenders; ++place) {
      const std::size_t at = row < contenders ? place : contenders - 1 - place;
      const std::size_t step = at % 2 == 1 ? (at + 1) / 2 : (contenders - at / 2) % contenders;
      order.push_back(names[(step + shift) % contenders]);
    }
  }
  return order;
}

}  // namespace assay::inline v0
