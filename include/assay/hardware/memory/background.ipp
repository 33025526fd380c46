#pragma once

#include "assay/hardware/memory/background.hpp"

#include "assay/hardware/detail/hexadecimal.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string Background::text() const {
  switch (kind) {
    case Kind::solid: return detail::hexadecimal(word);
    case Kind::alternating: return detail::hexadecimal(word) + " and its complement in turn";
    case Kind::address: return "own address";
    case Kind::random: break;
  }
  return "random(" + std::to_string(word) + ")";
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Background> backgrounds_of(BackgroundSet set, unsigned width,
                                                                  std::uint64_t seed) {
  using Kind = Background::Kind;
  std::vector<Background> found;
  switch (set) {
    case BackgroundSet::by_width:
      for (const std::uint64_t word : backgrounds_of_width(width)) found.push_back({Kind::solid, word});
      break;
    case BackgroundSet::solid: found.push_back({Kind::solid, 0}); break;
    case BackgroundSet::alternating: found.push_back({Kind::alternating, 0x5555555555555555u}); break;
    case BackgroundSet::walking:
      for (unsigned bit = 0; bit < width; ++bit) found.push_back({Kind::solid, std::uint64_t{1} << bit});
      break;
    case BackgroundSet::addresses: found.push_back({Kind::address, 0}); break;
    case BackgroundSet::random_words: found.push_back({Kind::random, seed}); break;
  }
  return found;
}

}  // namespace assay::inline v0
