#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/process/ending.hpp"
#include "assay/suite/detail/output_tail.hpp"
#include "assay/suite/detail/perform.hpp"

namespace assay::inline v0::detail {

/// The outcome of a case that ended its worker: an error with the cause in its reason, in the label "ended" and in a
/// measurement, and with the last of what it had printed.
[[nodiscard]] Outcome crash_outcome(const Ending& ending, std::string_view output, std::size_t tail_bytes);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/crash_outcome.ipp"
#endif
