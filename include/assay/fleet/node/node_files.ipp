#pragma once

#include "assay/fleet/node/node_files.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/report/csv.hpp"
#include "assay/report/json.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

namespace detail {

/// Members of a manifest; the first that cannot be meant stands in `error`, with its place.
struct ManifestReader {
  std::string error;

  void refuse(const std::string& place, const std::string& what) {
    if (error.empty()) error = "at '" + place + "': " + clipped(visible(what), 400);
  }
  [[nodiscard]] bool object(const nlohmann::json& json, const std::string& place,
                            const std::vector<std::string>& known) {
    if (!json.is_object()) return refuse(place, "expected an object"), false;
    for (const auto& [name, value] : json.items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        return refuse(place, unknown_name("member", clipped(name, 60), known)), false;
    return true;
  }
  [[nodiscard]] std::string text(const nlohmann::json& json, const std::string& place) {
    if (json.is_string()) return json.get<std::string>();
    refuse(place, "expected a string");
    return {};
  }
  [[nodiscard]] double number(const nlohmann::json& json, const std::string& place) {
    if (json.is_number() && std::isfinite(json.get<double>())) return json.get<double>();
    refuse(place, "expected a number");
    return 0;
  }
  [[nodiscard]] std::size_t whole(const nlohmann::json& json, const std::string& place) {
    if (json.is_number_unsigned()) return json.get<std::size_t>();
    refuse(place, "expected a whole number of 0 or more");
    return 0;
  }
};

ASSAY_DETAIL_HEADER_INLINE NodeLimit read_node_limit(ManifestReader& reader, const nlohmann::json& json,
                                                     const std::string& place) {
  NodeLimit limit;
  if (!reader.object(
          json, place,
          {"device", "reading", "minimum", "maximum", "most_increase", "at_least", "level", "optional", "remedy"}))
    return limit;
  if (!json.contains("reading")) reader.refuse(place, "expected a member \"reading\"");
  for (const auto& [name, value] : json.items()) {
    const std::string here = place + "/" + name;
    if (name == "device") limit.device = reader.text(value, here);
    if (name == "reading") limit.reading = reader.text(value, here);
    if (name == "minimum") limit.minimum = reader.number(value, here);
    if (name == "maximum") limit.maximum = reader.number(value, here);
    if (name == "most_increase") limit.most_increase = reader.number(value, here);
    if (name == "at_least") limit.at_least = reader.text(value, here);
    if (name == "remedy") limit.remedy = reader.text(value, here);
    if (name == "optional") {
      if (value.is_boolean())
        limit.optional = value.get<bool>();
      else
        reader.refuse(here, "expected true or false");
    }
    if (name == "level") {
      const std::string level = reader.text(value, here);
      if (level == "warning")
        limit.level = HealthLevel::warning;
      else if (level != "critical")
        reader.refuse(here, unknown_name("level", level, {"warning", "critical"}));
    }
  }
  if (!limit.minimum && !limit.maximum && !limit.most_increase && !limit.at_least)
    reader.refuse(place, "a limit has minimum, maximum, most_increase or at_least");
  return limit;
}

[[nodiscard]] inline Result<nlohmann::json> commented_json(std::string_view text, const char* what) {
  JsonBuilder builder;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder, nlohmann::json::input_format_t::json, true, true);
  if (!builder.error.empty()) return failure(ErrorKind::malformed, std::string("no ") + what + ": " + builder.error);
  return std::move(builder.root);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<NodeManifest> parse_node_manifest(std::string_view text) {
  const auto parsed = detail::commented_json(text, "manifest of a node");
  if (!parsed) return parsed.propagate();
  const nlohmann::json& json = parsed.value();
  detail::ManifestReader reader;
  NodeManifest manifest;
  manifest.limits = default_node_limits();
  if (reader.object(
          json, "",
          {"schema", "name", "devices", "device_count", "versions", "limits", "default_limits", "paths", "disks"})) {
    if (!json.contains("schema") || json["schema"] != node_manifest_schema)
      reader.refuse("/schema", std::string("expected \"") + node_manifest_schema + "\", the form that is read here");
    if (json.contains("default_limits")) {
      if (json["default_limits"] == false)
        manifest.limits.clear();
      else if (json["default_limits"] != true)
        reader.refuse("/default_limits", "expected true or false");
    }
    for (const auto& [name, value] : json.items()) {
      const std::string place = "/" + name;
      if (name == "name") manifest.name = reader.text(value, place);
      if (name == "device_count") manifest.device_count = reader.whole(value, place);
      if (name == "devices" || name == "disks" || name == "limits") {
        if (!value.is_array())
          reader.refuse(place, "expected a list");
        else
          for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string here = place + "/" + std::to_string(i);
            if (name == "limits")
              manifest.limits.push_back(detail::read_node_limit(reader, value[i], here));
            else
              (name == "disks" ? manifest.disks : manifest.devices).push_back(reader.text(value[i], here));
          }
      }
      if (name == "versions" || name == "paths") {
        if (!value.is_object())
          reader.refuse(place, "expected an object");
        else
          for (const auto& [key, entry] : value.items()) {
            if (name == "versions")
              manifest.versions[key] = reader.text(entry, place + "/" + key);
            else
              manifest.paths[key] = reader.whole(entry, place + "/" + key);
          }
      }
    }
  }
  const std::set<std::string> distinct(manifest.devices.begin(), manifest.devices.end());
  if (distinct.size() < manifest.devices.size()) reader.refuse("/devices", "a device is named twice");
  if (manifest.device_count && !manifest.devices.empty() && *manifest.device_count != manifest.devices.size())
    reader.refuse("/device_count", "it is not the number of devices");
  if (!reader.error.empty()) return failure(ErrorKind::malformed, "no manifest of a node: " + reader.error);
  return manifest;
}

ASSAY_DETAIL_HEADER_INLINE Result<NodeManifest> read_node_manifest(const std::filesystem::path& path) {
  const auto text = read_file(path, "a manifest of a node");
  if (!text) return text.propagate();
  auto manifest = parse_node_manifest(text.value());
  if (!manifest) return failure(manifest.error().kind, "'" + path.string() + "': " + manifest.error().message);
  return manifest;
}

ASSAY_DETAIL_HEADER_INLINE std::string node_manifest_text(const NodeObservation& seen) {
  detail::OrderedJson json{{"schema", node_manifest_schema}, {"name", seen.node}, {"devices", seen.devices}};
  if (!seen.versions.empty()) json["versions"] = seen.versions;
  json["disks"] = {"/"};
  json["limits"] = detail::OrderedJson::array();
  return json.dump(2, ' ', false, detail::OrderedJson::error_handler_t::replace) + "\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<NodeState> read_node_state(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return text.error().kind == ErrorKind::not_found ? Result<NodeState>(NodeState()) : text.propagate();
  const auto malformed =
      failure(ErrorKind::malformed, "'" + path.string() + "' is no state of a node in the form " + node_state_schema +
                                        "; remove it, and increases count from the next check on");
  const auto json = nlohmann::json::parse(text.value(), nullptr, false);
  if (!json.is_object() || !json.contains("schema") || json["schema"] != node_state_schema ||
      !json.contains("seconds") || !json["seconds"].is_number() || !json.contains("counters") ||
      !json["counters"].is_object() || !json.contains("history") || !json["history"].is_array())
    return malformed;
  NodeState state;
  state.seconds = json["seconds"].get<double>();
  for (const auto& [name, value] : json["counters"].items()) {
    if (!value.is_number()) return malformed;
    state.counters[name] = value.get<double>();
  }
  for (const auto& level : json["history"]) {
    if (!level.is_number_unsigned() || level.get<unsigned>() > 3) return malformed;
    state.history.push_back(static_cast<HealthLevel>(level.get<unsigned>()));
  }
  return state;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> write_node_state(const NodeState& state, const std::filesystem::path& path) {
  detail::OrderedJson json{{"schema", node_state_schema}, {"seconds", state.seconds}};
  json["counters"] = detail::OrderedJson::object();
  for (const auto& [name, value] : state.counters) json["counters"][name] = value;
  json["history"] = detail::OrderedJson::array();
  for (const HealthLevel level : state.history) json["history"].push_back(static_cast<unsigned>(level));
  return write_file(path, detail::json_line(json) + "\n");
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<NodeReading>> parse_node_readings(std::string_view csv) {
  const auto rows = csv_rows(csv);
  if (!rows) return rows.propagate();
  if (rows.value().empty() ||
      rows.value().front().cells != std::vector<std::string>{"device", "reading", "value", "state"})
    return failure(ErrorKind::malformed, "readings begin with the line device,reading,value,state");
  std::vector<NodeReading> readings;
  for (std::size_t i = 1; i < rows.value().size(); ++i) {
    const CsvRow& row = rows.value()[i];
    const std::string place = "line " + std::to_string(row.line) + ": ";
    if (row.cells.size() != 4) return failure(ErrorKind::malformed, place + "expected four cells");
    NodeReading reading{row.cells[0], row.cells[1], ReadingState::value, 0};
    if (reading.device.empty() || reading.name.empty())
      return failure(ErrorKind::malformed, place + "a reading has a device and a name");
    const std::string state = row.cells[3].empty() ? std::string(name_of(ReadingState::value)) : row.cells[3];
    const auto known = reading_state_named(state);
    if (!known) {
      std::vector<std::string> names;
      for (const ReadingState one : all_reading_states) names.emplace_back(name_of(one));
      return failure(ErrorKind::not_found, place + unknown_name("state", state, names));
    }
    reading.state = *known;
    const auto value = csv_number(row.cells[2]);
    if (reading.state == ReadingState::value) {
      if (value)
        reading.value = *value;
      else
        reading.state = ReadingState::failed;  // "[N/A]", "[Unknown Error]", "ERR!": a value that is none
    }
    for (const NodeReading& other : readings)
      if (other.device == reading.device && other.name == reading.name)
        return failure(ErrorKind::malformed, place + reading.device + " reports " + reading.name + " twice");
    readings.push_back(std::move(reading));
  }
  return readings;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<MetricFamily> node_metrics(const NodeReport& report,
                                                                  const NodeManifest& manifest,
                                                                  const NodeObservation& seen) {
  const auto gauge = [&](std::string name, std::string help, std::optional<double> value) {
    return MetricFamily{std::move(name), MetricKind::gauge, {}, std::move(help), {{{{"node", report.node}}, value}}};
  };
  std::vector<MetricFamily> families{
      gauge("assay_node_check_level", "Health of the node: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.",
            static_cast<double>(report.level)),
      gauge("assay_node_findings", "Things that are wrong with the node.", static_cast<double>(report.findings.size())),
      gauge("assay_node_devices", "Accelerators that are present.", static_cast<double>(report.devices_present)),
      gauge("assay_node_devices_expected", "Accelerators that the manifest has.",
            report.devices_expected ? std::optional<double>(static_cast<double>(*report.devices_expected))
                                    : std::nullopt),
      gauge("assay_node_check_timestamp_seconds", "When the node was checked.", seen.seconds)};
  families.back().unit = "seconds";
  MetricFamily present{"assay_device_present", MetricKind::gauge, {}, "Whether an expected accelerator is there.", {}};
  for (const std::string& device : std::set<std::string>(manifest.devices.begin(), manifest.devices.end()))
    present.samples.push_back(
        {{{"node", report.node}, {"device", device}},
         std::find(seen.devices.begin(), seen.devices.end(), device) != seen.devices.end() ? 1.0 : 0.0});
  families.push_back(std::move(present));
  std::map<std::string, MetricFamily> readings;
  for (const NodeReading& reading : seen.readings) {
    std::string name = "assay_device_";
    for (const char letter : reading.name)
      name += (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ? letter : '_';
    const bool counter = name.size() > 6 && name.compare(name.size() - 6, 6, "_total") == 0;
    MetricFamily& family = readings[name];
    family.name = name;
    family.kind = counter ? MetricKind::counter : MetricKind::gauge;
    family.help = "Reading " + reading.name + " of a device.";
    family.presence = true;
    family.samples.push_back({{{"node", report.node}, {"device", reading.device}},
                              reading.state == ReadingState::value && !(counter && reading.value < 0)
                                  ? std::optional<double>(reading.value)
                                  : std::nullopt});
  }
  for (auto& [name, family] : readings) families.push_back(std::move(family));
  return families;
}

}  // namespace assay::inline v0
