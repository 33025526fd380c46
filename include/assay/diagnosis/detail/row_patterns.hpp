#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/diagnosis/detail/evidence.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Every row is right but for a factor of its own.
[[nodiscard]] std::optional<Diagnosis> row_factors(const FailingOutput& output);

/// Every row of logarithms is right but for an addend of its own.
[[nodiscard]] std::optional<Diagnosis> row_addends(const FailingOutput& output);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/row_patterns.ipp"
#endif
