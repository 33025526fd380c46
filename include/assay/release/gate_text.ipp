#pragma once

#include "assay/release/gate_text.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> gate_notes(const GateReport& report) {
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  std::vector<std::string> notes;
  for (const WaiverUse& use : report.waivers) {
    const std::string what =
        "waiver of " + list(use.waiver.ids.empty() ? use.waiver.gates : use.waiver.ids) + " (" + use.waiver.owner + ")";
    if (use.expired)
      notes.push_back(what + " expired on " + date_text(use.waiver.expires) + " and is void" +
                      (use.matched > 0 ? "; it would have let " + std::to_string(use.matched) + " through" : ""));
    else if (use.matched == 0)
      notes.push_back(what + " matches nothing that is wrong; remove it, or mend its names");
    else if (use.days_left <= 14)
      notes.push_back(what + " ends on " + date_text(use.waiver.expires) + ", in " + std::to_string(use.days_left) +
                      (use.days_left == 1 ? " day" : " days"));
  }
  for (const QuarantineUse& use : report.quarantine) {
    const std::string what = "quarantine of " + list(use.quarantine.ids) + " (" + use.quarantine.owner + ")";
    for (const std::string& refused : use.refused) notes.push_back("quarantine refused: " + refused);
    if (use.expired)
      notes.push_back(what + " expired on " + date_text(use.quarantine.expires) + " and is void");
    else if (use.seen == 0)
      notes.push_back(what + " matches no outcome; a quarantined test keeps running");
  }
  return notes;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void GateLines::add_findings(const GateFindings& findings, std::size_t shown,
                                                        bool several_sources) {
  for (std::size_t i = 0; i < shown && i < findings.kept.size(); ++i) {
    const GateFinding& finding = findings.kept[i];
    lines.push_back("    " + finding.id + ": " +
                    (finding.what.empty() ? std::string(name_of(finding.verdict)) : finding.what) +
                    (several_sources ? "  [" + finding.source + "]" : ""));
  }
  if (shown > 0 && findings.count > shown)
    lines.push_back("    … and " + std::to_string(findings.count - shown) + " more");
}

ASSAY_DETAIL_HEADER_INLINE void GateLines::add(const GateResult& result, std::size_t shown, bool several_sources) {
  const bool open = result.state == GateState::violated || result.state == GateState::cannot_tell;
  const char* sign = result.state == GateState::violated      ? (result.gate.hard ? "✗ " : "! ")
                     : result.state == GateState::cannot_tell ? "? "
                                                              : "~ ";
  lines.push_back(sign + result.gate.name + (result.gate.hard ? "" : " (warns)") +
                  (result.state == GateState::cannot_tell ? " cannot tell: " : ": ") + result.reason);
  if (!open) return;
  add_findings(result.state == GateState::violated ? result.bad : result.undecided, shown, several_sources);
  if (result.decided() + result.undecided.count == 0)
    lines.push_back("    to do: run the tests that it asks for, or strike the gate from the policy");
  else if (!result.gate.remedy.empty())
    lines.push_back("    to do: " + result.gate.remedy);
}

/// "nobody ran hardware, models; ": groups of the policy for none of whose gates there is an outcome.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string groups_not_run(const GateReport& report) {
  std::vector<std::string> groups;
  const auto place = [&](const Gate& gate) { return std::find(groups.begin(), groups.end(), gate.group); };
  for (const GateResult& result : report.gates)
    if (!result.gate.group.empty() && place(result.gate) == groups.end()) groups.push_back(result.gate.group);
  for (const GateResult& result : report.gates)
    if (result.decided() + result.undecided.count > 0 && place(result.gate) != groups.end())
      groups.erase(place(result.gate));
  std::string text;
  for (const std::string& group : groups) text += (text.empty() ? "nobody ran " : ", ") + group;
  return text.empty() ? text : text + "; ";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> gate_lines_with(const GateReport& report,
                                                                                  std::size_t shown) {
  GateLines text;
  std::size_t outcomes = 0;
  for (const GateSource& source : report.sources) outcomes += source.outcomes;
  const char* answer = report.verdict == ReleaseVerdict::approved  ? "APPROVED"
                       : report.verdict == ReleaseVerdict::blocked ? "BLOCKED"
                                                                   : "CANNOT TELL";
  text.lines.push_back(std::string(answer) + "  " + (report.title.empty() ? "release" : report.title) + ": " +
                       groups_not_run(report) + report.reason);
  text.lines.push_back(std::to_string(outcomes) + (outcomes == 1 ? " outcome of " : " outcomes of ") +
                       std::to_string(report.sources.size()) + (report.sources.size() == 1 ? " run, " : " runs, ") +
                       date_text(report.today));
  for (const GateSource& source : report.sources)
    if (source.cut_short())
      text.lines.push_back("? " + source.name + " was cut short: " + std::to_string(source.planned - source.outcomes) +
                           " of " + std::to_string(source.planned) + " planned cases did not run; run it to its end");
  for (std::size_t i = 0; i < std::min<std::size_t>(report.absent.size(), 5); ++i)
    text.lines.push_back("? " + report.absent[i] + " was there before, and no result speaks of it now");
  if (report.absent.size() > 5) text.lines.push_back("? … and " + std::to_string(report.absent.size() - 5) + " more");
  const auto add_all = [&](GateState state, bool hard) {
    for (const GateResult& result : report.gates)
      if (result.state == state && result.gate.hard == hard) text.add(result, shown, report.sources.size() > 1);
  };
  add_all(GateState::violated, true);
  add_all(GateState::cannot_tell, true);
  add_all(GateState::violated, false);
  add_all(GateState::cannot_tell, false);
  for (const bool hard : {true, false}) add_all(GateState::waived, hard);
  std::string passed;
  std::size_t number = 0;
  for (const GateResult& result : report.gates)
    if (result.state == GateState::passed) {
      passed += (passed.empty() ? "" : ", ") + result.gate.name;
      ++number;
    }
  if (number > 0)
    text.lines.push_back("✓ " + std::to_string(number) + (number == 1 ? " gate passed: " : " gates passed: ") + passed);
  for (const std::string& note : gate_notes(report)) text.lines.push_back("note: " + note);
  return text.lines;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> gate_lines(const GateReport& report,
                                                               const GateTextOptions& options) {
  std::vector<std::string> lines;
  for (const std::size_t shown : {5u, 3u, 1u, 0u}) {
    lines = detail::gate_lines_with(report, shown);
    if (lines.size() <= options.lines) break;
  }
  if (lines.size() > options.lines && options.lines > 1) {
    const std::size_t left_off = lines.size() - options.lines + 1;
    lines.resize(options.lines - 1);
    lines.push_back("… and " + std::to_string(left_off) + " lines more; --out DIR writes all of it");
  }
  for (std::string& line : lines) line = clipped(visible(line), options.columns);
  return lines;
}

}  // namespace assay::inline v0
