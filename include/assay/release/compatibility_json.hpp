#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/release/compatibility_grid.hpp"
#include "assay/release/compatibility_report.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

inline constexpr const char* compatibility_schema = "assay-compatibility/1";  ///< name and version of the form

/// The report for programs, a combination a line: its values, its state, and who certified it, when, where, from which file.
[[nodiscard]] inline std::string compatibility_json(const CompatibilityReport& report) {
  using Json = nlohmann::ordered_json;
  const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  Json axes = Json::array();
  for (const MatrixAxis& axis : report.axes) axes.push_back({{"name", axis.name}, {"values", axis.values}});
  Json counts = Json::object();
  for (const CompatibilityState state : {CompatibilityState::certified, CompatibilityState::failed, CompatibilityState::undecided,
                                         CompatibilityState::conflict, CompatibilityState::hole})
    counts[std::string(name_of(state))] = report.count(state);
  Json conflicts = Json::array();
  for (const CompatibilityConflict& conflict : report.conflicts)
    conflicts.push_back({{"combination", conflict.combination}, {"what", conflict.what}});
  const auto certification = [&](const Certification& entry) {
    return Json{{"verdict", name_of(entry.verdict)}, {"by", entry.by},         {"when", entry.when},   {"host", entry.host},
                {"environment", entry.environment},  {"source", entry.source}, {"title", entry.title}, {"cut_short", entry.cut_short}};
  };
  Json strangers = Json::array();
  for (const auto& [index, why] : report.strangers) {
    Json stranger = certification(report.certifications[index]);
    stranger["combination"] = report.certifications[index].combination;
    stranger["why"] = why;
    strangers.push_back(std::move(stranger));
  }
  std::string text = "{\n\"schema\": \"" + std::string(compatibility_schema) + "\",\n\"title\": " + line(report.title) +
                     ",\n\"axes\": " + line(axes) + ",\n\"counts\": " + line(counts) + ",\n\"conflicts\": " + line(conflicts) +
                     ",\n\"not_counted\": " + line(strangers) + ",\n\"combinations\": [";
  const char* separator = "\n";
  for (const CompatibilityEntry& entry : report.entries) {
    Json json{{"values", entry.values}, {"state", name_of(entry.state)}};
    Json list = Json::array();
    for (const std::size_t index : entry.certifications) list.push_back(certification(report.certifications[index]));
    json["certifications"] = std::move(list);
    text += separator + line(json);
    separator = ",\n";
  }
  return text + "\n]\n}\n";
}

/// Writes it to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_compatibility_json(const CompatibilityReport& report, const std::filesystem::path& path) {
  return write_file(path, compatibility_json(report));
}

}  // namespace assay::inline v0
