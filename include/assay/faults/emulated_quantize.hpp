#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/faults/quantize_faults.hpp"
#include "assay/kernels/quantize/reference.hpp"
#include "assay/validators/quantize_subject.hpp"

namespace assay::inline v0 {

/// Ways in which correct kernels quantize.
enum class QuantizeVariant {
  divide,      ///< in float32, value / scale
  reciprocal,  ///< in float32, value · (1 / scale), and amax · (1 / max)
  search       ///< in double, the nearest of all codes by search
};
/// In the order of `QuantizeVariant`.
inline constexpr std::array<QuantizeVariant, 3> all_quantize_variants{
    QuantizeVariant::divide, QuantizeVariant::reciprocal, QuantizeVariant::search};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(QuantizeVariant variant) noexcept {
  switch (variant) {
    case QuantizeVariant::divide: return "divide";
    case QuantizeVariant::reciprocal: return "reciprocal";
    case QuantizeVariant::search: return "search";
  }
  return "divide";
}

namespace detail {

/// What an emulated quantizer does wrong.
struct QuantizeFault {
  std::string_view name;  ///< of static storage
  [[nodiscard]] bool is(std::string_view other) const { return name == other; }

  /// Where the faulty kernel takes the scale of a block to stand; within the table, always.
  [[nodiscard]] Index place(const ScaleLayout& table, const BlockGrid& grid, Index row, Index column) const;
  [[nodiscard]] CodePacking packing(CodePacking right) const {
    if (!is("nibble_order") || right == CodePacking::bytes) return right;
    return right == CodePacking::low_first ? CodePacking::high_first : CodePacking::low_first;
  }
};

/// An element format's codes by their values, for encoding by search; and with faults.
class EmulatedEncoder {
 public:
  EmulatedEncoder(const BlockScaling& scheme, QuantizeVariant variant, QuantizeFault fault);

  [[nodiscard]] std::uint32_t encode(double scaled, int zero) const;

 private:
  struct Entry {
    double value;
    std::uint32_t code;
  };

  [[nodiscard]] std::uint32_t encode_directed(double scaled, int zero, Rounding rounding) const;
  /// The nearer of the two values about it, the even code of two as near.
  [[nodiscard]] std::uint32_t search(double scaled) const;
  [[nodiscard]] std::uint32_t search_integer(double scaled, int zero) const;

  CodeFormat element_;
  QuantizeVariant variant_;
  QuantizeFault fault_;
  std::vector<Entry> codes_;
};

/// A quantizer, block by block on one thread.
template <Format Input>
class EmulatedQuantizer {
 public:
  EmulatedQuantizer(const QuantizeProblem& problem, const QuantizeArguments<Input>& arguments, QuantizeVariant variant,
                    QuantizeFault fault)
      : problem_(problem),
        arguments_(arguments),
        variant_(variant),
        fault_(fault),
        encoder_(problem.scheme, variant, fault),
        grid_(BlockGrid::over(problem.scheme, problem.rows, problem.columns)) {}

  void run() {
    const auto& [matrix, quantized] = arguments_;
    const BlockScaling& scheme = problem_.scheme;
    const QuantizeLayout& layout = quantized.layout;
    if (scheme.tensor_scale == TensorScale::computed) {
      BlockExtremes all;
      for (Index block = 0; block < grid_.blocks(); ++block) all.join(extremes_of(grid_.block(block), false));
      *quantized.tensor_scale =
          static_cast<float>(ideal_tensor_scale(scheme, all.amax)) * (fault_.is("stale_tensor_scale") ? 1.05F : 1.0F);
    }
    if (scheme.order == ScaleOrder::tiles_128x4) {
      const std::uint32_t padding = fault_.is("padding_scale_one") ? scheme.scale.encode(1) : 0;
      for (Index place = 0; place < layout.scales.elements(); ++place)
        store_scale(quantized.scales, scheme.scale.bits, place, padding);
    }
    for (Index row = 0; row < problem_.rows; ++row)
      for (Index byte = 0; byte < layout.bytes_of_row; ++byte) quantized.codes[row * layout.code_row_bytes + byte] = 0;
    const Index rows = fault_.is("unwritten_tail") ? grid_.grid_rows / 16 * 16 : grid_.grid_rows;
    for (Index block = 0; block < rows * grid_.grid_columns; ++block) quantize_block(grid_.block(block));
    if (fault_.is("gaps_overwritten"))
      for (Index row = 0; row + 1 < problem_.rows; ++row)
        for (Index byte = layout.bytes_of_row; byte < layout.code_row_bytes; ++byte)
          quantized.codes[row * layout.code_row_bytes + byte] = 0;
    if (fault_.is("input_modified") && matrix.size() > 0) {
      auto* stored = const_cast<Input*>(&matrix(0, 0));
      *stored = FormatTraits<Input>::from_bits(
          static_cast<typename FormatTraits<Input>::Bits>(FormatTraits<Input>::to_bits(*stored) ^ 1));
    }
  }

 private:
  [[nodiscard]] BlockExtremes extremes_of(const BlockGrid::Block& block, bool padded) const {
    BlockExtremes extremes;
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column)
        extremes.add(decode(arguments_.matrix(row, column)));
    const bool partly = block.end_row - block.first_row < grid_.block_rows ||
                        block.end_column - block.first_column < grid_.block_columns;
    if (padded && partly) extremes.add(1);
    return extremes;
  }

  [[nodiscard]] std::uint32_t scale_of(const BlockExtremes& extremes, float whole) const {
    const BlockScaling& scheme = problem_.scheme;
    const bool poisoned = extremes.special && scheme.specials == SpecialValueRule::poison_block;
    if (variant_ == QuantizeVariant::search || is_exponent_rule(scheme.rule) || poisoned ||
        is_zero_block(scheme, extremes)) {
      const std::uint32_t code = scale_code(scheme, extremes, static_cast<double>(whole));
      const double value = scheme.scale.decode(code);
      return fault_.is("exponent_off_by_one") && is_finite(value) ? scheme.scale.encode(2 * value) : code;
    }
    const float amax = static_cast<float>(extremes.amax > scheme.least_amax ? extremes.amax : scheme.least_amax),
                range = static_cast<float>(extremes.largest) - static_cast<float>(extremes.smallest);
    const float divisor = scheme.rule == ScaleRule::range
                              ? static_cast<float>(scheme.element.highest - scheme.element.lowest)
                              : static_cast<float>(scheme.element.max_value());
    const float dividend = scheme.rule == ScaleRule::range ? range : amax;
    float scale =
        variant_ == QuantizeVariant::divide ? dividend / divisor / whole : dividend * (1 / divisor) * (1 / whole);
    if (scale < static_cast<float>(scheme.least_scale)) scale = static_cast<float>(scheme.least_scale);
    if (fault_.is("exponent_off_by_one")) scale *= 2;
    return scheme.scale.encode(static_cast<double>(scale));
  }

  void quantize_block(const BlockGrid::Block& block) {
    const auto& [matrix, quantized] = arguments_;
    const BlockScaling& scheme = problem_.scheme;
    const BlockExtremes extremes = extremes_of(block, fault_.is("padding_in_amax"));
    const Index place = fault_.place(quantized.layout.scales, grid_, block.row, block.column);
    const float whole = scheme.tensor_scale == TensorScale::none ? 1.0F : *quantized.tensor_scale;
    const bool given = scheme.rule == ScaleRule::given;
    const std::uint32_t code =
        given ? load_scale(quantized.scales, scheme.scale.bits, place) : scale_of(extremes, whole);
    if (!given) store_scale(quantized.scales, scheme.scale.bits, place, code);
    const double own = scheme.scale.decode(code), scale = own * static_cast<double>(whole);
    int zero = 0;
    if (scheme.zero_points) {
      zero =
          given ? scheme.element.integer_of(quantized.zero_points[place]) : zero_point(scheme, extremes.smallest, own);
      if (!given)
        quantized.zero_points[place] =
            static_cast<std::uint8_t>(static_cast<std::uint32_t>(zero) & scheme.element.code_mask());
    }
    const bool zeros = extremes.amax == 0 && !extremes.special;
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column) {
        const bool without = fault_.is("missing_zero_point") && column >= problem_.columns / 16 * 16;
        double scaled = scaled_by(decode(matrix(row, column)), scale);
        std::uint32_t element = encoder_.encode(scaled, without ? 0 : zero);
        if (fault_.is("nan_of_zeros") && zeros)
          element = scheme.element.has_nan() ? scheme.element.nan_code()
                                             : scheme.element.encode(scheme.element.max_value(), zero);
        write_code(quantized.codes + row * quantized.layout.code_row_bytes, fault_.packing(scheme.packing),
                   scheme.element.bits, column, element);
      }
  }

  [[nodiscard]] double scaled_by(double value, double scale) const {
    if (variant_ == QuantizeVariant::search || scale == 0 || !is_finite(scale))
      return is_finite(scale) ? scaled_value(value, scale) : 0;
    const float single = static_cast<float>(value), divisor = static_cast<float>(scale);
    if (fault_.is("narrow_reciprocal"))
      return static_cast<double>(single * static_cast<float>(round_to<bfloat16>(static_cast<double>(1 / divisor))));
    return static_cast<double>(variant_ == QuantizeVariant::divide ? single / divisor : single * (1 / divisor));
  }

  QuantizeProblem problem_;
  QuantizeArguments<Input> arguments_;
  QuantizeVariant variant_;
  QuantizeFault fault_;
  EmulatedEncoder encoder_;
  BlockGrid grid_;
};

/// The fault of this name, which fits the operation. Misuse: another name.
[[nodiscard]] QuantizeFault quantize_fault_named(const std::optional<std::string>& name, const char* operation);

}  // namespace detail

/// A quantizer emulated on the host in one of the ways of correct kernels, with the fault of this name (see
/// `quantize_faults`) or, without one, right. Misuse: an unknown name.
template <Format Input>
[[nodiscard]] QuantizeSubject<Quantize<Input>> emulated_quantize_subject(
    QuantizeVariant variant, std::optional<std::string> fault_name = std::nullopt) {
  const detail::QuantizeFault fault = detail::quantize_fault_named(fault_name, Quantize<Input>::name());
  QuantizeSubject<Quantize<Input>> subject;
  subject.name = fault_name ? "faulty-" + *fault_name : "emulated-" + std::string(name_of(variant));
  subject.run = [variant, fault](const QuantizeProblem& problem,
                                 const QuantizeArguments<Input>& arguments) -> Result<void> {
    detail::EmulatedQuantizer<Input>(problem, arguments, variant, fault).run();
    return {};
  };
  return subject;
}

/// The same for dequantizers, in float32. Variants multiply the scales first (divide), code and scale first
/// (reciprocal), or work in double (search).
template <Format Output>
[[nodiscard]] QuantizeSubject<Dequantize<Output>> emulated_dequantize_subject(
    QuantizeVariant variant, std::optional<std::string> fault_name = std::nullopt) {
  const detail::QuantizeFault fault = detail::quantize_fault_named(fault_name, Dequantize<Output>::name());
  QuantizeSubject<Dequantize<Output>> subject;
  subject.name = fault_name ? "faulty-" + *fault_name : "emulated-" + std::string(name_of(variant));
  subject.run = [variant, fault](const QuantizeProblem& problem,
                                 const DequantizeArguments<Output>& arguments) -> Result<void> {
    const auto& [quantized, matrix] = arguments;
    const BlockScaling& scheme = problem.scheme;
    const BlockGrid grid = BlockGrid::over(scheme, problem.rows, problem.columns);
    const Index rows = fault.is("unwritten_tail") ? problem.rows / 16 * 16 : problem.rows;
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < problem.columns; ++column) {
        const Index place =
            fault.place(quantized.layout.scales, grid, row / grid.block_rows, column / grid.block_columns);
        const bool without = fault.is("missing_zero_point") && column >= problem.columns / 16 * 16;
        const int zero = scheme.zero_points && !without ? scheme.element.integer_of(quantized.zero_points[place]) : 0;
        const double own = scheme.scale.decode(detail::load_scale(quantized.scales, scheme.scale.bits, place)) *
                           (fault.is("exponent_off_by_one") ? 2 : 1),
                     whole = quantized.whole_scale(scheme);
        const double multiple =
            scheme.element.decode(read_code(quantized.codes + row * quantized.layout.code_row_bytes,
                                            fault.packing(scheme.packing), scheme.element.bits, column),
                                  zero);
        const float a = static_cast<float>(multiple), b = static_cast<float>(own), c = static_cast<float>(whole);
        const double value = variant == QuantizeVariant::search
                                 ? multiple * own * whole
                                 : static_cast<double>(variant == QuantizeVariant::divide ? a * (b * c) : a * b * c);
        matrix(row, column) = encode<Output>(value);
      }
    if (fault.is("gaps_overwritten"))
      for (Index row = 0; row + 1 < problem.rows; ++row)
        for (Index column = problem.columns; column < quantized.layout.leading_dimension; ++column)
          matrix.data[row * quantized.layout.leading_dimension + column] = encode<Output>(0.0);
    if (fault.is("input_modified") && quantized.layout.code_bytes > 0) *const_cast<std::uint8_t*>(quantized.codes) ^= 1;
    return {};
  };
  return subject;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/emulated_quantize.ipp"
#endif
