#pragma once

#include "assay/release/gate_sarif.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// "external" and "accepted" are SARIF's words (3.35); it has none for who and until when.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson sarif_suppression(const std::string& kind,
                                                                       const std::string& owner,
                                                                       const std::string& reason,
                                                                       CalendarDate expires) {
  return {{"kind", "external"},
          {"status", "accepted"},
          {"justification", reason},
          {"properties", {{"exemption", kind}, {"owner", owner}, {"expires", date_text(expires)}}}};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string gate_sarif(const GateReport& report, const Run& run) {
  using detail::OrderedJson;
  Run all = run;
  std::vector<OrderedJson> suppressions;
  const auto add = [&](const GateResult& result, const GateFinding& finding, const char* exemption,
                       OrderedJson suppression) {
    if (all.outcomes.size() >= sarif_most_results) return;
    Outcome outcome;
    outcome.id = finding.id + (result.gate.name.empty() ? "" : "@" + result.gate.name);
    outcome.verdict = Verdict::fail;
    outcome.reason = std::string(exemption) + ", for gate " + result.gate.name + ": " +
                     (finding.what.empty() ? std::string(name_of(finding.verdict)) : finding.what);
    outcome.labels = {{"operation", exemption}, {"gate", result.gate.name}};
    outcome.reproduce = finding.reproduce;
    all.outcomes.push_back(std::move(outcome));
    suppressions.push_back(std::move(suppression));
  };
  const std::size_t before = all.outcomes.size();
  for (const GateResult& result : report.gates) {
    for (const GateFinding& finding : result.waived.kept)
      for (const WaiverUse& use : report.waivers)
        if (!use.expired && detail::any_glob(use.waiver.ids, finding.id) &&
            (use.waiver.gates.empty() || detail::any_glob(use.waiver.gates, result.gate.name))) {
          add(result, finding, "waived",
              detail::sarif_suppression("waiver", use.waiver.owner, use.waiver.reason, use.waiver.expires));
          break;
        }
    for (const GateFinding& finding : result.quarantined.kept)
      for (const QuarantineUse& use : report.quarantine)
        if (!use.expired && detail::any_glob(use.quarantine.ids, finding.id)) {
          add(result, finding, "quarantined",
              detail::sarif_suppression("quarantine", use.quarantine.owner, use.quarantine.reason,
                                        use.quarantine.expires));
          break;
        }
    if (result.state == GateState::waived)
      for (const std::size_t i : result.waivers)
        if (const Waiver& waiver = report.waivers[i].waiver; waiver.ids.empty())
          add(result, {"gate/" + result.gate.name, "", Verdict::skipped, result.reason, ""}, "waived",
              detail::sarif_suppression("waiver", waiver.owner, waiver.reason, waiver.expires));
  }
  all.planned_cases = all.outcomes.size();

  OrderedJson sarif = OrderedJson::parse(sarif_text(all));
  OrderedJson& written = sarif["runs"][0];
  written["invocations"][0]["exitCode"] = report.exit_code();
  written["invocations"][0]["exitCodeDescription"] = std::string(name_of(report.verdict)) + ": " + report.reason;
  // Results of one verdict keep the order of the outcomes: those added here are the last failures.
  std::vector<OrderedJson*> failures;
  for (OrderedJson& result : written["results"])
    if (result["properties"].value("verdict", "") == "fail") failures.push_back(&result);
  const std::size_t added = all.outcomes.size() - before;
  for (std::size_t i = 0; i < added && added <= failures.size(); ++i)
    (*failures[failures.size() - added + i])["suppressions"] = OrderedJson::array({suppressions[i]});
  return sarif.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace assay::inline v0
