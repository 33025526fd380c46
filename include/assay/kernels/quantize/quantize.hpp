#pragma once

#include <cstdint>
#include <string>

#include "assay/formats/block_values.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/kernels/quantize/problem.hpp"

namespace assay::inline v0 {

namespace detail {
/// The code at a position of an array of 8, 16 or 32 bits.
[[nodiscard]] ASSAY_FUNCTION inline std::uint32_t load_scale(const void* scales, int bits, Index position) {
  if (bits == 8) return static_cast<const std::uint8_t*>(scales)[position];
  if (bits == 16) return static_cast<const std::uint16_t*>(scales)[position];
  return __builtin_bit_cast(std::uint32_t, static_cast<const float*>(scales)[position]);
}
ASSAY_FUNCTION inline void store_scale(void* scales, int bits, Index position, std::uint32_t code) {
  if (bits == 8)
    static_cast<std::uint8_t*>(scales)[position] = static_cast<std::uint8_t>(code);
  else if (bits == 16)
    static_cast<std::uint16_t*>(scales)[position] = static_cast<std::uint16_t>(code);
  else
    static_cast<float*>(scales)[position] = __builtin_bit_cast(float, code);
}
}  // namespace detail

/// A quantized matrix in somebody's memory. `Byte` and `Void` are const where it is only read.
template <class Byte, class Void, class Float>
struct QuantizedView {
  Byte* codes = nullptr;   ///< row r begins at r · layout.code_row_bytes
  Void* scales = nullptr;  ///< std::uint8_t, std::uint16_t or float by the bits of the scale format, at layout.scales
  Byte* zero_points =
      nullptr;  ///< codes of the element format, a byte each, at layout.scales; null without zero points
  Float* tensor_scale = nullptr;  ///< one; null without
  QuantizeLayout layout;

  /// The code of that element.
  [[nodiscard]] ASSAY_FUNCTION std::uint32_t code(const BlockScaling& scheme, Index row, Index column) const {
    return read_code(codes + row * layout.code_row_bytes, scheme.packing, scheme.element.bits, column);
  }
  /// The code of that block's scale.
  [[nodiscard]] ASSAY_FUNCTION std::uint32_t scale(const BlockScaling& scheme, Index block_row,
                                                   Index block_column) const {
    return detail::load_scale(scales, scheme.scale.bits, layout.scales.offset(block_row, block_column));
  }
  /// The zero point of that block; 0 without.
  [[nodiscard]] ASSAY_FUNCTION int zero_point(const BlockScaling& scheme, Index block_row, Index block_column) const {
    return scheme.zero_points ? scheme.element.integer_of(zero_points[layout.scales.offset(block_row, block_column)])
                              : 0;
  }
  /// 1 without a scale of the tensor.
  [[nodiscard]] ASSAY_FUNCTION double whole_scale(const BlockScaling& scheme) const {
    return scheme.tensor_scale == TensorScale::none ? 1.0 : static_cast<double>(*tensor_scale);
  }
};
using MutableQuantizedView = QuantizedView<std::uint8_t, void, float>;                  ///< what quantizing writes
using ConstQuantizedView = QuantizedView<const std::uint8_t, const void, const float>;  ///< what dequantizing reads

/// The same memory, for reading.
[[nodiscard]] ASSAY_FUNCTION inline ConstQuantizedView read_only(const MutableQuantizedView& view) {
  return {view.codes, view.scales, view.zero_points, view.tensor_scale, view.layout};
}

/// What a quantizing kernel is given. Scales, zero points and the tensor's scale are outputs, unless the scheme says
/// that they are given. Padding of a table of scales in tiles is to be written, with zeros.
template <Format Input>
struct QuantizeArguments {
  StridedView<const Input, 2> matrix;  ///< (row, column)
  MutableQuantizedView quantized;      ///< written
};

/// The operation that makes codes and scales of a matrix stored in `InputFormat`.
template <Format InputFormat>
struct Quantize {
  using Input = InputFormat;                   ///< format of what is quantized
  using Problem = QuantizeProblem;             ///< plain data
  using Arguments = QuantizeArguments<Input>;  ///< views of input and output

  /// In case ids and on the command line.
  [[nodiscard]] static const char* name() { return "quantize"; }
  /// "bf16.mxfp4": input, scheme.
  [[nodiscard]] static std::string formats(const BlockScaling& scheme) {
    return std::string(FormatTraits<Input>::name()) + "." + scheme.name;
  }
};

/// What a dequantizing kernel is given.
template <Format Output>
struct DequantizeArguments {
  ConstQuantizedView quantized;   ///< read
  StridedView<Output, 2> matrix;  ///< (row, column)
};

/// The operation that makes a matrix, stored in `OutputFormat`, of codes and scales.
template <Format OutputFormat>
struct Dequantize {
  using Output = OutputFormat;                    ///< format of what is written
  using Problem = QuantizeProblem;                ///< plain data
  using Arguments = DequantizeArguments<Output>;  ///< views of input and output

  /// In case ids and on the command line.
  [[nodiscard]] static const char* name() { return "dequantize"; }
  /// "mxfp4.bf16": scheme, output.
  [[nodiscard]] static std::string formats(const BlockScaling& scheme) {
    return std::string(scheme.name) + "." + FormatTraits<Output>::name();
  }
};

}  // namespace assay::inline v0
