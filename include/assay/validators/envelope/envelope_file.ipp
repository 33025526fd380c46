#pragma once

#include "assay/validators/envelope/envelope_file.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string envelope_text(const Envelope& envelope) {
  nlohmann::ordered_json json{
      {"schema", envelope_schema}, {"rate", envelope.rate}, {"groups", nlohmann::ordered_json::object()}};
  for (const auto& [name, group] : envelope.groups) {
    nlohmann::ordered_json& own = json["groups"][name] = {
        {"runs", group.runs}, {"units", group.units}, {"limits", nlohmann::ordered_json::object()}};
    for (const auto& [statistic, limit] : group.limits)
      if (std::isfinite(limit)) own["limits"][statistic] = limit;
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<Envelope> read_envelope_text(std::string_view text) {
  try {
    const auto json = nlohmann::ordered_json::parse(text);
    if (json.at("schema") != envelope_schema)
      return failure(ErrorKind::malformed,
                     "the schema is " + json.at("schema").dump() + "; this version reads \"" + envelope_schema + "\"");
    Envelope envelope;
    envelope.rate = json.at("rate").get<double>();
    if (!(envelope.rate > 0 && envelope.rate < 1))
      return failure(ErrorKind::malformed, "the rate is " + json.at("rate").dump() + "; it must lie between 0 and 1");
    for (const auto& [name, own] : json.at("groups").items()) {
      EnvelopeGroup& group = envelope.groups[name];
      group.runs = own.at("runs").get<std::size_t>();
      group.units = own.at("units").get<std::set<std::string>>();
      group.limits = own.at("limits").get<std::map<std::string, double>>();
    }
    return envelope;
  } catch (const nlohmann::json::exception& error) {
    return failure(ErrorKind::malformed, error.what());
  }
}

}  // namespace assay::inline v0
