#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "assay/collectives/in_process/detail/endpoint.hpp"

namespace assay::inline v0::detail {

/// The ranks that run an algorithm together, in its order; `me` is this rank's position.
struct RankGroup {
  std::vector<int> ranks;
  int me = 0;

  RankGroup() = default;
  RankGroup(std::vector<int> members, int rank)
      : ranks(std::move(members)), me(static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin())) {}

  [[nodiscard]] int size() const { return static_cast<int>(ranks.size()); }
  [[nodiscard]] int operator[](int position) const { return ranks[static_cast<std::size_t>(position)]; }
  /// Of a position before or beyond the ends of the ring.
  [[nodiscard]] int around(int position) const { return (*this)[wrap(position)]; }
  [[nodiscard]] int wrap(int position) const { return (position % size() + size()) % size(); }
};

[[nodiscard]] inline std::vector<int> ranks_from_0(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// All ranks of the call, rotated so that the root stands first.
[[nodiscard]] inline RankGroup group_of_root(std::vector<int> ranks, int root, int rank) {
  std::rotate(ranks.begin(), std::find(ranks.begin(), ranks.end(), root), ranks.end());
  return {std::move(ranks), rank};
}

/// Memory in a row, divided into one piece a position.
struct Pieces {
  Bytes whole;
  std::vector<std::size_t> first;  ///< byte at which each piece begins, and the end

  [[nodiscard]] Bytes operator[](int position) const { return range(position, position + 1); }
  [[nodiscard]] Bytes range(int from, int to) const {
    const std::size_t begin = first[static_cast<std::size_t>(from)];
    return whole.subspan(begin, first[static_cast<std::size_t>(to)] - begin);
  }
};

/// Pieces as equal as elements allow; the first ones are longer by one.
[[nodiscard]] inline Pieces divided(Bytes whole, int positions, std::size_t element_bytes) {
  const std::size_t elements = whole.size() / element_bytes, parts = static_cast<std::size_t>(positions);
  Pieces pieces{whole, {0}};
  for (std::size_t part = 0; part < parts; ++part)
    pieces.first.push_back(pieces.first.back() +
                           (elements / parts + (part < elements % parts ? 1 : 0)) * element_bytes);
  return pieces;
}

}  // namespace assay::inline v0::detail
