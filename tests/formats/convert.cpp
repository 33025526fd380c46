#include "assay/formats/convert.hpp"

#include <array>
#include <span>
#include <string>

#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/small_integer.hpp"
#include "assay/formats/tfloat32.hpp"
#include "formats/convert_inputs.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::all_codes;
using assay::testing::all_roundings;
using assay::testing::available_instruction_sets;
using assay::testing::contains;
using assay::testing::deciding_values;
using assay::testing::differing;
using assay::testing::random_patterns;

namespace {

constexpr std::array overflows{Overflow::ieee, Overflow::saturate};

template <class To, class From>
std::vector<To> one_by_one(const std::vector<From>& values, Rounding rounding, Overflow overflow) {
  std::vector<To> codes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) codes[i] = encode<To>(decode(values[i]), rounding, overflow);
  return codes;
}

/// All paths against the scalar one, rounded to nearest even.
template <class To, class From>
void check_paths(const std::vector<From>& values) {
  for (Overflow overflow : overflows) {
    const std::vector<To> expected = one_by_one<To>(values, Rounding::nearest_even, overflow);
    for (InstructionSet set : available_instruction_sets())
      for (bool streamed : {false, true}) {
        INFO(FormatTraits<From>::name() << " to " << FormatTraits<To>::name() << ", " << std::string(name_of(set))
                                        << (streamed ? ", streamed" : "")
                                        << (overflow == Overflow::saturate ? ", saturated" : ""));
        std::vector<To> actual(values.size());
        detail::convert_range(values.data(), actual.data(), values.size(), Rounding::nearest_even, overflow, streamed,
                              set);
        CHECK(differing(actual, expected) == 0);
      }
  }
}

template <class T>
void check_both_ways(std::size_t patterns) {
  check_paths<T>(deciding_values(FormatTraits<T>::layout));
  check_paths<T>(random_patterns(patterns));
  check_paths<float32>(all_codes<T>());
}

/// The public function in every mode.
template <class To, class From>
void check_modes(const std::vector<From>& values) {
  for (Rounding rounding : all_roundings)
    for (Overflow overflow : overflows) {
      INFO(FormatTraits<From>::name() << " to " << FormatTraits<To>::name() << ", rounding "
                                      << static_cast<int>(rounding) << ", overflow " << static_cast<int>(overflow));
      std::vector<To> actual(values.size());
      convert(values, actual, rounding, overflow);
      CHECK(differing(actual, one_by_one<To>(values, rounding, overflow)) == 0);
    }
}

/// Every address within a line of 64 bytes and every short length: the same codes, and nothing beside them is written.
template <class From, class To>
void check_addresses(const std::vector<From>& values) {
  constexpr std::size_t line = 64, longest = 70, guard = 64;
  REQUIRE(values.size() >= line + longest);
  const std::vector<To> expected = one_by_one<To>(values, Rounding::nearest_even, Overflow::ieee);
  alignas(64) unsigned char memory[2 * guard + (line + longest) * sizeof(To)];
  std::size_t wrong = 0;
  for (InstructionSet set : available_instruction_sets())
    for (bool streamed : {false, true})
      for (std::size_t offset = 0; offset < line; offset += sizeof(To))
        for (std::size_t length = 0; length <= longest; ++length) {
          const std::size_t first = (offset * 5 + length) % (line / sizeof(From));
          const std::vector<From> source(
              values.begin() + static_cast<std::ptrdiff_t>(first),
              values.begin() + static_cast<std::ptrdiff_t>(first + length));  // a sanitizer sees its ends
          std::memset(memory, 0xa5, sizeof memory);
          unsigned char* const target = memory + guard + offset;
          detail::convert_range(length % 2 == 0 ? source.data() : values.data() + first, reinterpret_cast<To*>(target),
                                length, Rounding::nearest_even, Overflow::ieee, streamed, set);
          wrong += length > 0 && std::memcmp(target, expected.data() + first, length * sizeof(To)) != 0 ? 1 : 0;
          for (const unsigned char* byte = memory; byte < memory + sizeof memory; ++byte)
            wrong += (byte < target || byte >= target + length * sizeof(To)) && *byte != 0xa5 ? 1 : 0;
        }
  INFO(FormatTraits<From>::name() << " to " << FormatTraits<To>::name());
  CHECK(wrong == 0);
}

std::vector<float> short_values() {
  std::vector<float> values(140);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i % 7 == 0 ? 1e9 : 0.37 * static_cast<double>(i) - 11);
  return values;
}

}  // namespace

TEST_CASE("vectors convert float32 to each narrow format, and each of its codes back, as the scalar functions do") {
  check_both_ways<bfloat16>(10'000'000);
  check_both_ways<float16>(10'000'000);
  check_both_ways<float8_e4m3fn>(10'000'000);
  check_both_ways<float8_e5m2>(10'000'000);
  check_both_ways<float8_e4m3fnuz>(1'000'000);
  check_both_ways<float8_e5m2fnuz>(1'000'000);
  check_both_ways<float8_e4m3b11fnuz>(100'000);
  check_both_ways<float8_e4m3>(100'000);
  check_both_ways<float8_e3m4>(100'000);
  check_both_ways<float6_e2m3fn>(100'000);
  check_both_ways<float6_e3m2fn>(100'000);
  check_both_ways<float4_e2m1fn>(100'000);
  check_paths<float32>(random_patterns(100'000));  // one NaN for all
  check_paths<float32>(deciding_values(FormatTraits<bfloat16>::layout));
}

TEST_CASE("narrow formats convert to each other in one rounding") {
  check_paths<float8_e4m3fn>(all_codes<float16>());
  check_paths<float8_e5m2>(all_codes<float16>());
  check_paths<bfloat16>(all_codes<float16>());
  check_paths<float16>(all_codes<bfloat16>());
  check_paths<float8_e5m2fnuz>(all_codes<bfloat16>());
  check_paths<bfloat16>(all_codes<float8_e4m3fnuz>());
  check_paths<float16>(all_codes<float8_e5m2>());
  check_paths<float8_e4m3fn>(all_codes<float8_e5m2fnuz>());
  check_paths<float4_e2m1fn>(all_codes<float8_e4m3fn>());
  check_paths<float8_e4m3fn>(all_codes<float4_e2m1fn>());
}

TEST_CASE("results agree with rounding by search in a table") {
  const testing::RoundingOracle oracle(FormatTraits<float8_e4m3fn>::layout);
  const auto values = deciding_values(FormatTraits<float8_e4m3fn>::layout);
  std::vector<float8_e4m3fn> codes(values.size());
  convert(values, codes);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i])) wrong += codes[i].bits != oracle.round(values[i], Rounding::nearest_even) ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("the values of these tests tell wrong conversions from right ones") {
  const auto values = deciding_values(FormatTraits<bfloat16>::layout);
  const auto right = one_by_one<bfloat16>(values, Rounding::nearest_even, Overflow::ieee);
  std::vector<bfloat16> truncated(values.size()), half_up(values.size()), with_payload(values.size()),
      flushed(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto word = __builtin_bit_cast(std::uint32_t, values[i]);
    const bool nan = std::isnan(values[i]);
    truncated[i] = nan ? right[i] : bfloat16::from_bits(static_cast<std::uint16_t>(word >> 16));
    half_up[i] = nan ? right[i] : bfloat16::from_bits(static_cast<std::uint16_t>((word + 0x8000) >> 16));
    with_payload[i] = nan ? bfloat16::from_bits(static_cast<std::uint16_t>(word >> 16 | 0x40)) : right[i];
    flushed[i] = (right[i].bits & 0x7f80) == 0 ? bfloat16::from_bits(right[i].bits & 0x8000) : right[i];
  }
  CHECK(differing(truncated, right) > 10'000);
  CHECK(differing(half_up, right) > 10'000);
  CHECK(differing(with_payload, right) > 100);
  CHECK(differing(flushed, right) > 200);
}

TEST_CASE("every rounding and overflow is the scalar one's, with or without vectors") {
  check_modes<float8_e4m3fn>(deciding_values(FormatTraits<float8_e4m3fn>::layout));
  check_modes<float8_e5m2fnuz>(deciding_values(FormatTraits<float8_e5m2fnuz>::layout));
  check_modes<float32>(all_codes<float16>());
  check_modes<float32>(all_codes<float8_e5m2>());
  check_modes<float8_e5m2>(all_codes<float16>());
}

TEST_CASE("other formats convert one by one, or by a table") {
  check_modes<float64>(all_codes<float16>());
  check_modes<float64>(all_codes<float8_e4m3fn>());
  check_modes<float64>(std::vector<float8_e4m3fn>(all_codes<float8_e4m3fn>()));
  auto repeated = all_codes<float8_e5m2>();
  for (int times = 0; times < 2; ++times)
    repeated.insert(repeated.end(), repeated.begin(), repeated.begin() + 256);  // long enough for a table
  check_modes<float64>(repeated);
  check_modes<int4_t>(repeated);
  check_modes<float8_e4m3>(repeated);
  check_modes<float16>(
      std::vector<float64>{0.0, -0.0, 1.0, 1e300, -1e300, 0x1p-1074, 0x1.ffcp15, 0x1.ffep15, std::nan(""), -HUGE_VAL});
  check_modes<float64>(std::vector<float64>{0.0, -0.0, 1.0, 1e300, 0x1p-1074, std::nan(""), -std::nan("1"), -HUGE_VAL});
  check_modes<float32>(std::vector<float64>{1e300, -1e300, 0.1, 0x1p-149, 0x1p-150, 0x1.8p-150, std::nan("")});
  check_modes<int4_t>(std::vector<float32>{0.5F, 1.5F, -8.5F, 100.0F, std::nanf("")});
  check_modes<tfloat32>(deciding_values(FormatTraits<float16>::layout));  // codes are the upper bits of what is stored
  check_modes<float32>(std::vector<tfloat32>{tfloat32(1.5), tfloat32::from_container(0x3f801fff), tfloat32(-0.0),
                                             tfloat32(HUGE_VAL), tfloat32::from_container(0x7f802000)});
  check_modes<nf4>(deciding_values(FormatTraits<float8_e3m4>::layout));
}

TEST_CASE("the sign and the payload of a NaN are lost, the sign of a zero is not") {
  const std::array<float, 4> values{__builtin_bit_cast(float, 0xffc12345u), __builtin_bit_cast(float, 0x7f800001u),
                                    -0.0F, 0x1p-149F};
  std::array<bfloat16, 4> codes{};
  convert(values, codes);
  CHECK(codes[0].bits == 0x7fc0);
  CHECK(codes[1].bits == 0x7fc0);
  CHECK(codes[2].bits == 0x8000);
  CHECK(codes[3].bits == 0);
  std::array<float8_e4m3fnuz, 4> without_negative_zero{};
  convert(std::span<const float>(values), std::span(without_negative_zero));
  CHECK(without_negative_zero[2].bits == 0);
}

TEST_CASE("any address and any length: what is beside stays as it is") {
  const auto values = short_values();
  check_addresses<float, float8_e4m3fn>(values);
  check_addresses<float, bfloat16>(values);
  check_addresses<float, float>(values);
  check_addresses<float8_e4m3fn, float>(one_by_one<float8_e4m3fn>(values, Rounding::nearest_even, Overflow::ieee));
  check_addresses<float16, float>(one_by_one<float16>(values, Rounding::nearest_even, Overflow::ieee));
  check_addresses<float16, float8_e5m2>(one_by_one<float16>(values, Rounding::nearest_even, Overflow::ieee));
}

TEST_CASE("the caller's floating-point environment changes nothing, and is restored") {
  const auto values = deciding_values(FormatTraits<float16>::layout);
  const auto subnormal_codes = all_codes<bfloat16>();
  const auto expected = one_by_one<float16>(values, Rounding::nearest_even, Overflow::ieee);
  const auto expected_back = one_by_one<float32>(subnormal_codes, Rounding::nearest_even, Overflow::ieee);
  const auto expected_wide = one_by_one<float64>(values, Rounding::nearest_even, Overflow::ieee);
  for (RoundingDirection direction : {RoundingDirection::to_nearest, RoundingDirection::downward,
                                      RoundingDirection::upward, RoundingDirection::toward_zero})
    for (bool flush : {false, true}) {
      FloatingPointState state;
      state.rounding = direction;
      state.flush_results = state.flush_operands = flush && FloatingPointState::complete;
      std::vector<float16> codes(values.size());
      std::vector<float32> back(subnormal_codes.size());
      std::vector<float64> wide(values.size());
      FloatingPointState after;
      with_floating_point_state(state, [&] {
        convert(values, codes);
        convert(subnormal_codes, back);
        convert(values, wide);
        after = FloatingPointState::current();
      });
      CHECK(after == state);
      CHECK(differing(codes, expected) == 0);
      CHECK(differing(back, expected_back) == 0);
      CHECK(differing(wide, expected_wide) == 0);
    }
}

TEST_CASE("outputs too large for a cache are the same") {
  const std::size_t count = detail::streamed_bytes / sizeof(float) + 13;
  std::vector<float8_e4m3fn> codes(count);
  for (std::size_t i = 0; i < count; ++i) codes[i].bits = static_cast<std::uint8_t>(i * 37 >> 3);
  std::vector<float> values(count + 1, 7.0F);
  convert(codes.data(), values.data(), count);
  std::size_t wrong = 0;
  std::array<float, 256> table{};
  convert(all_codes<float8_e4m3fn>(), table);
  for (std::size_t i = 0; i < count; ++i)
    wrong += std::memcmp(&values[i], &table[codes[i].bits], sizeof(float)) != 0 ? 1 : 0;
  CHECK(wrong == 0);
  CHECK(values.back() == 7.0F);
}

TEST_CASE("misuse of convert is told") {
  std::vector<float> values(8);
  std::vector<bfloat16> codes(7);
  CHECK_THROWS_WITH(convert(values, codes), contains("8 elements") && contains("7"));
  CHECK_THROWS_WITH(convert(values.data(), static_cast<bfloat16*>(nullptr), 8), contains("null target"));
  CHECK_THROWS_WITH(convert(static_cast<const float*>(nullptr), codes.data(), 7), contains("null source"));
  CHECK_NOTHROW(convert(static_cast<const float*>(nullptr), codes.data(), 0));
  CHECK_THROWS_WITH(convert(values.data(), values.data() + 7, 8), contains("memory in common"));
  CHECK_THROWS_WITH(convert(values.data() + 7, values.data(), 8), contains("memory in common"));
  CHECK_NOTHROW(convert(values.data(), values.data() + 4, 4));
  CHECK_NOTHROW(convert(values.data() + 4, values.data(), 4));
}
