#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// What a word holds when it holds "0"; "1" is its complement.
struct Background {
  /// How the word depends on its place.
  enum class Kind {
    solid,        ///< `word` everywhere
    alternating,  ///< `word` and its complement in turn
    address,      ///< the word's own byte offset, XOR `word`
    random        ///< a hash of its index and `word`: every word another
  };

  Kind kind = Kind::solid;  ///< how the word depends on its place
  std::uint64_t word = 0;

  /// The word of that index. O(1).
  [[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t at(std::uint64_t index) const {
    switch (kind) {
      case Kind::solid: return word;
      case Kind::alternating: return index % 2 == 0 ? word : ~word;
      case Kind::address: return index * 8 ^ word;
      case Kind::random: break;
    }
    std::uint64_t bits = index + word;  // the finalizer of splitmix64
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
  }

  /// "0x5555555555555555", "own address", "random(7)".
  [[nodiscard]] std::string text() const;
};

/// Which backgrounds a test runs on.
enum class BackgroundSet {
  by_width,     ///< ⌈log₂ w⌉ + 1, by which any two bits of a word differ in one of them
  solid,        ///< zeros alone
  alternating,  ///< 0x55… and 0xAA… in turn
  walking,      ///< one bit set, at each place of the word
  addresses,    ///< each word its own address
  random_words  ///< of the seed
};

/// 0, 0x55…, 0x33…, 0x0F…, …: ⌈log₂ width⌉ + 1 words. Any two bits of a word hold every pair of values in one of them
/// or its complement, which coupling inside a word needs. Precondition: 1 ≤ width ≤ 64.
[[nodiscard]] inline std::vector<std::uint64_t> backgrounds_of_width(unsigned width) {
  std::vector<std::uint64_t> words{0};
  for (unsigned shift = 1; shift < width; shift *= 2) {
    std::uint64_t word = 0;
    for (unsigned bit = 0; bit < width; ++bit)
      if (bit / shift % 2 == 0) word |= std::uint64_t{1} << bit;
    words.push_back(word);
  }
  return words;
}

/// The backgrounds of a set for words of `width` bits. Precondition: 1 ≤ width ≤ 64.
[[nodiscard]] std::vector<Background> backgrounds_of(BackgroundSet set, unsigned width, std::uint64_t seed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/background.ipp"
#endif
