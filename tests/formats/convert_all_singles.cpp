// Every float32 to each 8-bit format, against rounding by a table. Takes minutes: hidden, `ctest -C long -L long` runs
// it. Run on 2026-11-21 (g++ 12 -O2, baseline and AVX2 vectors, the scalar path where overflow is IEEE 754's): 7
// formats × 2 overflows × 2^32 inputs, 0 wrong; 13 minutes of processor time.

#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "assay/formats/convert.hpp"
#include "assay/formats/small_formats.hpp"
#include "formats/convert_inputs.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::available_instruction_sets;
using assay::testing::RoundingOracle;

namespace {

/// Codes of ascending magnitudes: a walk along the midpoints between a format's values, all of which double holds.
class Walk {
 public:
  Walk(const RoundingOracle& oracle, Overflow overflow) {
    const std::vector<double>& values = oracle.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      middles_.push_back(values[i] + ((i + 1 < values.size() ? values[i + 1] : oracle.beyond()) - values[i]) / 2);
      for (bool negative : {false, true})
        codes_[negative].push_back(
            static_cast<std::uint8_t>(oracle.round(negative ? -values[i] : values[i], Rounding::nearest_even)));
    }
    for (bool negative : {false, true})
      codes_[negative].push_back(
          static_cast<std::uint8_t>(oracle.round(negative ? -HUGE_VAL : HUGE_VAL, Rounding::nearest_even, overflow)));
  }

  [[nodiscard]] std::uint8_t code_of(double magnitude, bool negative) {
    while (at_ < middles_.size() && (magnitude > middles_[at_] || (magnitude == middles_[at_] && at_ % 2 == 1))) ++at_;
    return codes_[negative][at_];
  }

 private:
  std::vector<double> middles_;
  std::array<std::vector<std::uint8_t>, 2> codes_;
  std::size_t at_ = 0;
};

constexpr std::uint64_t block = std::uint64_t{1} << 20, blocks = (std::uint64_t{1} << 32) / block;

/// How many of the float32 values of a block become another code than expected.
template <class T>
std::uint64_t wrong_in_block(std::uint64_t index, Overflow overflow, std::uint8_t nan) {
  std::vector<float> values(block);
  std::vector<std::uint8_t> expected(block);
  Walk walk{RoundingOracle(FormatTraits<T>::layout), overflow};
  for (std::uint64_t i = 0; i < block; ++i) {
    const auto word = static_cast<std::uint32_t>(index * block + i);
    values[i] = __builtin_bit_cast(float, word);
    const std::uint32_t magnitude = word & 0x7fffffff;
    expected[i] = magnitude > 0x7f800000 ? nan : walk.code_of(__builtin_bit_cast(float, magnitude), word >> 31 != 0);
  }
  std::uint64_t wrong = 0;
  std::vector<T> codes(block);
  const auto count = [&] {
    for (std::uint64_t i = 0; i < block; ++i) wrong += codes[i].bits != expected[i] ? 1 : 0;
  };
  for (InstructionSet set : available_instruction_sets()) {
    detail::convert_range(values.data(), codes.data(), block, Rounding::nearest_even, overflow, false, set);
    count();
  }
  if (overflow == Overflow::ieee) {
    detail::convert_each(values.data(), codes.data(), block, Rounding::nearest_even, overflow);
    count();
  }
  return wrong;
}

template <class T>
void check_all(std::uint8_t nan) {
  for (Overflow overflow : {Overflow::ieee, Overflow::saturate}) {
    std::atomic<std::uint64_t> next{0}, wrong{0}, done{0};
    const auto work = [&] {
      for (std::uint64_t index = next++; index < blocks; index = next++) {
        wrong += wrong_in_block<T>(index, overflow, nan);
        done += block;
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    std::printf("f32 to %s, overflow %s: %llu inputs, %llu wrong\n", FormatTraits<T>::name(),
                overflow == Overflow::ieee ? "as in IEEE 754" : "saturated", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(wrong));
    CHECK(done == std::uint64_t{1} << 32);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("every float32 becomes the right code of each 8-bit format", "[.long]") {
  check_all<float8_e4m3fn>(0x7f);
  check_all<float8_e5m2>(0x7e);
  check_all<float8_e4m3fnuz>(0x80);
  check_all<float8_e5m2fnuz>(0x80);
  check_all<float8_e4m3b11fnuz>(0x80);
  check_all<float8_e4m3>(0x7c);
  check_all<float8_e3m4>(0x78);
}

TEST_CASE("the walk along the midpoints finds the codes of a block, and errors in them") {
  CHECK(wrong_in_block<float8_e4m3fn>(0x43e, Overflow::ieee, 0x7f) == 0);
  CHECK(wrong_in_block<float8_e4m3fn>(0xc3e, Overflow::saturate, 0x7f) == 0);
  CHECK(wrong_in_block<float8_e4m3fn>(0x7fc, Overflow::ieee, 0x7f) == 0);
  CHECK(wrong_in_block<float8_e4m3fn>(0x7fc, Overflow::ieee, 0xff) > 0);
  Walk saturating{RoundingOracle(FormatTraits<float8_e4m3fn>::layout), Overflow::saturate};
  CHECK(saturating.code_of(464, false) == 0x7e);
  CHECK(saturating.code_of(465, true) == 0xfe);
  Walk strict{RoundingOracle(FormatTraits<float8_e4m3fn>::layout), Overflow::ieee};
  CHECK(strict.code_of(464, false) == 0x7e);
  CHECK(strict.code_of(465, false) == 0x7f);
}
