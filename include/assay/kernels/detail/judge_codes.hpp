#pragma once

#include <cstdio>
#include <string>

#include "assay/kernels/detail/judged_output.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// Judges an output that is to be the same bit by bit as `expected(element)`, a code. Does so only where at least all
/// values are right and gives true then: wrong values are described better by comparison.
template <class Expected>
[[nodiscard]] bool judge_codes(const Operand& output, Expected&& expected, Outcome& outcome) {
  JudgedOutput judged;
  for (Index element = 0; element < output.size(); ++element, ++judged.elements) {
    const std::uint64_t due = expected(element),
                        found = output.format.load_code(output.data, output.offset_of(element));
    if (due == found) continue;
    const double due_value = output.format.decode(due), found_value = output.format.decode(found);
    if (!(due_value == found_value || (is_nan(due_value) && is_nan(found_value)))) return false;
    char codes[80];
    std::snprintf(codes, sizeof codes, "element %lld is 0x%llx, it must be 0x%llx: ", static_cast<long long>(element),
                  static_cast<unsigned long long>(found), static_cast<unsigned long long>(due));
    judged.refute(std::string(codes) + (output.format.wide_integer ? "last digits of an integer are wrong"
                                        : is_nan(due_value)        ? "a NaN lost its payload"
                                                                   : "a zero lost its sign"));
  }
  judged.describe(outcome);
  return true;
}

}  // namespace assay::inline v0::detail
