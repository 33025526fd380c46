#include "assay/formats/code_packing.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// The bits of packed bytes in the order in which codes follow each other.
std::string bits_in_order(const std::vector<std::uint8_t>& bytes, CodePacking packing) {
  std::string text;
  for (std::uint8_t byte : bytes)
    for (int i = 0; i < 8; ++i) text += (byte >> (packing == CodePacking::low_first ? i : 7 - i) & 1) != 0 ? '1' : '0';
  return text;
}

}  // namespace

TEST_CASE("codes stand without gaps, from the low or from the high end") {
  for (CodePacking packing : {CodePacking::low_first, CodePacking::high_first})
    for (int bits : {1, 2, 4, 6, 8}) {
      const Index count = 23;
      INFO(bits << " bits");
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(packed_bytes(packing, bits, count)));
      CHECK(static_cast<Index>(bytes.size()) == (count * bits + 7) / 8);
      std::string expected;
      for (Index i = 0; i < count; ++i) {
        const std::uint32_t code = static_cast<std::uint32_t>(i * 37 + 11) & ((1u << bits) - 1);
        write_code(bytes.data(), packing, bits, i, code);
        for (int b = 0; b < bits; ++b)
          expected += (code >> (packing == CodePacking::low_first ? b : bits - 1 - b) & 1) != 0 ? '1' : '0';
      }
      CHECK(bits_in_order(bytes, packing).substr(0, expected.size()) == expected);
      for (Index i = 0; i < count; ++i)
        CHECK(read_code(bytes.data(), packing, bits, i) ==
              (static_cast<std::uint32_t>(i * 37 + 11) & ((1u << bits) - 1)));
    }
}

TEST_CASE("the first of two nibbles is the low one, or the high one") {
  const std::uint8_t byte = 0x21;
  CHECK(read_code(&byte, CodePacking::low_first, 4, 0) == 1);
  CHECK(read_code(&byte, CodePacking::low_first, 4, 1) == 2);
  CHECK(read_code(&byte, CodePacking::high_first, 4, 0) == 2);
  CHECK(read_code(&byte, CodePacking::high_first, 4, 1) == 1);
}

TEST_CASE("writing one code leaves its neighbors") {
  for (CodePacking packing : {CodePacking::low_first, CodePacking::high_first, CodePacking::bytes})
    for (int bits : {2, 4, 6}) {
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(packed_bytes(packing, bits, 8)), 0);
      const std::uint32_t ones = (1u << bits) - 1;
      for (Index i = 0; i < 8; ++i) write_code(bytes.data(), packing, bits, i, ones);
      write_code(bytes.data(), packing, bits, 3, 0);
      for (Index i = 0; i < 8; ++i) CHECK(read_code(bytes.data(), packing, bits, i) == (i == 3 ? 0 : ones));
    }
}

TEST_CASE("a code a byte shows bits that should not be there") {
  const std::uint8_t byte = 0x95;
  CHECK(read_code(&byte, CodePacking::bytes, 4, 0) == 0x95);
  CHECK(packed_bytes(CodePacking::bytes, 4, 7) == 7);
}
