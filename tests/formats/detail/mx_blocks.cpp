#include "assay/formats/detail/mx_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "assay/core/floating_point_guard.hpp"
#include "assay/formats/small_formats.hpp"
#include "formats/convert_inputs.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::detail::MxBlock;
using assay::testing::available_instruction_sets;
using assay::testing::differing;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Blocks with largest values in each binade of float32, among them blocks of zeros, of subnormal numbers, and with
/// infinities or NaN.
std::vector<float> blocks_of_every_size(std::size_t blocks) {
  testing::TestNumbers numbers(4);
  std::vector<float> values(32 * blocks);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t largest = static_cast<std::uint32_t>(i / 32 % 257),
                        random = static_cast<std::uint32_t>(numbers.bits() >> 32);
    const std::uint32_t below = static_cast<std::uint32_t>(numbers.bits() % 7);
    std::uint32_t exponent = largest > below ? largest - below : 0;
    if (largest == 255 && i % 32 != 5) exponent = 20;
    std::uint32_t word = (random & 0x807fffffu) | exponent << 23;
    if (random % 3 == 0) word &= 0xffe00000u;  // ties
    values[i] = largest == 256 ? (i % 2 == 0 ? 0.0F : -0.0F) : __builtin_bit_cast(float, word);
  }
  return values;
}

/// All values where rounding to the element is decided, with scale 1: a power of two that is the largest magnitude
/// begins each block.
template <class Element>
std::vector<float> blocks_of_deciding_values() {
  const float largest = std::ldexp(1.0F, static_cast<int>(MxBlock<Element>::max_exponent));
  std::vector<float> values;
  for (const float value : testing::deciding_values(FormatTraits<Element>::layout)) {
    if (!(std::fabs(value) < 2 * largest)) continue;
    if (values.size() % 32 == 0) values.push_back(largest);
    values.push_back(value);
  }
  values.resize((values.size() + 31) / 32 * 32);
  return values;
}

/// Memory whose first byte has a certain offset from a multiple of 64, with bytes after its end that must stay as they
/// are.
template <class T>
class Room {
 public:
  Room(std::size_t count, std::size_t offset_bytes) : count_(count), bytes_(count * sizeof(T) + 256, 0xa5) {
    offset_ = 64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64 + offset_bytes;
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data() + offset_); }
  std::vector<T> contents() {
    std::vector<T> values(count_);
    if (count_ > 0) std::memcpy(values.data(), bytes_.data() + offset_, count_ * sizeof(T));
    return values;
  }
  [[nodiscard]] bool beside_untouched() const {
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      if ((i < offset_ || i >= offset_ + count_ * sizeof(T)) && bytes_[i] != 0xa5) return false;
    return true;
  }

 private:
  std::size_t count_, offset_;
  std::vector<unsigned char> bytes_;
};

template <class Element>
void check_element() {
  using Block = MxBlock<Element>;
  auto values = blocks_of_every_size(5 * 257);
  const auto deciding = blocks_of_deciding_values<Element>();
  REQUIRE(deciding.size() > 32 * 3);
  values.insert(values.end(), deciding.begin(), deciding.end());
  const std::size_t blocks = values.size() / 32;
  Bytes scales(blocks), codes(blocks * Block::code_bytes), any_scales(blocks), any_codes(codes.size());
  testing::TestNumbers numbers(5);
  for (auto& scale : any_scales) scale = static_cast<std::uint8_t>(&scale - any_scales.data());
  for (auto& code : any_codes) code = static_cast<std::uint8_t>(numbers.bits() >> 32);
  std::vector<float> decoded(values.size());
  for (std::size_t block = 0; block < blocks; ++block) {
    Block::encode(&values[32 * block], scales[block], &codes[block * Block::code_bytes]);
    Block::decode(any_scales[block], &any_codes[block * Block::code_bytes], &decoded[32 * block]);
  }
  for (InstructionSet set : available_instruction_sets()) {
    INFO(FormatTraits<Element>::name() << ", " << std::string(name_of(set)));
    for (bool streamed : {false, true}) {
      for (const std::size_t offset : {0U, 1U, 16U, 32U}) {
        Bytes actual_scales(blocks);
        Room<std::uint8_t> room(codes.size(), offset);
        detail::encode_mx_blocks<Element>(values.data(), actual_scales.data(), room.data(), blocks, streamed, set);
        CHECK(differing(actual_scales, scales) == 0);
        CHECK(differing(room.contents(), codes) == 0);
        CHECK(room.beside_untouched());
      }
      for (const std::size_t offset : {0U, 4U, 16U, 32U}) {
        Room<float> room(values.size(), offset);
        detail::decode_mx_blocks<Element>(any_scales.data(), any_codes.data(), room.data(), blocks, streamed, set);
        CHECK(differing(room.contents(), decoded) == 0);
        CHECK(room.beside_untouched());
      }
    }
    for (const std::size_t few : {0U, 1U, 15U, 16U, 17U}) {  // around the size of a batch
      Bytes actual_scales(few + 1, 0xa5);
      Room<std::uint8_t> room(few * Block::code_bytes, 0);
      detail::encode_mx_blocks<Element>(values.data(), actual_scales.data(), room.data(), few, false, set);
      CHECK(std::equal(actual_scales.begin(), actual_scales.end() - 1, scales.begin()));
      CHECK(actual_scales.back() == 0xa5);
      CHECK(room.contents() ==
            Bytes(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(few * Block::code_bytes)));
      CHECK(room.beside_untouched());
    }
  }
}

}  // namespace

TEST_CASE("vectors encode and decode MX blocks as the scalar functions do") {
  check_element<float4_e2m1fn>();
  check_element<float6_e2m3fn>();
  check_element<float6_e3m2fn>();
  check_element<float8_e4m3fn>();
  check_element<float8_e5m2>();
}

TEST_CASE("an MX block by hand") {
  std::vector<float> values(32);
  const float first[] = {12.0F, -2.0F, 0.5F,   1.5F,
                         2.5F,  11.0F, -13.9F, 0.0F};  // amax 13.9: exponent 3, scale 2^(3 − 2)
  for (std::size_t i = 0; i < 8; ++i) values[i] = first[i];
  for (InstructionSet set : available_instruction_sets()) {
    std::uint8_t scale = 0;
    Bytes codes(16);
    detail::encode_mx_blocks<float4_e2m1fn>(values.data(), &scale, codes.data(), 1, false, set);
    CHECK(scale == 128);
    // halves: 6, −1, 0.25 (tie, to 0), 0.75 (tie, to 1), 1.25 (tie, to 1), 5.5 (above the tie, to 6), −6.95
    // (saturates), 0
    CHECK(codes[0] == 0xa7);
    CHECK(codes[1] == 0x20);
    CHECK(codes[2] == 0x72);
    CHECK(codes[3] == 0x0f);
  }
}

TEST_CASE("special MX blocks") {
  using Block = MxBlock<float4_e2m1fn>;
  CHECK(Block::scale_of(0) == 0);
  CHECK(Block::scale_of(0x7f7fffff) == 252);
  CHECK(Block::scale_of(0x7f800000) == Block::nan_scale);
  CHECK(Block::scale_of(0x7fc00001) == Block::nan_scale);
  CHECK(Block::scale_value(127) == 1.0F);
  CHECK(Block::scale_value(0) == 0x1p-127F);
  CHECK(std::isnan(Block::scale_value(255)));
}
