#include "assay/formats/quick_decoder.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

#include "assay/formats.hpp"

using namespace assay;

namespace {
template <class T>
void require_decodes_as_the_format() {
  const ElementFormat format = element_format<T>();
  const detail::QuickDecoder decoder(format);
  CHECK(decoder.ready());
  const int bits = format.is_float() ? format.layout.bits() : 8 * format.bytes;
  const std::uint64_t most = bits < 20 ? std::uint64_t{1} << bits : std::uint64_t{1} << 20;
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < most; ++i) {
    // of wide formats codes all over the range, and the first and last of them: subnormal numbers, infinities and NaNs
    const std::uint64_t mask = (std::uint64_t{2} << (bits - 1)) - 1;
    const std::uint64_t code = (bits < 20    ? i
                                : i % 4 == 0 ? i / 4
                                : i % 4 == 1 ? ~(i / 4)
                                : i % 4 == 2 ? format.encode(double{max_finite<float32>()}) + i / 64 - 4096
                                             : i * 0x9E3779B97F4A7C15) &
                               mask;
    wrong += detail::bits_of(decoder(code)) == detail::bits_of(format.decode(code)) ? 0 : 1;
  }
  INFO(format.name);
  CHECK(wrong == 0);
}
}  // namespace

TEST_CASE("a quick decoder has every code's value, to the bit") {
  const auto require = []<class... T>() { (require_decodes_as_the_format<T>(), ...); };
  require.operator()<float32, float64, bfloat16, float16, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz,
                     float8_e8m0fnu, float6_e3m2fn, float4_e2m1fn>();
  require.operator()<std::int8_t, std::uint8_t>();
  CHECK(!detail::QuickDecoder().ready());
}
