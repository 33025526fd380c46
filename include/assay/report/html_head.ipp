#pragma once

#include "assay/report/html_head.hpp"

#include <string_view>

#include "assay/core/config.hpp"
#include "assay/report/detail/html_findings.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t quick_passes(const Run& run) {
  std::size_t number = 0;
  for (const Outcome& outcome : run.outcomes) number += quick_pass(outcome) ? 1 : 0;
  return number;
}

ASSAY_DETAIL_HEADER_INLINE RunVerdict run_verdict(const Run& run) {
  const std::size_t failed = run.count(Verdict::fail), erred = run.count(Verdict::error),
                    passed = run.count(Verdict::pass), fresh = run.count(Verdict::new_baseline);
  const std::size_t undecided = run.count(Verdict::inconclusive);
  if (run.outcomes.empty()) return {"fail", "!", "Nothing ran"};
  if (failed + erred > 0) {
    const std::string of_all = " of " + counted(run.outcomes.size(), "case");
    std::string text = failed > 0 ? std::to_string(failed) + of_all + " failed" : "";
    if (erred > 0)
      text += (failed > 0 ? ", " + std::to_string(erred) : std::to_string(erred) + of_all) + " could not be computed";
    return {"fail", verdict_symbol(Verdict::fail), text};
  }
  if (run.require_conclusive && undecided > 0)
    return {"fail", verdict_symbol(Verdict::fail),
            std::to_string(undecided) + " of " + counted(run.outcomes.size(), "case") +
                " inconclusive, and every case was to decide"};
  if (run.outcomes.size() < run.planned_cases)
    return {"inconclusive", "!", "Cut short: " + counted(passed, "case") + " passed, the rest is unknown"};
  if (passed + fresh == 0) return {"inconclusive", verdict_symbol(Verdict::inconclusive), "Nothing was decided"};
  std::string text = undecided > 0 ? std::to_string(passed) + " of " +
                                         counted(passed + undecided + fresh, "computed case") + " passed, none failed"
                     : passed == 1 ? "The one computed case passed"
                                   : "All " + std::to_string(passed) + " computed cases passed";
  if (undecided == 0 && fresh > 0) text = std::to_string(passed) + " passed, " + counted(fresh, "new baseline");
  if (quick_passes(run) == passed && passed > 0) return {"quick", quick_symbol, text + ", by quick checks only"};
  return {"pass", verdict_symbol(Verdict::pass), text};
}

/// The bar of verdicts, to scale, and their counts; passes of quick checks apart from full ones.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string verdict_counts(const Run& run) {
  std::string bar, totals;
  const auto part = [&](const std::string& style, const std::string& symbol, std::size_t count, const std::string& text,
                        Verdict verdict) {
    if (count == 0) return;
    const std::string number = std::to_string(count);
    bar += "<span class=\"" + style + "\" style=\"flex:" + number + "\"></span>";
    totals += "<li class=\"" + style + "\"><a href=\"#" + section_anchor(verdict) + "\"><span aria-hidden=\"true\">" +
              symbol + "</span> <b>" + number + "</b> " + text + "</a></li>";
  };
  const std::size_t quick = quick_passes(run);
  for (const Verdict verdict : verdicts_by_urgency) {
    const std::size_t count = run.count(verdict);
    const std::string name(name_of(verdict)), text(counted_name_of(verdict));
    if (verdict != Verdict::pass) {
      part(name, verdict_symbol(verdict), count, text, verdict);
      continue;
    }
    part(name, verdict_symbol(verdict), count - quick, quick > 0 ? "passed in full" : text, verdict);
    part("quick", quick_symbol, quick, "passed a quick check", verdict);
  }
  return "<div class=\"bar\" aria-hidden=\"true\">" + bar + "</div><ul class=\"totals\">" + totals + "</ul>\n";
}

/// Command, seed and machine of a run.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string run_facts(const Run& run) {
  const Environment& machine = run.environment;
  std::string rows;
  const auto row = [&](std::string_view key, std::string_view value) {
    if (!value.empty())
      rows += "<tr><th scope=\"row\">" + escaped_markup(key) + "</th><td class=\"value\">" + escaped_markup(value) +
              "</td></tr>";
  };
  row("host", machine.host_name);
  row("system", machine.operating_system);
  row("processor",
      machine.processor + (machine.logical_processors > 0 ? (machine.processor.empty() ? "" : ", ") +
                                                                counted(machine.logical_processors, "logical processor")
                                                          : ""));
  row("instruction sets", machine.instruction_sets);
  if (machine.memory_bytes > 0) row("memory", number_text(machine.memory_bytes / 1073741824.0) + " GiB");
  for (const std::string& device : machine.devices) row("device", device);
  row("compiler", machine.compiler);
  row("compiler flags", machine.compiler_flags);
  for (const auto& [name, version] : machine.libraries) row(name, version);
  std::string markup = "<ul class=\"facts\">";
  if (!run.command.empty())
    markup += "<li class=\"wide\"><span class=\"key\">command</span>" + command_markup(run.command) + "</li>";
  const auto fact = [&](const char* key, const std::string& value) {
    if (!value.empty())
      markup += std::string("<li><span class=\"key\">") + key + "</span> " + escaped_markup(value) + "</li>";
  };
  const std::string ran = std::to_string(run.outcomes.size());
  fact("seed", std::to_string(run.seed));
  fact("cases", run.planned_cases > 0 && run.planned_cases != run.outcomes.size()
                    ? ran + " ran of " + std::to_string(run.planned_cases) + " planned"
                    : ran);
  fact("duration", duration_text(run.duration_seconds));
  fact("started", machine.started_at);
  markup += "</ul>\n";
  if (!rows.empty())
    markup += "<details class=\"environment\"><summary>Environment: " +
              escaped_markup(machine.processor.empty() ? "processor not recorded" : machine.processor) +
              (machine.compiler.empty() ? "" : "; " + escaped_markup(machine.compiler)) +
              "</summary><div class=\"scroll\"><table class=\"environment-table\"><tbody>" + rows +
              "</tbody></table></div></details>\n";
  return markup;
}

ASSAY_DETAIL_HEADER_INLINE std::string head_markup(const Run& run) {
  const RunVerdict verdict = run_verdict(run);
  std::string markup = std::string("<p class=\"verdict ") + verdict.style + "\"><span aria-hidden=\"true\">" +
                       verdict.symbol + "</span> " + escaped_markup(verdict.text) + "</p>\n";
  const auto alert = [&](const std::string& text) { markup += "<p class=\"alert\">" + text + "</p>\n"; };
  if (!run.outcomes.empty())
    markup += verdict_counts(run);
  else
    alert("No case ran, so nothing is known about any kernel.");
  if (!run.outcomes.empty() && run.outcomes.size() >= run.planned_cases && run.exit_code() == 2)
    alert("No case was computed, so nothing was decided about any kernel.");
  if (run.outcomes.size() < run.planned_cases)
    alert("<b>This run was cut short:</b> " + std::to_string(run.planned_cases - run.outcomes.size()) + " of " +
          std::to_string(run.planned_cases) + " planned cases did not run. Nothing is known about those.");
  if (const std::size_t quick = quick_passes(run); quick > 0)
    alert(std::to_string(quick) +
          (quick == 1 ? " pass is that of a quick check" : " passes are those of quick checks") +
          " (≈): not every element was compared.");
  return markup + html_findings(run) + run_facts(run);
}

}  // namespace assay::inline v0::detail
