#pragma once

#include "assay/report/markdown.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/report/findings.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_head(const Run& run) {
  const int code = run.exit_code();
  const Environment& machine = run.environment;
  std::string text = "## ";
  text.append(inline_markdown(run.title.empty() ? "Assay" : run.title, 120)).append("\n\n");
  text.append(code == 0   ? "**Passed.** "
              : code == 1 ? "**Failed.** "
                          : "**Not decided.** ")
      .append(inline_markdown(closing_line(run), 400));
  text.append("\n\n");
  if (!run.command.empty()) text.append(code_markdown(run.command, 200)).append(" · ");
  text.append("seed ").append(std::to_string(run.seed));
  for (const std::string* fact : {&machine.host_name, &machine.processor, &machine.operating_system})
    if (!fact->empty()) text.append(" · ").append(inline_markdown(*fact, 80));
  if (!machine.assay_version.empty()) text.append(" · Assay ").append(inline_markdown(machine.assay_version, 40));
  return text.append("\n\n");
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text.append(" ").append(inline_markdown(cell, 60)).append(" |");
  return text.append("\n");
}

/// The summary by backend, operation and formats. If not all rows fit, formats are folded, and rows with failures,
/// errors and undecided cases go first.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_table(const Run& run, std::size_t most_bytes) {
  const Summary summary = summarize(run);
  if (summary.rows.empty()) return {};
  Table table = summary_table(summary);
  BoundedText text{markdown_row(table.columns), most_bytes};
  text.text += "|";
  for (std::size_t column = 0; column < table.columns.size(); ++column) text.text += column < 3 ? " --- |" : " ---: |";
  text.text += "\n";

  std::size_t whole = text.text.size();
  for (const std::vector<std::string>& row : table.rows) whole += markdown_row(row).size();
  if (whole > most_bytes) table = summary_table(urgent_first(without_formats(summary)));
  std::size_t left_out = 0;
  for (const std::vector<std::string>& row : table.rows)
    left_out += left_out > 0 || !text.add(markdown_row(row)) ? 1 : 0;
  text.text += "\n";
  if (left_out > 0) text.text.append(std::to_string(left_out)).append(" further rows are left out here.\n\n");
  return text.text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_line(const Outcome& outcome) {
  return code_markdown(outcome.id, 200).append(" ").append(inline_markdown(stated_reason(outcome), 300));
}

/// Whose kernels passed and whose failed, and the findings: as many as fit.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_findings(const Run& run, std::size_t most_bytes) {
  const std::vector<Finding> findings = findings_of(run);
  BoundedText text{"", most_bytes - std::min(most_bytes, markdown_footer_bytes)};
  for (const std::string& line : standing_of_backends(run)) text.add(inline_markdown(line, 1000) + "\n\n");
  if (findings.empty()) return text.text;
  text.add("### " + std::to_string(findings.size()) + (findings.size() == 1 ? " finding" : " findings") + "\n\n");
  std::size_t left_out = 0;
  for (const Finding& finding : findings) {
    const Outcome& example = example_of(finding, run);
    std::string piece = "- " + inline_markdown(heading_of(finding), 200);
    if (finding.operations.size() > 1) piece += " in " + inline_markdown(operations_text(finding), 200);
    piece += "; " + inline_markdown(finding.account, 200) + " (" + code_markdown(example.id, 200) + ")\n";
    left_out += left_out > 0 || !text.add(piece) ? 1 : 0;
  }
  if (left_out > 0) text.text += "- and " + std::to_string(left_out) + " more findings\n";
  return text.text + "\n";
}

/// One case, folded; its reason can be read without opening it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_case(const Outcome& outcome) {
  std::string text = "<details><summary>";
  text.append(markdown_line(outcome)).append("</summary>\n\n");
  const auto list = [&](std::string_view heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    text.append(heading).append("\n\n");
    for (std::size_t i = 0; i < lines.size() && i < 12; ++i)
      if (!lines[i].empty()) text.append("- ").append(inline_markdown(lines[i], 300)).append("\n");
    text.append("\n");
  };
  list("Diagnosis", outcome.diagnosis);
  list("How the tolerance came about", outcome.derivation);
  std::string measured;
  for (std::size_t i = 0; i < outcome.measurements.size() && i < 12; ++i) {
    const Measurement& entry = outcome.measurements[i];
    measured.append(measured.empty() ? "" : " · ").append(inline_markdown(entry.name, 60)).append(" ");
    measured.append(inline_markdown(quantity_text(entry.value, entry.unit), 60));
  }
  if (!measured.empty()) text.append(measured).append("\n\n");
  if (!outcome.reproduce.empty())
    text.append("Run this case alone:\n\n").append(fenced_markdown(outcome.reproduce, 2000)).append("\n");
  return text.append("</details>\n\n");
}

/// The cases with a verdict: folded in full while they fill less than three quarters of the room, then a line each,
/// then a count.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_cases(const Run& run, Verdict verdict,
                                                                    std::size_t most_bytes) {
  const std::size_t number = run.count(verdict);
  if (number == 0 || most_bytes < 2 * markdown_footer_bytes) return {};
  BoundedText text{"### ", most_bytes - markdown_footer_bytes};
  text.text.append(std::to_string(number)).append(" ").append(counted_name_of(verdict)).append("\n\n");
  const std::size_t full_bytes = most_bytes / 4 * 3;
  std::size_t left_out = 0;
  bool full = true;
  for (const Outcome& outcome : run.outcomes) {
    if (outcome.verdict != verdict) continue;
    if (full) {
      const std::string piece = markdown_case(outcome);
      full = text.text.size() + piece.size() <= full_bytes && text.add(piece);
      if (full) continue;
    }
    left_out += left_out > 0 || !text.add("- " + markdown_line(outcome) + "\n") ? 1 : 0;
  }
  if (left_out > 0)
    text.text.append("- and ").append(std::to_string(left_out)).append(" more, for which there is no room here\n");
  return text.text.append(full ? "" : "\n");
}

/// What was not judged, and why, folded.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string markdown_reasons(const Run& run, std::size_t most_bytes) {
  BoundedText text{"", most_bytes - std::min(most_bytes, markdown_footer_bytes)};
  for (const Verdict verdict : {Verdict::new_baseline, Verdict::unsupported, Verdict::skipped}) {
    std::size_t left_out = 0;
    for (const auto& [reason, cases] : grouped_reasons(run, verdict)) {
      const std::string line = "- " + std::to_string(cases) + " " + std::string(counted_name_of(verdict)) + " – " +
                               inline_markdown(reason.empty() ? "no reason given" : reason, 300) + "\n";
      if (left_out > 0 || !text.add(line)) left_out += cases;
    }
    if (left_out > 0)
      text.text.append("- ")
          .append(std::to_string(left_out))
          .append(" more ")
          .append(counted_name_of(verdict))
          .append(", for other reasons\n");
  }
  if (text.text.empty()) return {};
  return "<details><summary>What was not judged, and why</summary>\n\n" + text.text + "\n</details>\n\n";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string markdown_text(const Run& run, std::size_t most_bytes) {
  expect(most_bytes >= markdown_least_bytes, [&] {
    return "markdown_text was given " + std::to_string(most_bytes) + " bytes of room; give it at least " +
           std::to_string(markdown_least_bytes) + " (markdown_comment_bytes, markdown_step_summary_bytes)";
  });
  std::string text = detail::markdown_head(run);
  text += detail::markdown_findings(run, most_bytes / 8);
  text += detail::markdown_table(run, most_bytes / 4);
  const std::string reasons = detail::markdown_reasons(run, most_bytes / 8);
  for (const Verdict verdict : {Verdict::fail, Verdict::error, Verdict::inconclusive}) {
    const std::size_t used = text.size() + reasons.size() + detail::markdown_footer_bytes;
    const std::size_t room = most_bytes - std::min(most_bytes, used);
    // Room is kept for the verdicts that follow, so that a flood of failures does not hide that there are errors too.
    text += detail::markdown_cases(run, verdict, verdict == Verdict::inconclusive ? room : room / 8 * 7);
  }
  return text + reasons;
}

}  // namespace assay::inline v0
