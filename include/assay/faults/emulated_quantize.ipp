#pragma once

#include "assay/faults/emulated_quantize.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Index QuantizeFault::place(const ScaleLayout& table, const BlockGrid& grid, Index row,
                                                      Index column) const {
  const Index right = table.offset(row, column);
  Index wrong = right;
  if (is("scale_stride") && table.order == ScaleOrder::strided) {
    const Index full = grid.columns / grid.block_columns;
    wrong = table.column_stride == 1
                ? row * (table.row_stride == table.columns ? (full > 0 ? full : 1) : table.columns) + column
                : row + column * table.rows;
  }
  if (is("wrong_block") && table.order == ScaleOrder::strided) wrong = row * table.rows + column;
  if (is("swizzled_tail") && table.order == ScaleOrder::tiles_128x4 && row >= table.rows / 128 * 128)
    wrong = table.offset(row / 128 * 128, column / 4 * 4) + row % 128 * 4 + column % 4;
  if (is("swizzle_missing") && table.order == ScaleOrder::tiles_128x4) wrong = row * table.columns + column;
  return wrong < table.elements() ? wrong : right;
}

ASSAY_DETAIL_HEADER_INLINE EmulatedEncoder::EmulatedEncoder(const BlockScaling& scheme, QuantizeVariant variant,
                                                            QuantizeFault fault)
    : element_(scheme.element), variant_(variant), fault_(fault) {
  if (element_.kind == CodeKind::integer) return;
  for (std::uint32_t code = 0; code <= element_.code_mask(); ++code)
    if (is_finite(element_.decode(code))) codes_.push_back({element_.decode(code), code});
  std::sort(codes_.begin(), codes_.end(), [](const Entry& a, const Entry& b) {
    return a.value < b.value || (a.value == b.value && a.code < b.code);
  });
}

ASSAY_DETAIL_HEADER_INLINE std::uint32_t EmulatedEncoder::encode(double scaled, int zero) const {
  if (fault_.is("half_away")) return encode_directed(scaled, zero, Rounding::nearest_away);
  if (fault_.is("truncated_codes")) return encode_directed(scaled, zero, Rounding::toward_zero);
  if (fault_.is("nan_overflow") && element_.kind == CodeKind::floating_point)
    return static_cast<std::uint32_t>(assay::encode(element_.layout, scaled, Rounding::nearest_even, Overflow::ieee));
  if (variant_ == QuantizeVariant::search && is_finite(scaled))
    return element_.kind == CodeKind::integer ? search_integer(scaled, zero) : search(scaled);
  return element_.encode(scaled, zero);
}

ASSAY_DETAIL_HEADER_INLINE std::uint32_t EmulatedEncoder::encode_directed(double scaled, int zero,
                                                                          Rounding rounding) const {
  if (element_.kind == CodeKind::floating_point)
    return static_cast<std::uint32_t>(assay::encode(element_.layout, scaled, rounding, Overflow::saturate));
  if (element_.kind == CodeKind::table) return element_.encode(scaled);
  const double quotient = scaled * power_of_two(-element_.quantum_exponent),
               magnitude = absolute(quotient) + (rounding == Rounding::nearest_away ? 0.5 : 0);
  const int rounded = magnitude > 65536 ? 65536 : static_cast<int>(magnitude);
  return element_.encode(
      static_cast<double>(quotient < 0 ? -rounded : rounded) * power_of_two(element_.quantum_exponent), zero);
}

ASSAY_DETAIL_HEADER_INLINE std::uint32_t EmulatedEncoder::search(double scaled) const {
  auto above = std::lower_bound(codes_.begin(), codes_.end(), scaled,
                                [](const Entry& entry, double value) { return entry.value < value; });
  if (above == codes_.end()) --above;
  const auto below = above == codes_.begin() ? above : above - 1;
  const double up = absolute(above->value - scaled), down = absolute(scaled - below->value);
  const bool tie_up = up == down && element_.kind != CodeKind::table && above->code % 2 == 0;
  const Entry& best = up < down || tie_up ? *above : *below;
  if (best.value == 0 && element_.has_negative_zero())
    return is_negative(scaled) ? static_cast<std::uint32_t>(element_.layout.sign_mask()) : 0;
  return best.code;
}

ASSAY_DETAIL_HEADER_INLINE std::uint32_t EmulatedEncoder::search_integer(double scaled, int zero) const {
  const double quotient = scaled * power_of_two(-element_.quantum_exponent);
  int best = element_.lowest;
  for (int code = element_.lowest; code <= element_.highest; ++code) {
    const double distance = absolute(code - zero - quotient), least = absolute(best - zero - quotient);
    if (distance < least || (distance == least && (code - zero) % 2 == 0)) best = code;
    if (distance > least) break;
  }
  return static_cast<std::uint32_t>(best) & element_.code_mask();
}

ASSAY_DETAIL_HEADER_INLINE QuantizeFault quantize_fault_named(const std::optional<std::string>& name,
                                                              const char* operation) {
  static const std::vector<Fault> faults = quantize_faults();
  if (!name) return {};
  std::vector<std::string> known;
  for (const Fault& fault : faults) {
    if (!fault.fits(operation)) continue;
    known.push_back(fault.name);
    if (fault.name == *name) return {fault.name};
  }
  misuse(unknown_name("fault", *name, known));
}

}  // namespace assay::inline v0::detail
