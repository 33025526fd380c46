#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/release/detail/dashboard_failures.hpp"
#include "assay/report/html_case.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// How a gate's state is shown.
struct GateLook {
  const char* style;
  const char* symbol;
};

/// The answer of the gate, which `gate_run` puts first; null if the run holds none.
[[nodiscard]] inline const Outcome* gate_answer(const Run& gate) {
  for (const Outcome& outcome : gate.outcomes)
    if (outcome.id == "gate") return &outcome;
  return nullptr;
}

/// The gates, what stops the release first; those that passed in one group.
[[nodiscard]] std::string gate_section(const Run& gate, const DashboardFailures& failures);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_gate.ipp"
#endif
