#include "assay/formats/packed_view.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using assay::CodePacking;
using assay::FormatTraits;
using assay::Index;
using assay::PackedView;

static_assert(std::is_trivially_copyable_v<PackedView<assay::float4_e2m1fn>>);
static_assert(std::is_convertible_v<PackedView<assay::nf4>, PackedView<const assay::nf4>> &&
              !std::is_convertible_v<PackedView<const assay::nf4>, PackedView<assay::nf4>>);

namespace {

template <class View>
concept Writable = requires(View view) {
  view.set(0, typename View::Value{});
};
static_assert(Writable<PackedView<assay::int4_t>> && !Writable<PackedView<const assay::int4_t>>);

/// All bits of all codes, one after another, as `low_first` (`high_first`) says, by single bits.
template <class T>
std::vector<std::uint8_t> by_single_bits(const std::vector<T>& values, bool low_first) {
  constexpr int bits = FormatTraits<T>::bits;
  std::vector<std::uint8_t> bytes((values.size() * bits + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int bit = 0; bit < bits; ++bit) {
      const std::size_t place = i * bits + static_cast<std::size_t>(bit);
      const int code_bit = low_first ? bit : bits - 1 - bit;
      const unsigned set = (static_cast<unsigned>(FormatTraits<T>::to_bits(values[i])) >> code_bit) & 1u;
      bytes[place / 8] = static_cast<std::uint8_t>(bytes[place / 8] | set << (low_first ? place % 8 : 7 - place % 8));
    }
  return bytes;
}

template <class T, CodePacking Packing>
void check_packing() {
  assay::testing::TestNumbers numbers(8);
  const auto mask = static_cast<unsigned>((1u << FormatTraits<T>::bits) - 1);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4},
                                  std::size_t{5}, std::size_t{33}, std::size_t{64}}) {
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(FormatTraits<T>::from_bits(static_cast<std::uint8_t>(numbers.bits() & mask)));
    const std::vector<std::uint8_t> expected = by_single_bits(values, Packing == CodePacking::low_first);
    for (const int garbage : {0x00, 0xFF, 0x5A}) {
      std::vector<std::uint8_t> bytes(expected.size() + 2, static_cast<std::uint8_t>(garbage));
      const PackedView<T, Packing> view{bytes.data() + 1, static_cast<Index>(count)};
      REQUIRE(view.bytes() == static_cast<Index>(expected.size()));
      for (std::size_t i = count; i-- > 0;) view.set(static_cast<Index>(i), values[i]);
      const PackedView<const T, Packing> reading = view;
      int wrong = 0;
      for (std::size_t i = 0; i < count; ++i)
        wrong +=
            FormatTraits<T>::to_bits(reading.get(static_cast<Index>(i))) != FormatTraits<T>::to_bits(values[i]) ? 1 : 0;
      const std::size_t used = count * FormatTraits<T>::bits % 8;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool ragged = i + 1 == expected.size() && used != 0;
        const auto own = static_cast<std::uint8_t>(!ragged                             ? 0xFF
                                                   : Packing == CodePacking::low_first ? (1 << used) - 1
                                                                                       : 0xFF00 >> used);
        wrong += bytes[i + 1] != ((expected[i] & own) | (garbage & ~own & 0xFF)) ? 1 : 0;
      }
      wrong += bytes.front() != garbage || bytes.back() != garbage ? 1 : 0;
      INFO(FormatTraits<T>::name() << ", " << count << " values");
      CHECK(wrong == 0);
    }
  }
}

template <class T>
void check_packings() {
  check_packing<T, CodePacking::low_first>();
  check_packing<T, CodePacking::high_first>();
}

}  // namespace

TEST_CASE("packed values stand where their bits say, and disturb no other bit", "[formats]") {
  check_packings<assay::float4_e2m1fn>();
  check_packings<assay::float6_e2m3fn>();
  check_packings<assay::float6_e3m2fn>();
  check_packings<assay::int2_t>();
  check_packings<assay::uint4_t>();
  check_packings<assay::nf4>();
  check_packings<assay::float8_e4m3fn>();
  check_packings<std::int8_t>();
}

TEST_CASE("the order of bits is that of the description", "[formats]") {
  std::uint8_t nibbles[1] = {0x21};
  CHECK(PackedView<assay::uint4_t>{nibbles, 2}.get(0).bits == 1);
  CHECK(PackedView<assay::uint4_t>{nibbles, 2}.get(1).bits == 2);
  CHECK(PackedView<assay::uint4_t, CodePacking::high_first>{nibbles, 2}.get(0).bits == 2);
  // a = 000001, b = 100010, c = 110011, d = 001100
  std::uint8_t six[3] = {0x81, 0x38, 0x33};
  const PackedView<assay::float6_e2m3fn> view{six, 4};
  CHECK(view.get(0).bits == 0x01);
  CHECK(view.get(1).bits == 0x22);
  CHECK(view.get(2).bits == 0x33);
  CHECK(view.get(3).bits == 0x0C);
  // a value whose code carries bits above its own, as a sign-extended integer might, writes only its own
  std::uint8_t byte[1] = {0x00};
  PackedView<assay::int4_t>{byte, 2}.set(0, assay::int4_t::from_bits(0xFF));
  CHECK(byte[0] == 0x0F);
}

TEST_CASE("packing works in constant expressions", "[formats]") {
  constexpr auto packed = [] {
    std::uint8_t bytes[2] = {};
    const PackedView<assay::int4_t> view{bytes, 4};
    for (Index i = 0; i < 4; ++i) view.set(i, assay::int4_t(static_cast<double>(i) - 2));
    return bytes[0] | bytes[1] << 8;
  };
  static_assert(packed() == 0x10FE);
  SUCCEED("checked by the compiler");
}
