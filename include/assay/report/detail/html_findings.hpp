#pragma once

#include <cstddef>
#include <string>

#include "assay/core/run.hpp"

namespace assay::inline v0::detail {

/// Whose kernels passed and whose failed; beside each other, or on a phone one below the other, the findings and what
/// became of each family of operations on each backend. A finding is folded: what it is, the evidence, the operations,
/// the example with its command. Those beyond the first `at_a_glance` are folded together.
[[nodiscard]] std::string html_findings(const Run& run, std::size_t at_a_glance = 8);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_findings.ipp"
#endif
