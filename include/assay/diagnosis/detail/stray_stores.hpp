#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Whether those elements, and no others, are 0: all that `hit(element)` holds for, two at least of which are wrong for
/// it.
template <class Hit>
[[nodiscard]] bool zeroed(const FailingOutput& output, Hit hit) {
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] ? !hit(i) || output.actual[i] != 0 : hit(i) && !output.accepted(i).contains(0)) return false;
  return output.violations >= 2;
}

/// Zeros where stores that are meant for other elements hit. Each kind spares a place that a program which leaves
/// elements out would not spare: tiles that reach beyond the end of rows hit the beginning of every row but the first;
/// lanes that store too wide a word hit what lies behind them, and nothing lies before the first.
[[nodiscard]] std::optional<Diagnosis> by_stray_stores(const FailingOutput& output);

/// Wrong elements that hold what a reduction begins with: the lowest number, or the largest, where others are due by
/// far; or 1 throughout rows in which less and more is due.
[[nodiscard]] std::optional<Diagnosis> by_initial_values(const FailingOutput& output);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/stray_stores.ipp"
#endif
