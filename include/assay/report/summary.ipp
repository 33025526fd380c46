#pragma once

#include "assay/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool worse_ratio(double candidate, const std::optional<double>& worst) {
  if (!worst) return true;
  if (std::isnan(*worst)) return false;
  return std::isnan(candidate) || candidate > *worst;
}

ASSAY_DETAIL_HEADER_INLINE void count_outcome(SummaryRow& row, const Outcome& outcome) {
  ++row.cases;
  ++row.counts[static_cast<std::size_t>(outcome.verdict)];
  row.duration_seconds += outcome.duration_seconds;
  if (!computed(outcome.verdict)) return;
  const std::optional<double> ratio = outcome.measurement(measurement::worst_error_ratio);
  if (!ratio || !worse_ratio(*ratio, row.worst_error_ratio)) return;
  row.worst_error_ratio = ratio;
  row.worst_case = outcome.id;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Summary summarize(const Run& run) {
  const auto named = [](std::string label) { return label.empty() ? std::string("-") : label; };
  std::map<std::tuple<std::string, std::string, std::string>, SummaryRow> rows;
  Summary summary;
  for (const Outcome& outcome : run.outcomes) {
    const auto key = std::make_tuple(named(outcome.label("backend")), named(outcome.label("operation")),
                                     named(outcome.label("formats")));
    SummaryRow& row = rows[key];
    std::tie(row.backend, row.operation, row.formats) = key;
    detail::count_outcome(row, outcome);
    detail::count_outcome(summary.total, outcome);
  }
  for (auto& entry : rows) summary.rows.push_back(std::move(entry.second));
  return summary;
}

namespace detail {

/// Counts one row into another.
ASSAY_DETAIL_HEADER_INLINE void add_row(SummaryRow& into, const SummaryRow& row) {
  into.cases += row.cases;
  for (std::size_t i = 0; i < into.counts.size(); ++i) into.counts[i] += row.counts[i];
  into.duration_seconds += row.duration_seconds;
  if (!row.worst_error_ratio || !worse_ratio(*row.worst_error_ratio, into.worst_error_ratio)) return;
  into.worst_error_ratio = row.worst_error_ratio;
  into.worst_case = row.worst_case;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Summary without_formats(const Summary& summary) {
  Summary folded;
  folded.total = summary.total;
  std::size_t formats = 0;
  for (const SummaryRow& row : summary.rows) {
    if (folded.rows.empty() || folded.rows.back().backend != row.backend ||
        folded.rows.back().operation != row.operation) {
      folded.rows.push_back(row);
      formats = 1;
      continue;
    }
    folded.rows.back().formats = std::to_string(++formats) + " formats";
    detail::add_row(folded.rows.back(), row);
  }
  return folded;
}

ASSAY_DETAIL_HEADER_INLINE Summary by_backend(const Summary& summary) {
  Summary folded;
  folded.total = summary.total;
  std::size_t operations = 0;
  for (const SummaryRow& row : without_formats(summary).rows) {
    if (folded.rows.empty() || folded.rows.back().backend != row.backend) {
      folded.rows.push_back(row);
      operations = 1;
      continue;
    }
    folded.rows.back().operation = std::to_string(++operations) + " operations";
    folded.rows.back().formats.clear();
    detail::add_row(folded.rows.back(), row);
  }
  return folded;
}

ASSAY_DETAIL_HEADER_INLINE Summary urgent_first(const Summary& summary) {
  Summary sorted;
  sorted.total = summary.total;
  for (const bool wanted : {true, false})
    for (const SummaryRow& row : summary.rows)
      if ((row.count(Verdict::fail) + row.count(Verdict::error) + row.count(Verdict::inconclusive) > 0) == wanted)
        sorted.rows.push_back(row);
  return sorted;
}

ASSAY_DETAIL_HEADER_INLINE Table summary_table(const Summary& summary) {
  std::vector<Verdict> verdicts{Verdict::pass, Verdict::fail};
  for (const Verdict verdict :
       {Verdict::error, Verdict::unsupported, Verdict::inconclusive, Verdict::skipped, Verdict::new_baseline})
    if (summary.total.count(verdict) > 0) verdicts.push_back(verdict);

  Table table{"", {"backend", "operation", "formats", "cases"}, {}};
  for (const Verdict verdict : verdicts)
    table.columns.emplace_back(verdict == Verdict::new_baseline ? "new baseline" : name_of(verdict));
  table.columns.insert(table.columns.end(), {"worst error/allowed", "time"});

  const auto add = [&](const auto& row) {
    std::vector<std::string> cells{row.backend, row.operation, row.formats, std::to_string(row.cases)};
    for (const Verdict verdict : verdicts) cells.push_back(std::to_string(row.count(verdict)));
    cells.push_back(row.worst_error_ratio ? number_text(*row.worst_error_ratio) : "-");
    cells.push_back(duration_text(row.duration_seconds));
    table.rows.push_back(std::move(cells));
  };
  for (const SummaryRow& row : summary.rows) add(row);
  if (summary.rows.size() > 1) {
    SummaryRow total = summary.total;
    total.backend = "all";
    add(total);
  }
  return table;
}

ASSAY_DETAIL_HEADER_INLINE std::string closing_line(const Run& run) {
  std::string line = std::to_string(run.outcomes.size()) + (run.outcomes.size() == 1 ? " case" : " cases");
  const char* separator = ": ";
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::error, Verdict::inconclusive,
                                Verdict::new_baseline, Verdict::unsupported, Verdict::skipped}) {
    const std::size_t number = run.count(verdict);
    if (number == 0 && (run.outcomes.empty() || (verdict != Verdict::pass && verdict != Verdict::fail))) continue;
    line += separator + std::to_string(number) + " " + std::string(counted_name_of(verdict));
    separator = ", ";
  }
  line += " in " + duration_text(run.duration_seconds);
  if (run.outcomes.size() < run.planned_cases)
    line += "; cut short: " + std::to_string(run.planned_cases - run.outcomes.size()) + " of " +
            std::to_string(run.planned_cases) + " planned cases did not run";
  else if (run.exit_code() == 2)
    line += "; nothing was decided";
  if (run.require_conclusive && run.count(Verdict::inconclusive) > 0)
    line += "; what is inconclusive counts as failed, since every case was to decide";
  return line;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::pair<std::string, std::size_t>> grouped_reasons(const Run& run,
                                                                                            Verdict verdict) {
  std::map<std::string, std::size_t> counts;
  for (const Outcome& outcome : run.outcomes)
    if (outcome.verdict == verdict) ++counts[outcome.reason];
  std::vector<std::pair<std::string, std::size_t>> reasons(counts.begin(), counts.end());
  std::sort(reasons.begin(), reasons.end(), [](const auto& left, const auto& right) {
    return left.second != right.second ? left.second > right.second : left.first < right.first;
  });
  return reasons;
}

}  // namespace assay::inline v0
