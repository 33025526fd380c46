#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/fleet/population/peer_outliers.hpp"

namespace assay::inline v0 {

/// Measurements of a fleet, grouped by what ought to be equal.
struct FleetResults {
  std::vector<std::string> subjects;  ///< "node" or "node/unit", by their numbers
  std::vector<PeerGroup> groups;      ///< one a metric and class
};

/// Reads CSV with the columns node, metric, value, and perhaps unit (of a node: a chip, a link), class (what is equal:
/// a model) and direction (higher_is_better, lower_is_better: of metrics that are times). Added to `results`. Errors:
/// `malformed`, `not_found`, with the line; values that are no number are kept as such, and counted.
[[nodiscard]] Result<void> add_fleet_results(std::string_view csv, FleetResults& results);

/// One outcome a suspect: `fail`, with how far it is behind; a node most of whose units are is told once, as a node.
/// What is too good is `inconclusive`, and so is a subject of which no value is a number. A group with too few peers is
/// `inconclusive`, too; one in which nobody is accused passes. Ids are `fleet/GROUP/SUBJECT`.
[[nodiscard]] std::vector<Outcome> fleet_outcomes(const FleetResults& results, const PeerOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/population/fleet_results.ipp"
#endif
