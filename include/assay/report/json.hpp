#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/run_reader.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"

/// A run as JSON, written and read back. The form is `run.schema.json` beside this header; README.md explains it.
namespace assay::inline v0 {

namespace detail {

using OrderedJson = nlohmann::ordered_json;

[[nodiscard]] inline OrderedJson json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

[[nodiscard]] inline std::string json_line(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Lists that are empty are left out, but for those that readers always ask for.
[[nodiscard]] inline OrderedJson json_of(const Outcome& outcome) {
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
    json["series"].push_back(
        {{"title", series.title}, {"x_label", series.x_label}, {"y_label", series.y_label}, {"points", std::move(points)}});
  }
  for (const HeatMap& map : outcome.heat_maps) {
    const bool whole = map.columns > 0 && map.values.size() % map.columns == 0 && map.values.size() / map.columns == map.rows;
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

[[nodiscard]] inline OrderedJson json_of(const Environment& environment) {
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

/// Builds a document from text and knows at every moment where in it it is, so that every refusal names the place.
/// Refuses what the format allows but no writer of ours does: a member twice, and nesting deeper than any run has.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Json = nlohmann::json;

  Json root;
  std::string error;
  /// Takes each outcome of a run as soon as it is whole; a discarded value stays in its place. The document of a large run is
  /// then never whole in memory, which costs as much as reading it.
  std::function<void(const Json&)> take_outcome;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary data, which JSON text cannot hold"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const auto [position, added] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
    keys_.back() = name;
    member_ = &position->second;
    return added || refuse("a second member of this name; a member may stand once");
  }
  bool parse_error(std::size_t byte, const std::string& token, const nlohmann::detail::exception& cause) override {
    std::string text = cause.what();
    if (const std::size_t end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
    return refuse("no valid JSON at byte " + std::to_string(byte) + (token.empty() ? "" : " ('" + clipped(visible(token), 40) + "')") +
                  ": " + visible(text));
  }

 private:
  static constexpr std::size_t most_levels = 32;

  [[nodiscard]] std::string pointer() const {
    std::string text;
    for (std::size_t level = 0; level < open_.size(); ++level) {
      const bool list = open_[level]->is_array();
      text += pointer_token(list ? std::to_string(open_[level]->size() - (level + 1 < open_.size() ? 1 : 0)) : keys_[level]);
    }
    return text;
  }
  bool refuse(const std::string& found) {
    error = "at '" + visible(pointer()) + "': found " + found;
    return false;
  }
  Json* place(Json value) {
    if (open_.empty()) return &(root = std::move(value));
    if (open_.back()->is_object()) return &(*member_ = std::move(value));
    open_.back()->push_back(std::move(value));
    return &open_.back()->back();
  }
  bool add(Json value) { return place(std::move(value)) != nullptr; }
  bool open(Json value) {
    if (open_.size() == most_levels)
      return refuse("lists in lists, " + std::to_string(most_levels) + " deep; a run needs fewer than 8 levels");
    open_.push_back(place(std::move(value)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    if (take_outcome && open_.size() == 2 && open_[1]->is_array() && keys_[0] == "outcomes") {
      take_outcome(open_[1]->back());
      open_[1]->back() = Json(Json::value_t::discarded);
    }
    return true;
  }

  std::vector<Json*> open_;        ///< parents of what comes next; addresses stay valid while their parents do not grow
  std::vector<std::string> keys_;  ///< the latest key of each of them
  Json* member_ = nullptr;
};

}  // namespace detail

/// The run as a JSON document, an outcome a line. Bytes that are not UTF-8 become U+FFFD; a table row or heat map that
/// breaks its own shape is brought into form, so that what is written can always be read.
[[nodiscard]] inline std::string json_text(const Run& run) {
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
  return text + "\n]\n}\n";
}

/// Reads a run from a JSON document. Errors: `malformed`, with the place (a JSON pointer), what was expected there and
/// what was found.
[[nodiscard]] inline Result<Run> run_from_json(std::string_view text) {
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
  if (!reader.error.empty()) return failure(ErrorKind::malformed, "not a run in the form " + std::string(run_schema) + ": " + reader.error);
  return run;
}

/// Writes the run to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_json(const Run& run, const std::filesystem::path& path) {
  return write_file(path, json_text(run));
}

/// Reads a run from a file. Errors: `not_found`, `io`, `malformed`; the message names the file.
[[nodiscard]] inline Result<Run> read_json(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path, "a run that was written as JSON");
  if (!text) return text.propagate();
  Result<Run> run = run_from_json(text.value());
  if (!run) return failure(run.error().kind, "'" + path.string() + "': " + run.error().message);
  return run;
}

}  // namespace assay::inline v0
