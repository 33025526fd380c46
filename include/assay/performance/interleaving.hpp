#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

/// In which order contenders are measured.
enum class Interleaving {
  /// all of the first, all of the second, …: what drifts meanwhile (clock, heat, neighbors) counts as a difference. For
  /// what cannot alternate
  blocks,
  random,  ///< rounds, each in an order of its own: drift hits all alike
  /// rounds by Williams' design: each contender equally often in every place, and equally often behind every other,
  /// whose heat and caches it inherits
  balanced
};

/// Whose turn it is: every contender `rounds` times. The same for equal arguments, on every machine. `balanced` is
/// exact where `rounds` is a multiple of the contenders, or of twice their number if it is odd. O(contenders · rounds).
/// Source: Williams, "Experimental designs balanced for the estimation of residual effects of treatments", Australian
/// Journal of Scientific Research A 2 (1949). Misuse: more than 2^32 contenders.
[[nodiscard]] std::vector<std::size_t> interleaved_order(std::size_t contenders, std::size_t rounds, Interleaving how,
                                                         std::uint64_t seed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/interleaving.ipp"
#endif
