#pragma once

#include "assay/release/gate_markdown.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string gate_markdown(const GateReport& report) {
  using detail::inline_markdown;
  std::string text = "## Release gate: " + std::string(name_of(report.verdict)) + "\n\n";
  text += inline_markdown(report.title, 120) + (report.title.empty() ? "" : " — ") +
          inline_markdown(report.reason, 300) + " (" + date_text(report.today) + ").\n\n";
  text += "| gate | level | state | why |\n| --- | --- | --- | --- |\n";
  for (const GateState state : {GateState::violated, GateState::cannot_tell, GateState::waived, GateState::passed})
    for (const GateResult& result : report.gates)
      if (result.state == state)
        text += "| " + inline_markdown(result.gate.name, 80) + " | " + (result.gate.hard ? "hard" : "soft") + " | " +
                (state == GateState::passed ? "" : "**") + std::string(name_of(state)) +
                (state == GateState::passed ? "" : "**") + " | " + inline_markdown(result.reason, 300) + " |\n";
  const auto list = [&](const std::string& heading, GateFindings GateResult::*findings) {
    std::string lines;
    for (const GateResult& result : report.gates) {
      const GateFindings& found = result.*findings;
      for (std::size_t i = 0; i < found.kept.size() && i < 20; ++i)
        lines += "- " + inline_markdown(result.gate.name, 80) + ": " + detail::code_markdown(found.kept[i].id, 200) +
                 " " + inline_markdown(found.kept[i].what, 300) + "\n";
      if (found.count > 20)
        lines += "- " + inline_markdown(result.gate.name, 80) + ": and " + std::to_string(found.count - 20) + " more\n";
    }
    if (!lines.empty()) text += "\n### " + heading + "\n\n" + lines;
  };
  list("What is wrong", &GateResult::bad);
  list("What could not be decided", &GateResult::undecided);
  list("Known issues that are let through", &GateResult::waived);
  list("Flaky tests in quarantine", &GateResult::quarantined);

  std::string waivers;
  for (const WaiverUse& use : report.waivers)
    if (!use.expired && use.matched > 0)
      waivers += "- " + inline_markdown(use.waiver.owner, 80) + ", until " + date_text(use.waiver.expires) + ": " +
                 inline_markdown(use.waiver.reason, 300) + "\n";
  if (!waivers.empty()) text += "\n### Waivers in force\n\n" + waivers;
  const std::vector<std::string> notes = gate_notes(report);
  if (!notes.empty()) text += "\n### To mend in the policy\n\n";
  for (const std::string& note : notes) text += "- " + inline_markdown(note, 300) + "\n";
  text += "\n### What was tested\n\n| results | on | started | outcomes |\n| --- | --- | --- | ---: |\n";
  for (const GateSource& source : report.sources)
    text += "| " + inline_markdown(source.title.empty() ? source.name : source.title, 80) + " | " +
            inline_markdown(source.host, 60) + " | " + inline_markdown(source.started_at, 40) + " | " +
            std::to_string(source.outcomes) + (source.cut_short() ? " of " + std::to_string(source.planned) : "") +
            " |\n";
  return text;
}

}  // namespace assay::inline v0
