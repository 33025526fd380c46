#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/run.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// The first member of every document. Readers refuse other values; members that a reader does not know, it skips.
inline constexpr const char* run_schema = "assay-run/1";

namespace detail {

/// A name as a part of a JSON pointer.
[[nodiscard]] inline std::string pointer_token(std::string_view name) {
  std::string token = "/";
  for (const char letter : name) token += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
  return token;
}

/// Reads a run from a document of any JSON library with the interface of nlohmann::json. The first refusal stands in
/// `error`; what is read after it is of no account.
template <class Json>
class RunReader {
 public:
  std::string error;

  /// `outcomes`: those that were read before, by `outcome`; discarded values stand in their places.
  [[nodiscard]] Run run(const Json& json, std::vector<Outcome> outcomes = {}) {
    Run run;
    run.outcomes = std::move(outcomes);
    if (!check(json.is_object(), json, "an object that holds a run")) return run;
    const std::string schema = text(json, "schema");
    if (schema != run_schema)
      return refuse("/schema", "\"" + std::string(run_schema) + "\", the form that this version reads",
                    "\"" + schema + "\""),
             run;
    run.title = text(json, "title");
    run.command = text(json, "command");
    run.seed = seed(json);
    run.planned_cases = static_cast<std::size_t>(whole(json, "planned_cases", std::numeric_limits<std::size_t>::max()));
    run.duration_seconds = number(json, "duration_seconds");
    within(
        json, "shard", [&](const Json& shard) { run.shard = text(shard); }, false);
    run.rules = texts_by_name(json, "rules", false);
    within(
        json, "require_conclusive",
        [&](const Json& entry) {
          run.require_conclusive = check(entry.is_boolean(), entry, "true or false") && entry == true;
        },
        false);
    run.cases_not_run = texts(json, "cases_not_run", false);
    within(json, "environment", [&](const Json& entry) { run.environment = environment(entry); });
    each(json, "outcomes", true, [&](const Json& entry) {
      if (!entry.is_discarded()) run.outcomes.push_back(outcome(entry));
    });
    return run;
  }

 private:
  void refuse(const std::string& where, const std::string& expected, const std::string& found) {
    if (error.empty())
      error = "at '" + visible(where) + "': expected " + expected + ", found " + clipped(visible(found), 80);
  }
  bool check(bool condition, const Json& found, const char* expected) {
    if (!condition)
      refuse(pointer_, expected,
             found.is_structured() ? std::string("an ") + found.type_name()
                                   : found.dump(-1, ' ', false, Json::error_handler_t::replace));
    return condition;
  }

  /// Calls `read(member)` with the pointer set to it.
  template <class Read>
  void within(const Json& object, const char* key, Read read, bool required = true) {
    if (!error.empty()) return;
    const auto found = object.find(key);
    if (found == object.end()) {
      if (required) refuse(pointer_, std::string("a member \"") + key + "\"", "none");
      return;
    }
    inside(key, [&] { read(*found); });
  }
  template <class Action>
  void inside(const std::string& token, Action action) {
    const std::size_t length = pointer_.size();
    pointer_ += pointer_token(token);
    action();
    pointer_.resize(length);
  }
  /// Calls `read(element)` for every element of the list.
  template <class Read>
  void elements(const Json& list, Read read) {
    if (!check(list.is_array(), list, "a list")) return;
    for (std::size_t i = 0; i < list.size() && error.empty(); ++i) inside(std::to_string(i), [&] { read(list[i]); });
  }
  template <class Read>
  void each(const Json& object, const char* key, bool required, Read read) {
    within(
        object, key, [&](const Json& list) { elements(list, [&](const Json& element) { read(element); }); }, required);
  }
  /// As `each`, of objects.
  template <class Read>
  void each_object(const Json& object, const char* key, bool required, Read read) {
    each(object, key, required, [&](const Json& entry) {
      if (check(entry.is_object(), entry, "an object")) read(entry);
    });
  }

  [[nodiscard]] std::string text(const Json& json) {
    return check(json.is_string(), json, "a string") ? json.template get<std::string>() : std::string();
  }
  [[nodiscard]] std::string text(const Json& object, const char* key) {
    std::string value;
    within(object, key, [&](const Json& json) { value = text(json); });
    return value;
  }
  [[nodiscard]] std::vector<std::string> texts(const Json& list) {
    std::vector<std::string> values;
    elements(list, [&](const Json& json) { values.push_back(text(json)); });
    return values;
  }
  [[nodiscard]] std::vector<std::string> texts(const Json& object, const char* key, bool required) {
    std::vector<std::string> values;
    within(
        object, key, [&](const Json& list) { values = texts(list); }, required);
    return values;
  }
  [[nodiscard]] std::map<std::string, std::string> texts_by_name(const Json& object, const char* key, bool required) {
    std::map<std::string, std::string> values;
    within(
        object, key,
        [&](const Json& json) {
          if (!check(json.is_object(), json, "an object of strings")) return;
          for (const auto& [name, value] : json.items())
            inside(name, [&, &name = name, &entry = value] { values[name] = text(entry); });
        },
        required);
    return values;
  }
  [[nodiscard]] double number(const Json& json) {
    if (json.is_number()) return json.template get<double>();
    if (json == "inf") return std::numeric_limits<double>::infinity();
    if (json == "-inf") return -std::numeric_limits<double>::infinity();
    if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
    check(false, json, "a number, or \"inf\", \"-inf\" or \"nan\"");
    return 0;
  }
  [[nodiscard]] double number(const Json& object, const char* key) {
    double value = 0;
    within(object, key, [&](const Json& json) { value = number(json); });
    return value;
  }
  [[nodiscard]] std::uint64_t whole(const Json& object, const char* key, std::uint64_t most) {
    std::uint64_t value = 0;
    within(object, key, [&](const Json& json) {
      const std::string expected = "a whole number from 0 to " + std::to_string(most);
      if (check(json.is_number_unsigned() && json.template get<std::uint64_t>() <= most, json, expected.c_str()))
        value = json.template get<std::uint64_t>();
    });
    return value;
  }
  /// Seeds use all 64 bits, which numbers lose in readers that know doubles only: they are decimal strings.
  [[nodiscard]] std::uint64_t seed(const Json& object) {
    std::uint64_t value = 0;
    within(object, "seed", [&](const Json& json) {
      const std::string digits = json.is_string() ? json.template get<std::string>() : std::string();
      const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      check(!digits.empty() && end.ec == std::errc() && end.ptr == digits.data() + digits.size(), json,
            "a string of decimal digits, at most \"18446744073709551615\"");
    });
    return value;
  }
  [[nodiscard]] Verdict verdict(const Json& object) {
    Verdict value = Verdict::error;
    within(object, "verdict", [&](const Json& json) {
      const std::string name = text(json);
      if (const auto known = verdict_named(name))
        value = *known;
      else if (error.empty()) {
        std::vector<std::string> names;
        for (const Verdict entry : all_verdicts) names.emplace_back(name_of(entry));
        error =
            "at '" + visible(pointer_) + "': " + visible(unknown_name("verdict", clipped(visible(name), 40), names));
      }
    });
    return value;
  }

 public:
  [[nodiscard]] Environment environment(const Json& json) {
    Environment read;
    if (!check(json.is_object(), json, "an object")) return read;
    read.assay_version = text(json, "assay_version");
    read.host_name = text(json, "host_name");
    read.operating_system = text(json, "operating_system");
    read.processor = text(json, "processor");
    read.logical_processors =
        static_cast<unsigned>(whole(json, "logical_processors", std::numeric_limits<unsigned>::max()));
    read.instruction_sets = text(json, "instruction_sets");
    read.memory_bytes = number(json, "memory_bytes");
    read.compiler = text(json, "compiler");
    read.compiler_flags = text(json, "compiler_flags");
    read.started_at = text(json, "started_at");
    read.devices = texts(json, "devices", true);
    each_object(json, "libraries", true,
                [&](const Json& entry) { read.libraries.emplace_back(text(entry, "name"), text(entry, "version")); });
    return read;
  }

  [[nodiscard]] Outcome outcome(const Json& json) {
    Outcome read;
    if (!check(json.is_object(), json, "an object that holds an outcome")) return read;
    read.id = text(json, "id");
    read.verdict = verdict(json);
    read.reason = text(json, "reason");
    read.labels = texts_by_name(json, "labels", true);
    read.seed = seed(json);
    read.duration_seconds = number(json, "duration_seconds");
    read.reproduce = text(json, "reproduce");
    each_object(json, "measurements", true, [&](const Json& entry) {
      read.measurements.push_back({text(entry, "name"), number(entry, "value"), text(entry, "unit")});
    });
    read.diagnosis = texts(json, "diagnosis", false);
    read.derivation = texts(json, "derivation", false);
    each_object(json, "tables", false, [&](const Json& entry) { read.tables.push_back(table(entry)); });
    each_object(json, "series", false, [&](const Json& entry) { read.series.push_back(series(entry)); });
    each_object(json, "heat_maps", false, [&](const Json& entry) { read.heat_maps.push_back(heat_map(entry)); });
    return read;
  }

 private:
  [[nodiscard]] Table table(const Json& json) {
    Table read{text(json, "title"), texts(json, "columns", true), {}};
    each(json, "rows", true, [&](const Json& row) {
      read.rows.push_back(texts(row));
      const std::string expected = std::to_string(read.columns.size()) + " cells, one for each column";
      if (error.empty() && read.rows.back().size() != read.columns.size())
        refuse(pointer_, expected, std::to_string(row.size()));
    });
    return read;
  }

  [[nodiscard]] Series series(const Json& json) {
    Series read{text(json, "title"), text(json, "x_label"), text(json, "y_label"), {}};
    each(json, "points", true, [&](const Json& point) {
      if (check(point.is_array() && point.size() == 2, point, "a list of two numbers")) {
        const double x = number(point[0]);
        read.points.emplace_back(x, number(point[1]));
      }
    });
    return read;
  }

  [[nodiscard]] HeatMap heat_map(const Json& json) {
    constexpr auto most_cells = static_cast<std::uint64_t>(std::numeric_limits<std::uint32_t>::max());
    constexpr auto most_elements = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    HeatMap read;
    read.title = text(json, "title");
    read.rows = static_cast<std::size_t>(whole(json, "rows", most_cells));
    read.columns = static_cast<std::size_t>(whole(json, "columns", most_cells));
    read.rows_per_cell = static_cast<std::int64_t>(whole(json, "rows_per_cell", most_elements));
    read.columns_per_cell = static_cast<std::int64_t>(whole(json, "columns_per_cell", most_elements));
    each(json, "values", true, [&](const Json& value) { read.values.push_back(number(value)); });
    if (error.empty() && read.values.size() != read.rows * read.columns)
      refuse(pointer_ + "/values", std::to_string(read.rows) + " × " + std::to_string(read.columns) + " values",
             std::to_string(read.values.size()));
    return read;
  }

  std::string pointer_;
};

}  // namespace detail
}  // namespace assay::inline v0
