#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "assay/core/diagnosis.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// How often something stands in an input, and how often the output is wrong there.
struct WrongWhere {
  std::size_t with = 0, wrong = 0;
};

/// All wrong elements, two or more, stand where an input is zero, not finite or subnormal, or one of few numbers at its
/// format's limits, and most right ones elsewhere. O(elements).
[[nodiscard]] std::optional<Diagnosis> by_special_inputs(const DiagnosedCase& given, const FailingOutput& output);

/// Wherever 0 is due, exactly, and nowhere else, stands a number below the normal ones of the format. O(elements).
[[nodiscard]] std::optional<Diagnosis> by_zeros_due(const FailingOutput& output);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/special_inputs.ipp"
#endif
