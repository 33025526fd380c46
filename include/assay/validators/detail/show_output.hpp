#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "assay/compare/any_expectation.hpp"
#include "assay/compare/detail/operand_chunk.hpp"
#include "assay/suite/observed_output.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// How far from `expected` an element is accepted: infinite where that is undecided.
[[nodiscard]] inline double reach_of(const AcceptanceInterval& accepted, double expected) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (accepted.undetermined) return infinity;
  if (!is_finite(expected)) return 0;
  const double reach = std::max(accepted.upper - expected, expected - accepted.lower);
  return reach >= 0 ? reach : infinity;
}

/// Shows an output in host memory to an observer; `expected` is null where nothing is expected element by element. O(elements).
inline void show_output(const OutputObserver& observer, std::string name, const Operand& output, const AnyExpectation* expected,
                        const ChosenTolerance& tolerance) {
  ObservedOutput shown;
  shown.name = std::move(name);
  shown.format = output.format.name;
  shown.extents.assign(output.extents, output.extents + (output.rank > 0 ? output.rank : 0));
  const Index size = output.size(), columns = output.rank > 0 ? output.extents[output.rank - 1] : 1;
  for (Index element = 0; element < size; ++element) {
    const std::uint64_t code = output.format.load_code(output.data, output.offset_of(element));
    for (int byte = 0; byte < output.format.bytes; ++byte) shown.codes.push_back(static_cast<unsigned char>(code >> (8 * byte)));
    shown.values.push_back(output.format.decode(code));
    if (expected == nullptr) continue;
    const ExpectedElement wanted = (*expected)(element / columns, element % columns);
    const AcceptanceInterval accepted = operand_interval(output.format, tolerance, wanted);
    shown.allowed.push_back(reach_of(accepted, wanted.value));
  }
  observer(shown);
}

}  // namespace assay::inline v0::detail
