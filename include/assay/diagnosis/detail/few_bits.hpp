#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Wrong elements, wherever they stand, that all have few significant bits, are near the right values and differ from
/// them for no other reason: they went through a narrower format. Right values that have as few bits would have been
/// kept, so that data on a grid, like whole numbers, tell nothing. That n elements end in t zeros by chance has the
/// probability 2^−nt. Below its smallest normal number that format has a fixed distance, of which all are multiples,
/// and at its end it may saturate.
[[nodiscard]] std::optional<Diagnosis> by_few_bits(const FailingOutput& output);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/few_bits.ipp"
#endif
