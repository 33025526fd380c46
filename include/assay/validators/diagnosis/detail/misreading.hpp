#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "assay/validators/diagnosis/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Makes of the operands of a case what a kernel may have taken them for; false: they stay what they are. The same for a launch on other data.
using Misreading = std::function<bool(const DiagnosedCase& of, ChangedOperands& changed)>;

/// Another value of each element of an operand: `change(value)`. Indices and lengths stay among those that there are: no reference reads beyond its operands.
[[nodiscard]] inline Misreading other_values(int position, std::function<double(double)> change) {
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

/// Another value of the elements whose row-major number is `chosen`: factor · value + addend, and the addend alone where the factor is 0.
[[nodiscard]] inline Misreading scaled_where(int position, std::function<bool(Index)> chosen, double factor, double addend) {
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

/// Elements of other places of an operand: `source(element)`, both by their row-major number.
[[nodiscard]] inline Misreading other_places(int position, std::function<Index(Index)> source) {
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

/// Two operands of equal extents, each taken for the other.
[[nodiscard]] inline Misreading exchanged_operands(int a, int b) {
  return [a, b](const DiagnosedCase&, ChangedOperands& changed) {
    Operand &first = changed.array()[a], &second = changed.array()[b];
    std::swap(first.data, second.data);
    for (int d = 0; d < Operand::most_dimensions; ++d) std::swap(first.strides[d], second.strides[d]);
    return true;
  };
}

}  // namespace assay::inline v0::detail
