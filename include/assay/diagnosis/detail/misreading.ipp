#pragma once

#include "assay/diagnosis/detail/misreading.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Misreading other_values(int position, std::function<double(double)> change) {
  return [position, change = std::move(change)](const DiagnosedCase&, ChangedOperands& changed) {
    const Operand& operand = changed.own(position);
    double lowest = -HUGE_VAL, highest = HUGE_VAL;
    if (!operand.format.is_float() && operand.format.bytes >= 4) {
      std::swap(lowest, highest);
      for (Index element = 0; element < operand.size(); ++element)
        lowest = std::min(lowest, operand.load(element)), highest = std::max(highest, operand.load(element));
    }
    bool any = false;
    for (Index element = 0; element < operand.size(); ++element) {
      const double value = operand.load(element), wished = operand.format.round(change(value)),
                   other = wished < lowest    ? lowest
                           : wished > highest ? highest
                                              : wished;
      if (other == value || (is_nan(other) && is_nan(value))) continue;
      operand.store(element, other);
      any = true;
    }
    return any;
  };
}

ASSAY_DETAIL_HEADER_INLINE Misreading scaled_where(int position, std::function<bool(Index)> chosen, double factor,
                                                   double addend) {
  return [position, chosen = std::move(chosen), factor, addend](const DiagnosedCase&, ChangedOperands& changed) {
    const Operand& operand = changed.own(position);
    bool any = false;
    for (Index element = 0; element < operand.size(); ++element) {
      if (!chosen(element)) continue;
      const double value = operand.load(element), other = factor == 0 ? addend : factor * value + addend;
      any = any || other != value;
      operand.store(element, other);
    }
    return any;
  };
}

ASSAY_DETAIL_HEADER_INLINE Misreading other_places(int position, std::function<Index(Index)> source) {
  return [position, source = std::move(source)](const DiagnosedCase& of, ChangedOperands& changed) {
    const Operand& given = of.before[position];
    const Operand& operand = changed.own(position);
    bool any = false;
    for (Index element = 0; element < operand.size(); ++element) {
      const Index from = source(element);
      if (from == element) continue;
      const std::uint64_t code = given.format.load_code(given.data, given.offset_of(from));
      any = any || code != operand.format.load_code(operand.data, operand.offset_of(element));
      operand.format.store_code(operand.data, operand.offset_of(element), code);
    }
    return any;
  };
}

ASSAY_DETAIL_HEADER_INLINE Misreading exchanged_operands(int a, int b) {
  return [a, b](const DiagnosedCase&, ChangedOperands& changed) {
    Operand &first = changed.array()[a], &second = changed.array()[b];
    std::swap(first.data, second.data);
    for (int d = 0; d < Operand::most_dimensions; ++d) std::swap(first.strides[d], second.strides[d]);
    return true;
  };
}

}  // namespace assay::inline v0::detail
