#pragma once

#include "assay/release/gate_run.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Table findings_table(const std::string& title, const GateFindings& findings) {
  constexpr std::size_t most_rows = 100;
  Table table{title, {"outcome", "verdict", "why", "from", "reproduce"}, {}};
  for (std::size_t i = 0; i < findings.kept.size() && i < most_rows; ++i) {
    const GateFinding& finding = findings.kept[i];
    table.rows.push_back(
        {finding.id, std::string(name_of(finding.verdict)), finding.what, finding.source, finding.reproduce});
  }
  if (findings.count > most_rows)
    table.title += " (the first " + std::to_string(most_rows) + " of " + std::to_string(findings.count) + ")";
  return table;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome gate_outcome(const GateReport& report, const GateResult& result) {
  Outcome outcome;
  outcome.id = "gate/" + result.gate.name;
  outcome.verdict = verdict_of(result.state, result.gate.hard);
  outcome.reason = (result.gate.hard ? "" : "warns only: ") +
                   (result.state == GateState::cannot_tell ? "cannot tell: " + result.reason : result.reason);
  outcome.labels = {{"operation", result.gate.group.empty() ? "release" : result.gate.group},
                    {"gate", result.gate.name},
                    {"level", result.gate.hard ? "hard" : "soft"},
                    {"state", std::string(name_of(result.state))}};
  if (!result.gate.remedy.empty() && result.state != GateState::passed)
    outcome.diagnosis.push_back("to do: " + result.gate.remedy);
  outcome.derivation.push_back("demands: " + result.gate.condition.text + ", of " +
                               std::to_string(result.gate.minimum) +
                               (result.gate.minimum == 1 ? " result" : " results") + " at least");
  if (!result.gate.why.empty()) outcome.derivation.push_back("protects: " + result.gate.why);
  for (const std::size_t i : result.waivers) {
    const Waiver& waiver = report.waivers[i].waiver;
    outcome.reason += "; waived by " + waiver.owner + " until " + date_text(waiver.expires) + ": " + waiver.reason;
  }
  outcome.measure("selected", static_cast<double>(result.selected));
  outcome.measure("right", static_cast<double>(result.right));
  outcome.measure("bad", static_cast<double>(result.bad.count));
  outcome.measure("undecided", static_cast<double>(result.undecided.count));
  outcome.measure("waived", static_cast<double>(result.waived.count));
  outcome.measure("quarantined", static_cast<double>(result.quarantined.count));
  if (result.value) outcome.measure("value", *result.value, result.gate.unit.empty() ? "1" : result.gate.unit);
  const std::pair<const char*, const GateFindings*> lists[] = {{"bad", &result.bad},
                                                               {"undecided", &result.undecided},
                                                               {"waived", &result.waived},
                                                               {"flaky, in quarantine", &result.quarantined}};
  for (const auto& [title, findings] : lists)
    if (findings->count > 0) outcome.tables.push_back(findings_table(title, *findings));
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Run gate_run(const GateReport& report) {
  Run run;
  run.title = "Release gate: " + report.title;
  Outcome answer;
  answer.id = "gate";
  answer.verdict = report.verdict == ReleaseVerdict::approved  ? Verdict::pass
                   : report.verdict == ReleaseVerdict::blocked ? Verdict::fail
                                                               : Verdict::error;
  answer.reason = std::string(name_of(report.verdict)) + ": " + report.reason;
  answer.labels = {{"operation", "release"}, {"gate", "all"}, {"state", std::string(name_of(report.verdict))}};
  answer.diagnosis = gate_notes(report);
  Table sources{"results", {"file", "title", "host", "started", "outcomes", "planned"}, {}};
  for (const GateSource& source : report.sources)
    sources.rows.push_back({source.name, source.title, source.host, source.started_at, std::to_string(source.outcomes),
                            std::to_string(source.planned)});
  answer.tables.push_back(std::move(sources));
  run.outcomes.push_back(std::move(answer));
  for (const GateResult& result : report.gates) run.outcomes.push_back(detail::gate_outcome(report, result));
  run.planned_cases = run.outcomes.size();
  return run;
}

}  // namespace assay::inline v0
