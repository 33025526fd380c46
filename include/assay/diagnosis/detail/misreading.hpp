#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Makes of the operands of a case what a kernel may have taken them for; false: they stay what they are. The same for
/// a launch on other data.
using Misreading = std::function<bool(const DiagnosedCase& of, ChangedOperands& changed)>;

/// Another value of each element of an operand: `change(value)`. Indices and lengths stay among those that there are:
/// no reference reads beyond its operands.
[[nodiscard]] Misreading other_values(int position, std::function<double(double)> change);

/// Another value of the elements whose row-major number is `chosen`: factor · value + addend, and the addend alone
/// where the factor is 0.
[[nodiscard]] Misreading scaled_where(int position, std::function<bool(Index)> chosen, double factor, double addend);

/// Elements of other places of an operand: `source(element)`, both by their row-major number.
[[nodiscard]] Misreading other_places(int position, std::function<Index(Index)> source);

/// Two operands of equal extents, each taken for the other.
[[nodiscard]] Misreading exchanged_operands(int a, int b);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/misreading.ipp"
#endif
