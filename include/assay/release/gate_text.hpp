#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/release/gate_report.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// How much room the answer has.
struct GateTextOptions {
  std::size_t lines = 40;     ///< at most
  std::size_t columns = 120;  ///< of a line, at most
};

/// What a person must know of the waivers and the quarantine: expired ones, those that match nothing or end within two
/// weeks, and failures that the quarantine refused. One line each.
[[nodiscard]] std::vector<std::string> gate_notes(const GateReport& report);

namespace detail {

struct GateLines {
  std::vector<std::string> lines;

  void add_findings(const GateFindings& findings, std::size_t shown, bool several_sources);

  void add(const GateResult& result, std::size_t shown, bool several_sources);
};

}  // namespace detail

/// The answer and why, in one screen: what blocks first, each with the first few outcomes and what to do. Where it does
/// not fit, fewer outcomes are named, and the last line tells how many lines are left off. Lines are made visible and
/// cut at the width.
[[nodiscard]] std::vector<std::string> gate_lines(const GateReport& report, const GateTextOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate_text.ipp"
#endif
