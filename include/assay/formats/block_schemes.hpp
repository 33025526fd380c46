#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/formats/block_scaling.hpp"
#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"

namespace assay::inline v0 {

/// The block-scaled formats that have names. Each is a value: copy one and change a field for a vendor's variant.

/// OCP Microscaling Formats (MX) 1.0: 32 elements of a row share an e8m0 scale. The specification leaves a block with
/// NaN or infinities to the implementation; here its scale is NaN, as in the libraries.
[[nodiscard]] constexpr BlockScaling mx_scheme(const char* name, const CodeFormat& element,
                                               CodePacking packing = CodePacking::bytes) {
  BlockScaling scheme;
  scheme.name = name;
  scheme.element = element;
  scheme.packing = packing;
  scheme.block_columns = 32;
  scheme.scale = code_format<float8_e8m0fnu>();
  scheme.rule = ScaleRule::exponent_floor;
  scheme.specials = SpecialValueRule::poison_block;
  return scheme;
}
/// OCP MX, float8_e4m3fn with a scale for 32 elements of a row.
[[nodiscard]] constexpr BlockScaling mxfp8_e4m3() {
  return mx_scheme("mxfp8_e4m3", code_format<float8_e4m3fn>());
}
/// OCP MX, float8_e5m2 with a scale for 32 elements of a row.
[[nodiscard]] constexpr BlockScaling mxfp8_e5m2() {
  return mx_scheme("mxfp8_e5m2", code_format<float8_e5m2>());
}
/// OCP MX, float6_e2m3fn with a scale for 32 elements of a row.
[[nodiscard]] constexpr BlockScaling mxfp6_e2m3() {
  return mx_scheme("mxfp6_e2m3", code_format<float6_e2m3fn>());
}
/// Four codes in three bytes.
[[nodiscard]] constexpr BlockScaling mxfp6_e3m2() {
  return mx_scheme("mxfp6_e3m2", code_format<float6_e3m2fn>(), CodePacking::low_first);
}
/// OCP MX, float4_e2m1fn with a scale for 32 elements of a row, two elements a byte, the first one low.
[[nodiscard]] constexpr BlockScaling mxfp4() {
  return mx_scheme("mxfp4", code_format<float4_e2m1fn>(), CodePacking::low_first);
}
/// Fixed point: two's complement in units of 2^−6. The most negative code may be left unused, and may be used.
[[nodiscard]] constexpr BlockScaling mxint8() {
  BlockScaling scheme = mx_scheme("mxint8", integer_code_format("int8", 8, true, -127, 127, -6));
  scheme.lowest_may_be_used = true;
  return scheme;
}

/// NVFP4: 16 elements of a row share an e4m3 scale, all blocks a float32: amax / (448·6).
[[nodiscard]] constexpr BlockScaling nvfp4() {
  BlockScaling scheme;
  scheme.name = "nvfp4";
  scheme.element = code_format<float4_e2m1fn>();
  scheme.packing = CodePacking::low_first;
  scheme.block_columns = 16;
  scheme.scale = code_format<float8_e4m3fn>();
  scheme.rule = ScaleRule::maximum;
  scheme.tensor_scale = TensorScale::computed;
  scheme.specials = SpecialValueRule::poison_block;
  return scheme;
}

/// NVFP4 whose float32 is an input of the kernel, from calibration.
[[nodiscard]] constexpr BlockScaling nvfp4_given() {
  BlockScaling scheme = nvfp4();
  scheme.name = "nvfp4_given";
  scheme.tensor_scale = TensorScale::given;
  return scheme;
}

/// e4m3 elements with a float32 scale, amax / 448, for each block; extents of 0 mean the whole matrix.
[[nodiscard]] constexpr BlockScaling fp8_blocks(const char* name, Index block_rows, Index block_columns) {
  BlockScaling scheme;
  scheme.name = name;
  scheme.element = code_format<float8_e4m3fn>();
  scheme.block_rows = block_rows;
  scheme.block_columns = block_columns;
  scheme.scale = code_format<float32>();
  return scheme;
}
/// Float8_e4m3fn with a scale for 128 elements of a row, as activations of DeepSeek-V3 have.
[[nodiscard]] constexpr BlockScaling fp8_1x128() {
  return fp8_blocks("fp8_1x128", 1, 128);
}
/// Float8_e4m3fn with a scale for 128 × 128 elements, as weights of DeepSeek-V3 have.
[[nodiscard]] constexpr BlockScaling fp8_128x128() {
  return fp8_blocks("fp8_128x128", 128, 128);
}
/// Float8_e4m3fn with one scale for the whole tensor.
[[nodiscard]] constexpr BlockScaling fp8_tensor() {
  return fp8_blocks("fp8_tensor", 0, 0);
}
/// One scale that is an input of the kernel, from calibration.
[[nodiscard]] constexpr BlockScaling fp8_tensor_given() {
  BlockScaling scheme = fp8_blocks("fp8_tensor_given", 0, 0);
  scheme.rule = ScaleRule::given;
  return scheme;
}

/// Integers with a float32 scale, amax / highest; the most negative code is left unused.
[[nodiscard]] constexpr BlockScaling symmetric_integers(const char* name, int bits, Index block_rows,
                                                        Index block_columns) {
  BlockScaling scheme;
  scheme.name = name;
  const int highest = (1 << (bits - 1)) - 1;
  scheme.element = integer_code_format(bits == 4 ? "int4" : "int8", bits, true, -highest, highest);
  scheme.packing = bits < 8 ? CodePacking::low_first : CodePacking::bytes;
  scheme.block_rows = block_rows;
  scheme.block_columns = block_columns;
  scheme.scale = code_format<float32>();
  return scheme;
}
/// Integers with a float32 scale and a zero point that make the most of the range between the smallest and the largest
/// value.
[[nodiscard]] constexpr BlockScaling asymmetric_integers(const char* name, int bits, bool is_signed, Index block_rows,
                                                         Index block_columns) {
  BlockScaling scheme = symmetric_integers(name, bits, block_rows, block_columns);
  const int codes = 1 << bits;
  scheme.element =
      integer_code_format(is_signed ? (bits == 4 ? "int4" : "int8") : (bits == 4 ? "uint4" : "uint8"), bits, is_signed,
                          is_signed ? -codes / 2 : 0, is_signed ? codes / 2 - 1 : codes - 1);
  scheme.rule = ScaleRule::range;
  scheme.zero_points = true;
  return scheme;
}
/// Symmetric 8-bit integers with one scale for the whole tensor.
[[nodiscard]] constexpr BlockScaling int8_tensor() {
  return symmetric_integers("int8_tensor", 8, 0, 0);
}
/// Symmetric 8-bit integers with a scale a row.
[[nodiscard]] constexpr BlockScaling int8_channel() {
  return symmetric_integers("int8_channel", 8, 1, 0);
}
/// Unsigned 8-bit integers with one scale and one zero point for the whole tensor.
[[nodiscard]] constexpr BlockScaling uint8_tensor() {
  return asymmetric_integers("uint8_tensor", 8, false, 0, 0);
}
/// Signed 8-bit integers with a scale and a zero point a row.
[[nodiscard]] constexpr BlockScaling int8_channel_asymmetric() {
  return asymmetric_integers("int8_channel_asymmetric", 8, true, 1, 0);
}
/// Symmetric 4-bit integers with a scale for 128 elements of a row.
[[nodiscard]] constexpr BlockScaling int4_group128() {
  return symmetric_integers("int4_group128", 4, 1, 128);
}
/// Unsigned 4-bit integers with a scale and a zero point for 128 elements of a row.
[[nodiscard]] constexpr BlockScaling uint4_group128() {
  return asymmetric_integers("uint4_group128", 4, false, 1, 128);
}

/// NF4: 64 elements of a row share a float32, their largest magnitude. bitsandbytes, which cuts the whole matrix into
/// blocks, row after row, gives the same where the columns are a multiple of 64.
[[nodiscard]] constexpr BlockScaling nf4_blocks() {
  BlockScaling scheme;
  scheme.name = "nf4_64";
  scheme.element = table_code_format("nf4", NormalFloat4::table());
  scheme.packing = CodePacking::high_first;
  scheme.block_columns = 64;
  scheme.scale = code_format<float32>();
  return scheme;
}

/// All schemes of this header, in the order in which suites go through them.
inline constexpr std::array all_block_schemes{
    mxfp8_e4m3(),    mxfp8_e5m2(),     mxfp6_e2m3(),   mxfp6_e3m2(),
    mxfp4(),         mxint8(),         nvfp4(),        nvfp4_given(),
    fp8_1x128(),     fp8_128x128(),    fp8_tensor(),   fp8_tensor_given(),
    int8_tensor(),   int8_channel(),   uint8_tensor(), int8_channel_asymmetric(),
    int4_group128(), uint4_group128(), nf4_blocks()};

/// The scheme of that name; nothing where the name is unknown.
[[nodiscard]] inline std::optional<BlockScaling> block_scheme_named(std::string_view name) {
  for (const BlockScaling& scheme : all_block_schemes)
    if (name == scheme.name) return scheme;
  return std::nullopt;
}

}  // namespace assay::inline v0
