#pragma once

#include "assay/release/detail/dashboard_outcomes.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string DashboardOutcomes::json() const {
  const auto strings = [](const std::vector<std::string>& texts) {
    return json_array(texts, [](const std::string& text) { return json_string(text); });
  };
  std::string text =
      "{\"verdicts\":" + json_array(all_verdicts, [](Verdict verdict) { return json_string(name_of(verdict)); }) +
      ",\n\"runs\":" + runs_ + ",\n\"cells\":" + cells_ +
      ",\n\"labels\":" + json_array(dashboard_labels, [](const char* name) { return json_string(name); }) +
      ",\n\"labelValues\":" + json_array(values_, [&](const TextPool& pool) { return strings(pool.texts()); }) +
      ",\n\"ids\":" + strings(ids_) + ",\n\"idLabels\":[" + id_labels_ +
      "],\n\"reasons\":" + strings(reasons_.texts()) +
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

ASSAY_DETAIL_HEADER_INLINE void DashboardOutcomes::add(std::size_t run, const Outcome& outcome) {
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
  append(reason_column_,
         std::to_string(reasons_.place(reasons_.bytes() < most_bytes_of_reasons ? clipped(visible(outcome.reason), 300)
                                                                                : std::string())));
  append(detail_column_, std::to_string(detail_of(outcome)));
  verdict_column_ += static_cast<char>('0' + static_cast<int>(outcome.verdict));
  ++count_;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t DashboardOutcomes::detail_of(const Outcome& outcome) {
  if (details_.texts().empty()) details_.place("null");
  if (outcome.verdict != Verdict::fail && outcome.verdict != Verdict::error && outcome.verdict != Verdict::inconclusive)
    return 0;
  constexpr std::size_t most_rows = 6;
  const auto texts = [](const std::vector<std::string>& list) {
    return json_array(list, [](const std::string& text) { return json_string(clipped(text, 1000)); });
  };
  std::string json =
      "{\"diagnosis\":" + texts(outcome.diagnosis) + ",\"again\":" + json_string(clipped(outcome.reproduce, 2000));
  for (const Table& table : outcome.tables) {
    if (table.rows.empty()) continue;
    const std::vector<std::vector<std::string>> rows(
        table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows, table.rows.size())));
    json += ",\"table\":{\"title\":" + json_string(clipped(visible(table.title), 200)) +
            ",\"columns\":" + texts(table.columns) + ",\"rows\":" + json_array(rows, texts) + "}";
    break;
  }
  json += "}";
  if (details_.bytes() + json.size() > options_.bytes_of_details) {
    ++without_details_;
    return 0;
  }
  return details_.place(json);
}

ASSAY_DETAIL_HEADER_INLINE void DashboardOutcomes::add_runs(const Dashboard& dashboard) {
  runs_ = json_array(dashboard.runs, [](const DashboardRun& run) {
    return "[" + json_string(clipped(visible(run_name(run)), 300)) + "," +
           json_string(clipped(visible(run.run.environment.started_at), 40)) + "," +
           json_string(clipped(visible(run.source), 300)) + "]";
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

}  // namespace assay::inline v0::detail
