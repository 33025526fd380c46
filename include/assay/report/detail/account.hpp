#pragma once

#include <string>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/text.hpp"

/// What reports in plain text say of a case and of a run as a whole, so that no two of them disagree.
namespace assay::inline v0::detail {

/// The reason; behind the verdict's name where a reader could take the case for passed or failed: "inconclusive: …".
[[nodiscard]] std::string stated_reason(const Outcome& outcome);

/// Everything that a case has to say in plain text, the two lines that matter most first, since some readers show no
/// more.
[[nodiscard]] std::string account_of(const Outcome& outcome);

/// Why the run as a whole says less than it promised: it was cut short, or it decided nothing. Empty if neither.
[[nodiscard]] std::string shortfall(const Run& run);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/account.ipp"
#endif
