#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/chart.hpp"
#include "assay/report/detail/page_style.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"
#include "assay/report/write_file.hpp"

namespace assay {

/// How large the page may grow. What no longer fits is told in fewer words, never silently left out.
struct HtmlOptions {
  std::size_t bytes_with_charts = 8'000'000;    ///< up to here cases carry tables, heat maps and series
  std::size_t bytes_with_details = 10'000'000;  ///< up to here cases carry diagnosis, measurements and derivation
  std::size_t bytes = 14'000'000;               ///< up to here cases are listed
  std::size_t rows_of_a_table = 200;
};

namespace detail {

/// Writes the page of one run.
class HtmlPage {
 public:
  HtmlPage(const Run& run, const HtmlOptions& options) : run_(run), options_(options) {}

  [[nodiscard]] std::string text() {
    const std::string title = escaped_markup(run_.title.empty() ? "Assay report" : run_.title);
    page_ =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';script-src 'unsafe-inline'\">"
        "<title>" +
        title + "</title><style>" + page_style + "</style></head>\n<body>\n<header><h1>" + title + "</h1>\n";
    header();
    page_ += "</header>\n<main>\n";
    if (!run_.outcomes.empty()) {
      page_ += "<h2>Summary</h2>\n";
      table(summary_table(summarize(run_)), "summary");
      page_ +=
          "<input id=\"filter\" type=\"search\" aria-label=\"Filter cases\" placeholder=\"Filter cases: words of the id, the reason, the "
          "diagnosis…\">"
          "<p id=\"matches\" class=\"note\" role=\"status\"></p>\n";
    }
    for (const Verdict verdict : verdicts_by_urgency) section(verdict);
    if (unlisted_ > 0)
      page_ += "<p class=\"alert\">" + std::to_string(unlisted_) +
               " more cases are counted above and not listed: the page would grow too large. The JSON report holds them.</p>\n";
    page_ += "</main>\n<footer>Assay " + escaped_markup(run_.environment.assay_version) +
             ". An error / allowed of 1 is the most that a correct kernel can show.</footer>\n<script>" + page_script +
             "</script>\n</body></html>\n";
    return std::move(page_);
  }

 private:
  /// An id that may break after each of its parts.
  static std::string id_markup(std::string_view id) {
    std::string markup = "<span class=\"id\">";
    for (const char letter : escaped_markup(clipped(visible(id), 400))) markup += letter == '/' ? "/<wbr>" : std::string(1, letter);
    return markup + "</span>";
  }
  static std::string anchor(Verdict verdict) { return "cases-" + std::string(name_of(verdict)); }
  static std::string worded(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name == "worst error ratio" ? "worst error / allowed" : name;
  }
  static const char* heading(Verdict verdict) {
    switch (verdict) {
      case Verdict::pass: return "Passed";
      case Verdict::fail: return "Failed";
      case Verdict::error: return "Could not be computed";
      case Verdict::skipped: return "Skipped";
      case Verdict::unsupported: return "Unsupported";
      case Verdict::inconclusive: return "Inconclusive";
      case Verdict::new_baseline: return "New baselines";
    }
    return "Could not be computed";
  }
  static const char* symbol(Verdict verdict) {
    switch (verdict) {
      case Verdict::pass: return "✓";
      case Verdict::fail: return "✗";
      case Verdict::error: return "!";
      case Verdict::inconclusive: return "?";
      case Verdict::new_baseline: return "+";
      case Verdict::skipped: return "–";
      case Verdict::unsupported: return "∅";
    }
    return "!";
  }

  void header() {
    const Environment& machine = run_.environment;
    page_ += "<p class=\"lead\">" + std::to_string(run_.outcomes.size()) + (run_.outcomes.size() == 1 ? " case" : " cases") + " in " +
             duration_text(run_.duration_seconds) + (machine.host_name.empty() ? "" : " on " + escaped_markup(machine.host_name)) +
             (machine.started_at.empty() ? "" : ", started " + escaped_markup(machine.started_at)) + "</p>\n";
    if (!run_.outcomes.empty()) {
      std::string bar = "<div class=\"bar\" aria-hidden=\"true\">", totals = "<ul class=\"totals\">";
      for (const Verdict verdict : verdicts_by_urgency) {
        const std::size_t count = run_.count(verdict);
        if (count == 0) continue;
        const std::string name(name_of(verdict)), number = std::to_string(count);
        bar += "<span class=\"" + name + "\" style=\"flex:" + number + "\"></span>";
        totals += "<li class=\"" + name + "\"><a href=\"#" + anchor(verdict) + "\">" + symbol(verdict) + " <b>" + number + "</b> " +
                  std::string(counted_name_of(verdict)) + "</a></li>";
      }
      page_ += bar + "</div>" + totals + "</ul>\n";
    } else {
      page_ += "<p class=\"alert\">No case ran, so nothing is known about any kernel.</p>\n";
    }
    if (!run_.outcomes.empty() && run_.outcomes.size() >= run_.planned_cases && run_.exit_code() == 2)
      page_ += "<p class=\"alert\">No case was computed, so nothing was decided about any kernel.</p>\n";
    if (run_.outcomes.size() < run_.planned_cases)
      page_ += "<p class=\"alert\">This run was cut short: " + std::to_string(run_.planned_cases - run_.outcomes.size()) + " of " +
               std::to_string(run_.planned_cases) + " planned cases did not run.</p>\n";
    environment();
  }

  void environment() {
    const Environment& machine = run_.environment;
    std::string rows;
    const auto row = [&](std::string_view key, std::string_view value) {
      if (!value.empty())
        rows += "<tr><td class=\"key\">" + escaped_markup(key) + "</td><td class=\"value\">" + escaped_markup(value) + "</td></tr>";
    };
    row("command", run_.command);
    row("seed", std::to_string(run_.seed));
    row("started", machine.started_at);
    row("host", machine.host_name);
    row("system", machine.operating_system);
    row("processor", machine.processor +
                         (machine.logical_processors > 0 ? ", " + std::to_string(machine.logical_processors) + " logical processors" : ""));
    row("instruction sets", machine.instruction_sets);
    if (machine.memory_bytes > 0) row("memory", number_text(machine.memory_bytes / 1073741824.0) + " GiB");
    for (const std::string& device : machine.devices) row("device", device);
    row("compiler", machine.compiler);
    row("compiler flags", machine.compiler_flags);
    for (const auto& [name, version] : machine.libraries) row(name, version);
    page_ += "<details class=\"environment\"><summary>Environment: " +
             escaped_markup(machine.processor.empty() ? "not recorded" : machine.processor) +
             (machine.compiler.empty() ? "" : "; " + escaped_markup(machine.compiler)) + "</summary><div class=\"scroll\"><table>" + rows +
             "</table></div></details>\n";
  }

  /// A table; the row that starts with "all" is set off as the total of a summary.
  void table(const Table& table, const char* kind) {
    const bool summary = std::string_view(kind) == "summary";
    std::vector<bool> numeric(table.columns.size());
    for (std::size_t column = 0; column < numeric.size(); ++column) numeric[column] = numeric_column(table, column);
    if (!table.title.empty()) page_ += "<h3>" + escaped_markup(table.title) + "</h3>";
    page_ += "<div class=\"scroll\"><table class=\"" + std::string(kind) + "\"><thead><tr>";
    for (std::size_t column = 0; column < numeric.size(); ++column)
      page_ += (numeric[column] ? "<th class=\"n\">" : "<th>") + escaped_markup(table.columns[column]) + "</th>";
    page_ += "</tr></thead><tbody>";
    const std::size_t most = summary ? table.rows.size() : options_.rows_of_a_table;
    for (std::size_t i = 0; i < table.rows.size() && i < most; ++i) {
      const std::vector<std::string>& row = table.rows[i];
      page_ += summary && i > 0 && i + 1 == table.rows.size() ? "<tr class=\"total\">" : "<tr>";
      for (std::size_t column = 0; column < numeric.size(); ++column) {
        const std::string cell = column < row.size() ? row[column] : std::string();
        std::string kinds = numeric[column] ? "n" : display_width(cell) <= 32 ? "k" : "";
        if (summary && cell == "0")
          kinds += " zero";
        else if (summary && table.columns[column] == "fail")
          kinds += " fail";
        page_ += (kinds.empty() ? std::string("<td>") : "<td class=\"" + kinds + "\">") + escaped_markup(cell) + "</td>";
      }
      page_ += "</tr>";
    }
    page_ += "</tbody></table></div>";
    if (table.rows.size() > most) page_ += "<p class=\"note\">and " + std::to_string(table.rows.size() - most) + " more rows</p>";
  }

  void list(const char* title, const char* tag, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    page_ += "<h3>" + std::string(title) + "</h3><" + tag + " class=\"findings\">";
    for (const std::string& line : lines) page_ += "<li>" + escaped_markup(line) + "</li>";
    page_ += std::string("</") + tag + ">";
  }

  static std::string ratio_of(const Outcome& outcome) {
    const auto ratio = computed(outcome.verdict) ? outcome.measurement(measurement::worst_error_ratio) : std::nullopt;
    return ratio ? " <span class=\"ratio\">error / allowed " + number_text(*ratio) + "</span>" : "";
  }

  void details(const Outcome& outcome) {
    list("Diagnosis", "ul", outcome.diagnosis);
    if (!outcome.measurements.empty()) {
      page_ += "<h3>Measurements</h3><div class=\"scroll\"><table><tbody>";
      for (const Measurement& entry : outcome.measurements)
        page_ += "<tr><td class=\"key\">" + escaped_markup(worded(entry.name)) + "</td><td class=\"n\">" +
                 escaped_markup(quantity_text(entry.value, entry.unit)) + "</td></tr>";
      page_ += "</tbody></table></div>";
    }
    list("How the tolerance came about", "ol", outcome.derivation);
    if (page_.size() < options_.bytes_with_charts) {
      for (const Table& entry : outcome.tables) table(entry, "data");
      if (outcome.heat_maps.size() + outcome.series.size() > 0) page_ += "<h3>Charts</h3>";
      for (const HeatMap& map : outcome.heat_maps) page_ += heat_map_svg(map);
      for (const Series& series : outcome.series) page_ += series_svg(series);
    } else if (outcome.tables.size() + outcome.heat_maps.size() + outcome.series.size() > 0) {
      page_ += "<p class=\"note\">Its tables and charts are in the JSON report; this page would grow too large.</p>";
    }
    page_ += "<h3>Run it again</h3>";
    if (!outcome.reproduce.empty()) page_ += "<pre>" + escaped_markup(outcome.reproduce) + "</pre>";
    page_ += "<p class=\"note\">seed " + std::to_string(outcome.seed) + "; took " + duration_text(outcome.duration_seconds) + "</p>";
  }

  /// One case, with its details as long as the page has room for them; counted as unlisted once it has no room at all.
  void add_case(const Outcome& outcome, bool open) {
    if (page_.size() >= options_.bytes) {
      ++unlisted_;
      return;
    }
    const std::string verdict(name_of(outcome.verdict));
    const std::string heading =
        "<span class=\"" + verdict + "\">" + symbol(outcome.verdict) + "</span> " + id_markup(outcome.id) + ratio_of(outcome);
    const bool short_reason = page_.size() >= options_.bytes_with_details;
    const std::string reason =
        outcome.reason.empty()
            ? ""
            : "<span class=\"why\">" + escaped_markup(short_reason ? clipped(visible(outcome.reason), 160) : outcome.reason) + "</span>";
    if (short_reason || (outcome.verdict == Verdict::pass && !passes_in_full_)) {
      page_ += "<div class=\"row\" data-case>" + heading + reason + "</div>\n";
      return;
    }
    page_ += std::string("<details class=\"case\" data-case") + (open ? " open" : "") + "><summary>" + heading + reason + "</summary>";
    details(outcome);
    page_ += "</details>\n";
  }

  void section(Verdict verdict) {
    std::vector<const Outcome*> cases;
    for (const Outcome& outcome : run_.outcomes)
      if (outcome.verdict == verdict) cases.push_back(&outcome);
    if (cases.empty()) return;
    page_ += "<section id=\"" + anchor(verdict) + "\"><h2><span class=\"" + std::string(name_of(verdict)) + "\">" + symbol(verdict) +
             "</span>" + heading(verdict) + " <small>" + std::to_string(cases.size()) + "</small></h2>\n";
    const bool by_reason = verdict == Verdict::unsupported || verdict == Verdict::skipped;
    if (verdict == Verdict::pass) {
      const std::size_t before = page_.size();
      grouped(cases, false);
      if (page_.size() - before > options_.bytes_with_charts / 2) {
        page_.resize(before);
        unlisted_ = 0;
        passes_in_full_ = false;
        grouped(cases, false);
      }
    } else if (by_reason) {
      grouped(cases, true);
    } else {
      std::sort(cases.begin(), cases.end(), [](const Outcome* left, const Outcome* right) {
        return rank(*left) != rank(*right) ? rank(*left) > rank(*right) : left < right;
      });
      for (std::size_t i = 0; i < cases.size(); ++i) add_case(*cases[i], i == 0 && verdict == Verdict::fail);
    }
    page_ += "</section>\n";
  }

  /// Worst first; what measured no ratio comes before what did, in the order of the suite.
  static double rank(const Outcome& outcome) {
    const double ratio = outcome.measurement(measurement::worst_error_ratio).value_or(std::numeric_limits<double>::infinity());
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
  }

  void grouped(const std::vector<const Outcome*>& cases, bool by_reason) {
    std::map<std::string, std::vector<const Outcome*>> groups;
    for (const Outcome* outcome : cases) {
      std::string key = outcome->reason;
      if (!by_reason) {
        key.clear();
        for (const char* name : {"backend", "operation", "formats"})
          if (const std::string label = outcome->label(name); !label.empty()) key += (key.empty() ? "" : " · ") + label;
      }
      groups[key.empty() ? (by_reason ? "no reason was given" : "other cases") : key].push_back(outcome);
    }
    for (const auto& [key, members] : groups) {
      page_ += "<details class=\"group\"><summary>" + escaped_markup(clipped(visible(key), 400)) + " <small>" +
               std::to_string(members.size()) + "</small></summary>\n";
      for (const Outcome* outcome : members)
        if (!by_reason)
          add_case(*outcome, false);
        else if (page_.size() >= options_.bytes)
          ++unlisted_;
        else
          page_ += "<div class=\"row\" data-case>" + id_markup(outcome->id) + "</div>\n";
      page_ += "</details>\n";
    }
  }

  const Run& run_;
  HtmlOptions options_;
  std::string page_;
  std::size_t unlisted_ = 0;
  bool passes_in_full_ = true;
};

}  // namespace detail

/// The run as one HTML page that loads nothing: light and dark, for screens of any width, readable without JavaScript.
/// Cases that failed come first. The page stays within `options.bytes` (and what a single case adds).
[[nodiscard]] inline std::string html_text(const Run& run, const HtmlOptions& options = {}) {
  return detail::HtmlPage(run, options).text();
}

/// Writes the page to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_html(const Run& run, const std::filesystem::path& path, const HtmlOptions& options = {}) {
  return write_file(path, html_text(run, options));
}

}  // namespace assay
