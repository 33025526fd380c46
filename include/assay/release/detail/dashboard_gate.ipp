#pragma once

#include "assay/release/detail/dashboard_gate.hpp"

#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE GateLook gate_look(const Outcome& gate) {
  const std::string state = gate.label("state");
  const bool hard = gate.label("level") != "soft";
  if (state == "violated") return hard ? GateLook{"fail", "✗"} : GateLook{"inconclusive", "!"};
  if (state == "cannot tell") return {hard ? "error" : "inconclusive", "?"};
  if (state == "waived") return {"inconclusive", "~"};
  return state == "passed" ? GateLook{"pass", "✓"}
                           : GateLook{verdict_symbol(gate.verdict)[0] == '!' ? "error" : "inconclusive",
                                      verdict_symbol(gate.verdict)};
}

/// What a gate names, each id once: where something is wrong in a hundred combinations, it is wrong once to a reader.
/// The table is that of `gate_run`: outcome, verdict, why, from, reproduce; another one is shown as it is.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string gate_findings(const Table& table,
                                                                   const DashboardFailures& failures) {
  constexpr std::size_t most_ids = 10;
  if (table.columns.size() < 4 || table.columns[0] != "outcome" || table.columns[2] != "why")
    return table_markup(table, most_ids);
  struct Finding {
    std::string why, from;
    std::size_t count = 0;
  };
  std::map<std::string, Finding> findings;
  std::vector<std::string> order;
  for (const std::vector<std::string>& row : table.rows) {
    if (row.size() < 4) continue;
    Finding& finding = findings[row[0]];
    if (finding.count++ == 0) {
      finding.why = row[2];
      finding.from = row[3];
      order.push_back(row[0]);
    }
  }
  std::string text = "<ul class=\"findings\">";
  for (std::size_t i = 0; i < order.size() && i < most_ids; ++i) {
    const Finding& finding = findings[order[i]];
    text += "<li>" + failures.link(order[i]) +
            (finding.count > 1 ? " <small>" + std::to_string(finding.count) + " times</small>" : "");
    // What is told below needs no second telling.
    if (!failures.tells(order[i]))
      text += " <small>in " + escaped_markup(clipped(visible(finding.from), 200)) + "</small><span class=\"why\">" +
              escaped_markup(clipped(visible(finding.why), 400)) + "</span>";
    text += "</li>";
  }
  if (order.size() > most_ids) text += "<li>and " + std::to_string(order.size() - most_ids) + " more</li>";
  return text + "</ul>";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string gate_entry(const Outcome& gate, const DashboardFailures& failures,
                                                                bool open) {
  const GateLook look = gate_look(gate);
  const std::string name = gate.label("gate").empty() ? gate.id : gate.label("gate");
  std::string text = "<details class=\"case gate\"" + std::string(open ? " open" : "") + "><summary><b class=\"" +
                     look.style + "\">" + look.symbol + "</b><span class=\"who\"><span class=\"name\">" +
                     escaped_markup(clipped(visible(name), 200)) + "</span> <span class=\"badge\">" +
                     escaped_markup(clipped(visible(gate.label("level").empty() ? "gate" : gate.label("level")), 40)) +
                     "</span><span class=\"why\">" + escaped_markup(clipped(gate.reason, 1000)) +
                     "</span></span></summary><div class=\"body\">";
  if (!gate.diagnosis.empty()) text += findings_markup(gate.diagnosis);
  for (const Table& table : gate.tables)
    text += "<h3>" + escaped_markup(table.title) + "</h3>" + gate_findings(table, failures);
  if (!gate.derivation.empty()) text += findings_markup(gate.derivation);
  return text + "</div></details>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string gate_section(const Run& gate, const DashboardFailures& failures) {
  std::vector<const Outcome*> urgent, passed;
  for (const bool hard : {true, false})
    for (const char* state : {"violated", "cannot tell", "waived"})
      for (const Outcome& outcome : gate.outcomes)
        if (outcome.id != "gate" && outcome.label("state") == state && (outcome.label("level") != "soft") == hard)
          urgent.push_back(&outcome);
  for (const Outcome& outcome : gate.outcomes)
    if (outcome.id != "gate" && outcome.label("state") == "passed") passed.push_back(&outcome);
  std::string text =
      "<section id=\"gate\"><h2>Gate <small>" + std::to_string(urgent.size() + passed.size()) + "</small></h2>\n";
  for (std::size_t i = 0; i < urgent.size(); ++i) text += gate_entry(*urgent[i], failures, i == 0);
  if (!passed.empty()) {
    text += "<details class=\"group\"><summary><b class=\"pass\">✓</b> " + counted(passed.size(), "gate") +
            " passed</summary>\n";
    for (const Outcome* outcome : passed) text += gate_entry(*outcome, failures, false);
    text += "</details>\n";
  }
  if (const Outcome* answer = gate_answer(gate)) {
    if (!answer->diagnosis.empty()) text += "<h3>Waivers and quarantine</h3>" + findings_markup(answer->diagnosis);
    for (const Table& table : answer->tables)
      if (!table.rows.empty())
        text += "<details class=\"group\"><summary>What was judged <small>" + std::to_string(table.rows.size()) +
                "</small></summary>" + table_markup(table, 200) + "</details>\n";
  }
  return text + "</section>\n";
}

}  // namespace assay::inline v0::detail
