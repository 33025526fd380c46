#pragma once

#include "assay/release/compatibility_json.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string compatibility_json(const CompatibilityReport& report) {
  using Json = nlohmann::ordered_json;
  const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  Json axes = Json::array();
  for (const MatrixAxis& axis : report.axes) axes.push_back({{"name", axis.name}, {"values", axis.values}});
  Json counts = Json::object();
  for (const CompatibilityState state :
       {CompatibilityState::certified, CompatibilityState::failed, CompatibilityState::undecided,
        CompatibilityState::conflict, CompatibilityState::hole})
    counts[std::string(name_of(state))] = report.count(state);
  Json conflicts = Json::array();
  for (const CompatibilityConflict& conflict : report.conflicts)
    conflicts.push_back({{"combination", conflict.combination}, {"what", conflict.what}});
  const auto certification = [&](const Certification& entry) {
    return Json{{"verdict", name_of(entry.verdict)},
                {"by", entry.by},
                {"when", entry.when},
                {"host", entry.host},
                {"environment", entry.environment},
                {"source", entry.source},
                {"title", entry.title},
                {"cut_short", entry.cut_short}};
  };
  Json strangers = Json::array();
  for (const auto& [index, why] : report.strangers) {
    Json stranger = certification(report.certifications[index]);
    stranger["combination"] = report.certifications[index].combination;
    stranger["why"] = why;
    strangers.push_back(std::move(stranger));
  }
  std::string text = "{\n\"schema\": \"" + std::string(compatibility_schema) + "\",\n\"title\": " + line(report.title) +
                     ",\n\"axes\": " + line(axes) + ",\n\"counts\": " + line(counts) +
                     ",\n\"conflicts\": " + line(conflicts) + ",\n\"not_counted\": " + line(strangers) +
                     ",\n\"combinations\": [";
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

}  // namespace assay::inline v0
