#include "assay/formats/detail/mx_blocks.hpp"

#include <cmath>
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
    const std::uint32_t largest = static_cast<std::uint32_t>(i / 32 % 257), random = static_cast<std::uint32_t>(numbers.bits() >> 32);
    const std::uint32_t below = static_cast<std::uint32_t>(numbers.bits() % 7);
    std::uint32_t exponent = largest > below ? largest - below : 0;
    if (largest == 255 && i % 32 != 5) exponent = 20;
    std::uint32_t word = (random & 0x807fffffu) | exponent << 23;
    if (random % 3 == 0) word &= 0xffe00000u;  // ties
    values[i] = largest == 256 ? (i % 2 == 0 ? 0.0F : -0.0F) : __builtin_bit_cast(float, word);
  }
  return values;
}

template <class Element>
void check_element() {
  using Block = MxBlock<Element>;
  constexpr std::size_t blocks = 5 * 257;
  const auto values = blocks_of_every_size(blocks);
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
    Bytes actual_scales(blocks), actual_codes(codes.size());
    detail::encode_mx_blocks<Element>(values.data(), actual_scales.data(), actual_codes.data(), blocks, set);
    CHECK(differing(actual_scales, scales) == 0);
    CHECK(differing(actual_codes, codes) == 0);
    for (bool streamed : {false, true})
      for (std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{8}}) {
        std::vector<float> room(values.size() + offset + 1, 3.0F);
        detail::decode_mx_blocks<Element>(any_scales.data(), any_codes.data(), room.data() + offset, blocks, streamed, set);
        CHECK(room.back() == 3.0F);
        CHECK(differing(std::vector<float>(room.begin() + static_cast<std::ptrdiff_t>(offset), room.end() - 1), decoded) == 0);
      }
  }
}

}  // namespace

TEST_CASE("vectors encode and decode MX blocks as the scalar functions do") {
  check_element<float4_e2m1fn>();
  check_element<float6_e2m3fn>();
  check_element<float8_e4m3fn>();
  check_element<float8_e5m2>();
}

TEST_CASE("an MX block by hand") {
  std::vector<float> values(32);
  const float first[] = {12.0F, -2.0F, 0.5F, 1.5F, 2.5F, 11.0F, -13.9F, 0.0F};  // amax 13.9: exponent 3, scale 2^(3 − 2)
  for (std::size_t i = 0; i < 8; ++i) values[i] = first[i];
  for (InstructionSet set : available_instruction_sets()) {
    std::uint8_t scale = 0;
    Bytes codes(16);
    detail::encode_mx_blocks<float4_e2m1fn>(values.data(), &scale, codes.data(), 1, set);
    CHECK(scale == 128);
    // halves: 6, −1, 0.25 (tie, to 0), 0.75 (tie, to 1), 1.25 (tie, to 1), 5.5 (above the tie, to 6), −6.95 (saturates), 0
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
