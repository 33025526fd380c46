#pragma once

#include "assay/diagnosis/detail/surrounded_operands.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::uint64_t poison_code(const ElementFormat& format) {
  std::uint64_t code = 0xA5A5A5A5A5A5A5A5u >> (64 - 8 * format.bytes);
  if (!format.is_float()) return code;
  const FloatLayout& layout = format.layout;
  code &= (std::uint64_t{2} << (layout.bits() - 1)) - 1;
  return layout.has_infinity() ? layout.nan_bits() | (code & ((std::uint64_t{1} << (layout.fraction_bits - 1)) - 1))
                               : code;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t former_code(const ElementFormat& format, FormerOutputs former) {
  switch (former) {
    case FormerOutputs::zeros: return format.encode(0);
    case FormerOutputs::large: return format.encode(format.max_finite() / 2);
    case FormerOutputs::poison: break;
  }
  return poison_code(format);
}

ASSAY_DETAIL_HEADER_INLINE SurroundedOperands::SurroundedOperands(const std::vector<OperandSpec>& specs,
                                                                  const OperandArray& given, Surroundings surroundings,
                                                                  FormerOutputs former)
    : former_(former), array_(given) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Operand& operand = array_[static_cast<int>(i)];
    if (specs[i].present && operand.present()) place(operand, specs[i].role == OperandRole::output, surroundings);
  }
}

ASSAY_DETAIL_HEADER_INLINE void SurroundedOperands::place(Operand& operand, bool is_output, Surroundings surroundings) {
  const Operand given = operand;
  const ElementFormat& format = given.format;
  const Index size = given.size();
  std::vector<std::uint64_t>& words =
      storage_.emplace_back(static_cast<std::size_t>(((size + 2 * margin) * format.bytes + alignment) / 8 + 1));
  void* begin = words.data();
  std::size_t space = words.size() * 8;
  begin = std::align(static_cast<std::size_t>(alignment), static_cast<std::size_t>((size + 2 * margin) * format.bytes),
                     begin, space);
  const std::uint64_t around = format.encode(value_of(given, is_output, surroundings)),
                      former = former_code(format, former_);
  for (Index slot = 0; slot < margin; ++slot) {
    format.store_code(begin, slot, around);
    format.store_code(begin, margin + size + slot, around);
  }
  operand.data = static_cast<char*>(begin) + margin * format.bytes;
  operand.guard_bytes = margin * format.bytes;
  Index stride = 1;
  for (int d = operand.rank - 1; d >= 0; stride *= operand.extents[d--]) operand.strides[d] = stride;
  for (Index element = 0; element < size; ++element)
    format.store_code(operand.data, element,
                      is_output ? former : format.load_code(given.data, given.offset_of(element)));
}

ASSAY_DETAIL_HEADER_INLINE double SurroundedOperands::value_of(const Operand& operand, bool is_output,
                                                               Surroundings surroundings) {
  double least = 0, most = 0;
  bool any = false;
  for (Index element = 0; element < operand.size() && !is_output; ++element) {
    const double value = operand.load(element);
    if (!is_finite(value)) continue;
    least = any ? std::min(least, value) : value;
    most = any ? std::max(most, value) : value;
    any = true;
  }
  if (!operand.format.is_float()) return surroundings == Surroundings::small ? least : most;  // an index stays one
  if (!any) least = most = 1;
  return surroundings == Surroundings::small ? least / 2 : std::min(2 * most + 1, operand.format.max_finite());
}

}  // namespace assay::inline v0::detail
