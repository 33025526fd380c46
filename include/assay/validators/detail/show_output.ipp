#pragma once

#include "assay/validators/detail/show_output.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// How far from `expected` an element is accepted: infinite where that is undecided.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double reach_of(const AcceptanceInterval& accepted, double expected) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (accepted.undetermined) return infinity;
  if (!is_finite(expected)) return 0;
  const double reach = std::max(accepted.upper - expected, expected - accepted.lower);
  return reach >= 0 ? reach : infinity;
}

ASSAY_DETAIL_HEADER_INLINE void show_output(const OutputObserver& observer, std::string name, const Operand& output,
                                            const AnyExpectation* expected, const ChosenTolerance& tolerance) {
  ObservedOutput shown;
  shown.name = std::move(name);
  shown.format = output.format.name;
  shown.extents.assign(output.extents, output.extents + (output.rank > 0 ? output.rank : 0));
  const Index size = output.size(), columns = output.rank > 0 ? output.extents[output.rank - 1] : 1;
  for (Index element = 0; element < size; ++element) {
    const std::uint64_t code = output.format.load_code(output.data, output.offset_of(element));
    for (int byte = 0; byte < output.format.bytes; ++byte)
      shown.codes.push_back(static_cast<unsigned char>(code >> (8 * byte)));
    shown.values.push_back(output.format.decode(code));
    if (expected == nullptr) continue;
    const ExpectedElement wanted = (*expected)(element / columns, element % columns);
    const AcceptanceInterval accepted = operand_interval(output.format, tolerance, wanted);
    shown.allowed.push_back(reach_of(accepted, wanted.value));
  }
  observer(shown);
}

}  // namespace assay::inline v0::detail
