#include "assay/tensor/random_bits.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "testing/catch.hpp"

using assay::random_bits;
using assay::RandomBits;

namespace {

constexpr bool same(RandomBits bits, std::uint32_t w0, std::uint32_t w1, std::uint32_t w2, std::uint32_t w3) {
  return bits.words[0] == w0 && bits.words[1] == w1 && bits.words[2] == w2 && bits.words[3] == w3;
}

}  // namespace

TEST_CASE("random bits are Philox4x32-10, as its published known answers say", "[tensor]") {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  static_assert(same(random_bits(0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  static_assert(same(random_bits(ones, ones, ones), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  static_assert(same(random_bits(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e), 0xd16cfe09, 0x94fdcceb,
                     0x5001e420, 0x24126ea1));
  volatile std::uint64_t key = 0x299f31d0a4093822;  // at run time too: the compiler's evaluator is not the machine
  CHECK(same(random_bits(key, 0x85a308d3243f6a88, 0x0370734413198a2e), 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST_CASE("the two halves of random bits are their words, the lower first", "[tensor]") {
  constexpr RandomBits bits{{0x11111111, 0x22222222, 0x33333333, 0x44444444}};
  static_assert(bits.low() == 0x2222222211111111);
  static_assert(bits.high() == 0x4444444433333333);
  CHECK(bits.low() != bits.high());
}

TEST_CASE("every bit of key and counter changes the random bits", "[tensor]") {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  const auto record = [&](RandomBits bits) { seen.emplace(bits.low(), bits.high()); };
  record(random_bits(5, 6, 7));
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t flip = std::uint64_t{1} << bit;
    record(random_bits(5 ^ flip, 6, 7));
    record(random_bits(5, 6 ^ flip, 7));
    record(random_bits(5, 6, 7 ^ flip));
  }
  CHECK(seen.size() == 1 + 3 * 64);
}
