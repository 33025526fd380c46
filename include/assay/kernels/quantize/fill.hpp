#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/kernels/quantize/problem.hpp"
#include "assay/tensor/random_values.hpp"

namespace assay::inline v0 {

/// Patterns of data for quantizers, each made for a weak spot. Magnitudes differ from block to block in all of them, so
/// that a scale of another block shows; except in `special`, every eighth block or so is all zeros.
enum class QuantizeFillKind {
  normal,        ///< N(0, 1) times a power of two for each block: the everyday case
  wide,          ///< magnitudes spread over 24 binades within a block
  ties,          ///< values in the middle between codes, of scales that are powers of two: what is exact must be exact
  small,         ///< values far below 1: ones that pad a block would be its largest
  outlier,       ///< one value 2^12 above the others of its block
  power_of_two,  ///< amax at a power of two or a largest element, and one float beside it
  subnormal,     ///< values that are subnormal in the input format
  special        ///< NaN and infinities in a quarter of the blocks
};

/// In the order of `QuantizeFillKind`.
inline constexpr std::array<QuantizeFillKind, 8> all_quantize_fills{
    QuantizeFillKind::normal,  QuantizeFillKind::wide,         QuantizeFillKind::ties,      QuantizeFillKind::small,
    QuantizeFillKind::outlier, QuantizeFillKind::power_of_two, QuantizeFillKind::subnormal, QuantizeFillKind::special};

/// The name in ids and on the command line.
[[nodiscard]] constexpr std::string_view name_of(QuantizeFillKind kind) noexcept {
  switch (kind) {
    case QuantizeFillKind::normal: return "normal";
    case QuantizeFillKind::wide: return "wide";
    case QuantizeFillKind::ties: return "ties";
    case QuantizeFillKind::small: return "small";
    case QuantizeFillKind::outlier: return "outlier";
    case QuantizeFillKind::power_of_two: return "power_of_two";
    case QuantizeFillKind::subnormal: return "subnormal";
    case QuantizeFillKind::special: return "special";
  }
  return "normal";
}

/// Whether a pattern makes sense for a scheme: subnormal values vanish beside scales that are not exponents; specials
/// need a rule, and no scale of the tensor that they would spoil.
[[nodiscard]] constexpr bool fits(QuantizeFillKind kind, const BlockScaling& scheme) {
  if (kind == QuantizeFillKind::subnormal) return scheme.scale.holds_only_powers_of_two();
  if (kind == QuantizeFillKind::special)
    return scheme.specials != SpecialValueRule::undefined && scheme.tensor_scale != TensorScale::computed;
  if (kind == QuantizeFillKind::ties) return scheme.element.kind != CodeKind::table;
  return true;
}

/// The value at (row, column) of the matrix to be quantized, a pure function of its members. For `fill`, which rounds
/// it to the input format.
struct QuantizeFill {
  QuantizeFillKind kind = QuantizeFillKind::normal;
  std::uint64_t seed = 0;
  BlockScaling scheme;
  BlockGrid grid;
  FloatLayout input = FormatTraits<float32>::layout;

  /// The pattern as it suits that problem.
  [[nodiscard]] static QuantizeFill of(QuantizeFillKind kind, const QuantizeProblem& problem, FloatLayout input,
                                       std::uint64_t seed) {
    return {kind, seed, problem.scheme, BlockGrid::over(problem.scheme, problem.rows, problem.columns), input};
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr double operator()(Index row, Index column) const {
    const Index number = row / grid.block_rows * grid.grid_columns + column / grid.block_columns;
    const BlockGrid::Block block = grid.block(number);
    const RandomBits of_block = random_bits(seed, static_cast<std::uint64_t>(number), ~std::uint64_t{0});
    const RandomBits own =
        random_bits(seed + 0x9E3779B97F4A7C15u, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
    const Index height = block.end_row - block.first_row, width = block.end_column - block.first_column;
    const Index place = static_cast<Index>(of_block.low() % static_cast<std::uint64_t>(height * width));
    const bool chosen = row == block.first_row + place / width && column == block.first_column + place % width;
    const bool largest_block = number == 0;
    if (kind != QuantizeFillKind::special && !largest_block && of_block.words[2] % 8 == 0) return 0.0;
    const double magnitude = power_of_two(static_cast<int>(uniform_below(of_block.words[3], 13)) - 6);
    switch (kind) {
      case QuantizeFillKind::normal: return standard_normal(own) * magnitude;
      case QuantizeFillKind::wide: return log_uniform(own, -24, 1) * magnitude;
      case QuantizeFillKind::ties: return tie(of_block, own, chosen, largest_block);
      case QuantizeFillKind::small: return standard_normal(own) * magnitude * power_of_two(-14);
      case QuantizeFillKind::outlier: return standard_normal(own) * magnitude * (chosen ? 0x1p6 : 0x1p-6);
      case QuantizeFillKind::power_of_two: return about_power_of_two(of_block, own, chosen);
      case QuantizeFillKind::subnormal: return subnormal(of_block, own);
      case QuantizeFillKind::special: return special(of_block, own, chosen) * magnitude;
    }
    return 0.0;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION static constexpr double with_sign(double value, std::uint32_t word) {
    return (word & 1) != 0 ? -value : value;
  }

  /// The largest value of an element stands in each block, so that the scale is a power of two; the others lie between
  /// elements. Ranges with zero points begin at 0. The first block has the largest value of the tensor.
  [[nodiscard]] ASSAY_FUNCTION constexpr double tie(const RandomBits& of_block, const RandomBits& own, bool chosen,
                                                    bool largest_block) const {
    const CodeFormat& element = scheme.element;
    const bool ranged = scheme.zero_points;
    const double whole = scheme.tensor_scale == TensorScale::none ? 1 : 0.25;
    const int exponent = static_cast<int>(uniform_below(of_block.words[3], 12)) - 5;
    const double scale = (scheme.tensor_scale != TensorScale::none && largest_block ? scheme.scale.max_value()
                                                                                    : power_of_two(exponent)) *
                         whole;
    const double top = ranged ? static_cast<double>(element.highest - element.lowest) : element.max_value();
    if (chosen) return ranged ? top * scale : with_sign(top * scale, of_block.words[2] >> 8);
    double low = 0, high = 0;
    if (element.kind == CodeKind::integer) {
      const auto count = static_cast<std::uint32_t>(ranged ? element.highest - element.lowest : element.highest);
      low = static_cast<double>(uniform_below(own.words[0], count < 127 ? count : 127)) *
            power_of_two(element.quantum_exponent);
      high = low + power_of_two(element.quantum_exponent);
    } else {
      const auto codes = static_cast<std::uint32_t>(element.layout.max_finite_bits());
      const std::uint32_t code = uniform_below(own.words[0], codes);
      low = element.decode(code);
      high = element.decode(code + 1);
    }
    const double value = (low + high) / 2 * scale;
    return ranged ? value : with_sign(value, own.words[1]);
  }

  /// amax = 2^e, or the largest element times 2^e, or one step of the input format above or below.
  [[nodiscard]] ASSAY_FUNCTION constexpr double about_power_of_two(const RandomBits& of_block, const RandomBits& own,
                                                                   bool chosen) const {
    // the ends of float32's range only where a block's scale does not depend on its neighbors
    const bool wide_range = scheme.tensor_scale == TensorScale::none && !scheme.zero_points;
    const int choice = static_cast<int>(uniform_below(of_block.words[3], 10));
    int exponent = choice - 5;
    const int largest = (1 << input.exponent_bits) - 2 - input.bias, smallest = input.min_exponent();
    if (wide_range && choice == 8) exponent = largest - 1;
    if (wide_range && choice == 9) exponent = scheme.scale.holds_only_powers_of_two() ? smallest : smallest / 2;
    double amax = power_of_two(exponent);
    if ((of_block.words[2] >> 4) % 3 == 0)
      amax *= scheme.element.max_value() * power_of_two(-scheme.element.max_exponent());
    const double step = power_of_two(exponent_of(amax) - input.fraction_bits);
    const std::uint32_t beside = (of_block.words[2] >> 8) % 3;
    if (beside == 1 && amax < power_of_two(largest)) amax += step;
    if (beside == 2 && exponent > smallest) amax -= amax > power_of_two(exponent) ? step : step / 2;
    if (chosen) return scheme.zero_points ? amax : with_sign(amax, of_block.words[2] >> 12);
    return uniform_symmetric(own) * amax * 0.984375;
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr double subnormal(const RandomBits& of_block, const RandomBits& own) const {
    const double quantum = power_of_two(input.min_exponent() - input.fraction_bits);
    const int bits =
        1 + static_cast<int>(uniform_below(of_block.words[3], static_cast<std::uint32_t>(input.fraction_bits)));
    return with_sign(static_cast<double>(own.low() >> (64 - bits)) * quantum, own.words[3]);
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr double special(const RandomBits& of_block, const RandomBits& own,
                                                        bool chosen) const {
    if (chosen && of_block.words[2] % 4 == 0) {
      const std::uint32_t which = (of_block.words[2] >> 4) % 3;
      if (which == 0) return detail::double_of(binary64_layout.nan_bits());
      return with_sign(detail::double_of(binary64_layout.infinity_bits()), which);
    }
    return own.words[2] % 16 == 0 ? -0.0 : standard_normal(own);
  }
};

}  // namespace assay::inline v0
