#pragma once

#include "assay/report/json.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE OrderedJson json_of(const Outcome& outcome) {
  OrderedJson json{{"id", outcome.id},
                   {"verdict", name_of(outcome.verdict)},
                   {"reason", outcome.reason},
                   {"labels", outcome.labels},
                   {"seed", std::to_string(outcome.seed)},
                   {"duration_seconds", json_number(outcome.duration_seconds)},
                   {"reproduce", outcome.reproduce}};
  OrderedJson& measurements = json["measurements"] = OrderedJson::array();
  for (const Measurement& entry : outcome.measurements)
    measurements.push_back({{"name", entry.name}, {"value", json_number(entry.value)}, {"unit", entry.unit}});
  if (!outcome.diagnosis.empty()) json["diagnosis"] = outcome.diagnosis;
  if (!outcome.derivation.empty()) json["derivation"] = outcome.derivation;
  for (const Table& table : outcome.tables) {
    OrderedJson rows = OrderedJson::array();
    for (std::vector<std::string> row : table.rows) {
      row.resize(table.columns.size());
      rows.push_back(std::move(row));
    }
    json["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}});
  }
  for (const Series& series : outcome.series) {
    OrderedJson points = OrderedJson::array();
    for (const auto& [x, y] : series.points) points.push_back(OrderedJson::array({json_number(x), json_number(y)}));
    json["series"].push_back({{"title", series.title},
                              {"x_label", series.x_label},
                              {"y_label", series.y_label},
                              {"points", std::move(points)}});
  }
  for (const HeatMap& map : outcome.heat_maps) {
    const bool whole =
        map.columns > 0 && map.values.size() % map.columns == 0 && map.values.size() / map.columns == map.rows;
    OrderedJson values = OrderedJson::array();
    if (whole)
      for (const double value : map.values) values.push_back(json_number(value));
    json["heat_maps"].push_back({{"title", map.title},
                                 {"rows", whole ? map.rows : 0},
                                 {"columns", whole ? map.columns : 0},
                                 {"rows_per_cell", std::max<std::int64_t>(map.rows_per_cell, 1)},
                                 {"columns_per_cell", std::max<std::int64_t>(map.columns_per_cell, 1)},
                                 {"values", std::move(values)}});
  }
  return json;
}

ASSAY_DETAIL_HEADER_INLINE OrderedJson json_of(const Environment& environment) {
  OrderedJson libraries = OrderedJson::array();
  for (const auto& [name, version] : environment.libraries) libraries.push_back({{"name", name}, {"version", version}});
  return {{"assay_version", environment.assay_version},
          {"host_name", environment.host_name},
          {"operating_system", environment.operating_system},
          {"processor", environment.processor},
          {"logical_processors", environment.logical_processors},
          {"instruction_sets", environment.instruction_sets},
          {"memory_bytes", json_number(environment.memory_bytes)},
          {"compiler", environment.compiler},
          {"compiler_flags", environment.compiler_flags},
          {"started_at", environment.started_at},
          {"devices", environment.devices},
          {"libraries", std::move(libraries)}};
}

ASSAY_DETAIL_HEADER_INLINE OrderedJson json_of(const Finding& finding, const Run& run) {
  OrderedJson operations = OrderedJson::object(), cases = OrderedJson::array();
  for (const auto& [name, count] : finding.operations) operations[name] = count;
  for (const std::size_t member : finding.members) cases.push_back(run.outcomes[member].id);
  return {{"verdict", name_of(finding.verdict)},
          {"backend", finding.backend},
          {"family", finding.family},
          {"cause", finding.cause},
          {"confidence", finding.confidence},
          {"account", finding.account},
          {"operations", std::move(operations)},
          {"counted_without_diagnosis", finding.counted},
          {"reproduce", example_of(finding, run).reproduce},
          {"cases", std::move(cases)}};
}

ASSAY_DETAIL_HEADER_INLINE std::string JsonBuilder::pointer() const {
  std::string text;
  for (std::size_t level = 0; level < open_.size(); ++level) {
    const bool list = open_[level]->is_array();
    text +=
        pointer_token(list ? std::to_string(open_[level]->size() - (level + 1 < open_.size() ? 1 : 0)) : keys_[level]);
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE bool JsonBuilder::open(Json value) {
  if (open_.size() == most_levels)
    return refuse("lists in lists, " + std::to_string(most_levels) + " deep; a run needs fewer than 8 levels");
  open_.push_back(place(std::move(value)));
  keys_.emplace_back();
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool JsonBuilder::close() {
  open_.pop_back();
  keys_.pop_back();
  if (take_outcome && open_.size() == 2 && open_[1]->is_array() && keys_[0] == "outcomes") {
    take_outcome(open_[1]->back());
    open_[1]->back() = Json(Json::value_t::discarded);
  }
  return true;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string json_text(const Run& run) {
  using detail::json_line;
  using detail::OrderedJson;
  OrderedJson head{{"schema", run_schema},
                   {"title", run.title},
                   {"command", run.command},
                   {"seed", std::to_string(run.seed)},
                   {"planned_cases", run.planned_cases},
                   {"duration_seconds", detail::json_number(run.duration_seconds)},
                   {"shard", run.shard},
                   {"rules", run.rules},
                   {"require_conclusive", run.require_conclusive},
                   {"environment", detail::json_of(run.environment)}};
  if (!run.cases_not_run.empty()) head["cases_not_run"] = run.cases_not_run;
  std::string text = "{\n";
  for (const auto& [name, value] : head.items()) text += "\"" + name + "\": " + json_line(value) + ",\n";
  text += "\"outcomes\": [";
  const char* separator = "\n";
  for (const Outcome& outcome : run.outcomes) {
    text += separator + json_line(detail::json_of(outcome));
    separator = ",\n";
  }
  OrderedJson findings = OrderedJson::array();
  for (const Finding& finding : findings_of(run)) findings.push_back(detail::json_of(finding, run));
  return text + "\n]" + (findings.empty() ? "" : ",\n\"findings\": " + json_line(findings)) + "\n}\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<Run> run_from_json(std::string_view text) {
  {
    detail::JsonBuilder builder;
    detail::RunReader<nlohmann::json> reader;
    std::vector<Outcome> outcomes;
    builder.take_outcome = [&](const nlohmann::json& json) { outcomes.push_back(reader.outcome(json)); };
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    if (builder.error.empty() && reader.error.empty()) {
      Run run = reader.run(builder.root, std::move(outcomes));
      if (reader.error.empty()) return run;
    }
  }
  // What is wrong is told by reading all of it once more, from the head on.
  detail::JsonBuilder builder;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  if (!builder.error.empty())
    return failure(ErrorKind::malformed, "not a run in the form " + std::string(run_schema) + ": " + builder.error);
  detail::RunReader<nlohmann::json> reader;
  Run run = reader.run(builder.root);
  if (!reader.error.empty())
    return failure(ErrorKind::malformed, "not a run in the form " + std::string(run_schema) + ": " + reader.error);
  return run;
}

ASSAY_DETAIL_HEADER_INLINE Result<Run> read_json(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path, "a run that was written as JSON");
  if (!text) return text.propagate();
  Result<Run> run = run_from_json(text.value());
  if (!run) return failure(run.error().kind, "'" + path.string() + "': " + run.error().message);
  return run;
}

}  // namespace assay::inline v0
