#pragma once

#include "assay/release/policy_file.hpp"

#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::map<std::string, std::vector<std::string>> read_labels(
    PolicyReader& reader, const nlohmann::json& json) {
  std::map<std::string, std::vector<std::string>> labels;
  reader.each_member(
      json, [&](const std::string& name, const nlohmann::json& values) { labels[name] = reader.texts(values); });
  return labels;
}

ASSAY_DETAIL_HEADER_INLINE void read_treatments(PolicyReader& reader, const nlohmann::json& json,
                                                GateTreatments& treatments) {
  if (!reader.object(json, {"error", "skipped", "unsupported", "inconclusive", "new_baseline", "unmeasured"})) return;
  static const std::vector<std::pair<std::string, GateTreatment>> words{
      {"ignored", GateTreatment::ignored}, {"undecided", GateTreatment::undecided}, {"bad", GateTreatment::bad}};
  reader.word(json, "error", {words[1], words[2]}, treatments.error);
  reader.word(json, "skipped", words, treatments.skipped);
  reader.word(json, "unsupported", words, treatments.unsupported);
  reader.word(json, "inconclusive", words, treatments.inconclusive);
  reader.word(json, "new_baseline", words, treatments.new_baseline);
  if (reader.has(json, "unmeasured")) {
    GateTreatment unmeasured{};
    reader.word(json, "unmeasured", words, unmeasured);
    treatments.unmeasured = unmeasured;
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Gate read_gate(PolicyReader& reader, const nlohmann::json& json,
                                                        const GateTreatments& treatments) {
  Gate gate;
  if (!reader.object(
          json, {"name", "group", "level", "why", "remedy", "select", "require", "unit", "minimum", "cover", "treat"},
          {"name", "level", "require"}))
    return gate;
  gate.treatments = treatments;
  reader.text(json, "name", gate.name);
  reader.text(json, "group", gate.group);
  reader.text(json, "why", gate.why);
  reader.text(json, "remedy", gate.remedy);
  reader.text(json, "unit", gate.unit);
  reader.word<bool>(json, "level", {{"hard", true}, {"soft", false}}, gate.hard);
  reader.whole(json, "minimum", gate.minimum);
  reader.member(json, "select", [&](const nlohmann::json& select) {
    if (!reader.object(select, {"ids", "exclude", "labels"})) return;
    reader.texts(select, "ids", gate.selection.ids);
    reader.texts(select, "exclude", gate.selection.exclude);
    reader.member(select, "labels",
                  [&](const nlohmann::json& labels) { gate.selection.labels = read_labels(reader, labels); });
  });
  reader.member(json, "require", [&](const nlohmann::json& require) {
    const std::string text = reader.text(require);
    if (reader.error.empty()) gate.condition = reader.accepted(parse_gate_condition(text), GateCondition());
  });
  reader.member(json, "cover", [&](const nlohmann::json& cover) { gate.cover = read_labels(reader, cover); });
  reader.member(json, "treat", [&](const nlohmann::json& treat) { read_treatments(reader, treat, gate.treatments); });
  return gate;
}

/// What waivers and entries of the quarantine have in common.
template <class Exemption>
void read_exemption(PolicyReader& reader, const nlohmann::json& json, Exemption& entry) {
  reader.texts(json, "ids", entry.ids);
  reader.text(json, "owner", entry.owner);
  reader.text(json, "reason", entry.reason);
  reader.member(json, "expires", [&](const nlohmann::json& expires) {
    const std::string text = reader.text(expires);
    if (reader.error.empty()) entry.expires = reader.accepted(parse_calendar_date(text), CalendarDate());
  });
}

ASSAY_DETAIL_HEADER_INLINE GatePolicy read_policy_form(PolicyReader& reader, const nlohmann::json& json) {
  GatePolicy policy;
  if (!reader.object(json, {"schema", "title", "treat", "gates", "waivers", "quarantine"}, {"schema"})) return policy;
  reader.schema(json, policy_schema);
  reader.text(json, "title", policy.title);
  GateTreatments treatments;
  reader.member(json, "treat", [&](const nlohmann::json& treat) { read_treatments(reader, treat, treatments); });
  reader.member(json, "gates", [&](const nlohmann::json& gates) {
    reader.each(gates,
                [&](const nlohmann::json& gate) { policy.gates.push_back(read_gate(reader, gate, treatments)); });
  });
  reader.member(json, "waivers", [&](const nlohmann::json& waivers) {
    reader.each(waivers, [&](const nlohmann::json& entry) {
      Waiver waiver;
      if (!reader.object(entry, {"ids", "gates", "owner", "reason", "expires", "missing_results"},
                         {"owner", "reason", "expires"}))
        return;
      read_exemption(reader, entry, waiver);
      reader.texts(entry, "gates", waiver.gates);
      reader.flag(entry, "missing_results", waiver.missing_results);
      policy.waivers.push_back(std::move(waiver));
    });
  });
  reader.member(json, "quarantine", [&](const nlohmann::json& list) {
    reader.each(list, [&](const nlohmann::json& entry) {
      Quarantine quarantine;
      if (!reader.object(entry, {"ids", "owner", "reason", "expires", "maximum_failure_rate"},
                         {"ids", "owner", "reason", "expires"}))
        return;
      read_exemption(reader, entry, quarantine);
      reader.number(entry, "maximum_failure_rate", quarantine.maximum_failure_rate);
      policy.quarantine.push_back(std::move(quarantine));
    });
  });
  return policy;
}

}  // namespace assay::inline v0::detail
