#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/release/dashboard.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_json.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

inline constexpr std::array<const char*, 4> dashboard_labels{"operation", "backend", "formats", "data"};

/// What the page calls a run.
[[nodiscard]] inline std::string run_name(const DashboardRun& run) {
  if (!run.combination.empty()) return combination_text(run.combination);
  if (!run.source.empty()) return run.source;
  return run.run.title.empty() ? "run" : run.run.title;
}

/// All outcomes for the script of the page: columns of numbers, texts once each.
class DashboardOutcomes {
 public:
  DashboardOutcomes(const Dashboard& dashboard, const DashboardOptions& options) : options_(options) {
    for (std::size_t run = 0; run < dashboard.runs.size(); ++run)
      for (const Outcome& outcome : dashboard.runs[run].run.outcomes) add(run, outcome);
    add_runs(dashboard);
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  /// Outcomes whose details did not fit.
  [[nodiscard]] std::size_t without_details() const { return without_details_; }

  [[nodiscard]] std::string json() const {
    const auto strings = [](const std::vector<std::string>& texts) {
      return json_array(texts, [](const std::string& text) { return json_string(text); });
    };
    std::string text = "{\"verdicts\":" + json_array(all_verdicts, [](Verdict verdict) { return json_string(name_of(verdict)); }) +
                       ",\n\"runs\":" + runs_ + ",\n\"cells\":" + cells_ +
                       ",\n\"labels\":" + json_array(dashboard_labels, [](const char* name) { return json_string(name); }) +
                       ",\n\"labelValues\":" + json_array(values_, [&](const TextPool& pool) { return strings(pool.texts()); }) +
                       ",\n\"ids\":" + strings(ids_) + ",\n\"idLabels\":[" + id_labels_ + "],\n\"reasons\":" + strings(reasons_.texts()) +
                       ",\n\"details\":" + json_array(details_.texts(), [](const std::string& detail) { return detail; });
    for (const auto& [name, column] : {std::pair{"id", &id_column_},
                                       {"run", &run_column_},
                                       {"ratio", &ratio_column_},
                                       {"seconds", &seconds_column_},
                                       {"reason", &reason_column_},
                                       {"detail", &detail_column_}})
      text += std::string(",\n\"") + name + "\":[" + *column + "]";
    return text + ",\n\"verdict\":\"" + verdict_column_ + "\"}";
  }

 private:
  static void append(std::string& column, const std::string& value) {
    if (!column.empty()) column += ',';
    column += value;
  }

  void add(std::size_t run, const Outcome& outcome) {
    std::string key = outcome.id, labels;
    for (std::size_t i = 0; i < dashboard_labels.size(); ++i) {
      const std::string value = outcome.label(dashboard_labels[i]);
      labels += (i == 0 ? "" : ",") + std::to_string(values_[i].place(clipped(visible(value), 80)));
    }
    key += '\n' + labels;
    const auto [known, added] = places_.emplace(std::move(key), ids_.size());
    if (added) {
      ids_.push_back(clipped(visible(outcome.id), 400));
      append(id_labels_, "[" + labels + "]");
    }
    constexpr std::size_t most_bytes_of_reasons = 4'000'000;
    const auto ratio = outcome.measurement(measurement::worst_error_ratio);
    append(id_column_, std::to_string(known->second));
    append(run_column_, std::to_string(run));
    append(ratio_column_, ratio ? json_number(*ratio, 3) : "null");
    append(seconds_column_, json_number(outcome.duration_seconds, 3));
    append(reason_column_, std::to_string(reasons_.place(reasons_.bytes() < most_bytes_of_reasons ? clipped(visible(outcome.reason), 300)
                                                                                                  : std::string())));
    append(detail_column_, std::to_string(detail_of(outcome)));
    verdict_column_ += static_cast<char>('0' + static_cast<int>(outcome.verdict));
    ++count_;
  }

  /// What is known of an outcome that did not pass: diagnosis, its first table, the command that runs it again. 0: nothing.
  std::size_t detail_of(const Outcome& outcome) {
    if (details_.texts().empty()) details_.place("null");
    if (outcome.verdict != Verdict::fail && outcome.verdict != Verdict::error && outcome.verdict != Verdict::inconclusive) return 0;
    constexpr std::size_t most_rows = 6;
    const auto texts = [](const std::vector<std::string>& list) {
      return json_array(list, [](const std::string& text) { return json_string(clipped(text, 1000)); });
    };
    std::string json = "{\"diagnosis\":" + texts(outcome.diagnosis) + ",\"again\":" + json_string(clipped(outcome.reproduce, 2000));
    for (const Table& table : outcome.tables) {
      if (table.rows.empty()) continue;
      const std::vector<std::vector<std::string>> rows(
          table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows, table.rows.size())));
      json += ",\"table\":{\"title\":" + json_string(clipped(visible(table.title), 200)) + ",\"columns\":" + texts(table.columns) +
              ",\"rows\":" + json_array(rows, texts) + "}";
      break;
    }
    json += "}";
    if (details_.bytes() + json.size() > options_.bytes_of_details) {
      ++without_details_;
      return 0;
    }
    return details_.place(json);
  }

  void add_runs(const Dashboard& dashboard) {
    runs_ = json_array(dashboard.runs, [](const DashboardRun& run) {
      return "[" + json_string(clipped(visible(run_name(run)), 300)) + "," +
             json_string(clipped(visible(run.run.environment.started_at), 40)) + "," + json_string(clipped(visible(run.source), 300)) + "]";
    });
    std::map<std::string, std::size_t> by_source;
    for (std::size_t run = 0; run < dashboard.runs.size(); ++run) by_source.emplace(dashboard.runs[run].source, run);
    cells_ = "[]";
    if (!dashboard.compatibility) return;
    const CompatibilityReport& report = *dashboard.compatibility;
    cells_ = json_array(report.entries, [&](const CompatibilityEntry& entry) {
      return json_array(entry.certifications, [&](std::size_t index) {
        const auto found = by_source.find(report.certifications[index].source);
        return found == by_source.end() ? std::string("-1") : std::to_string(found->second);
      });
    });
  }

  const DashboardOptions& options_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> ids_;
  std::array<TextPool, dashboard_labels.size()> values_;
  TextPool reasons_, details_;
  std::string runs_, cells_, id_labels_, id_column_, run_column_, ratio_column_, seconds_column_, reason_column_, detail_column_,
      verdict_column_;
  std::size_t count_ = 0, without_details_ = 0;
};

}  // namespace assay::inline v0::detail
