#include "assay/core/checksum.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace assay;

TEST_CASE("the checksum is that of zlib") {
  CHECK(detail::crc32("") == 0);
  CHECK(detail::crc32("123456789") == 0xCBF43926u);
  CHECK(detail::crc32("The quick brown fox jumps over the lazy dog") == 0x414FA339u);
  // By the definition, bit by bit: eight bytes a step are the same, whatever the length.
  std::string text;
  for (int length = 0; length < 70; ++length) {
    std::uint32_t value = 0xFFFFFFFFu;
    for (const char letter : text) {
      value ^= static_cast<unsigned char>(letter);
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
    }
    CHECK(detail::crc32(text) == ~value);
    text += static_cast<char>(length * 37 + 200);
  }
}
