#pragma once

#include "assay/report/sarif.hpp"

#include "assay/core/config.hpp"
#include "assay/report/findings.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string sarif_uri(std::string_view id) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = "assay/";
  std::size_t segment = uri.size();
  const auto close_segment = [&] {  // "." and ".." would be taken for folders
    const std::string name = uri.substr(segment);
    if (name == "." || name == "..") uri.replace(segment, std::string::npos, name == "." ? "%2E" : "%2E%2E");
  };
  while (!id.empty()) {
    const std::size_t length = utf8_sequence_length(id);
    const std::string_view letter = length == 0 ? std::string_view("\xEF\xBF\xBD") : id.substr(0, length);
    id.remove_prefix(length == 0 ? 1 : length);
    for (const char byte : letter) {
      const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                         std::string_view("-._~/").find(byte) != std::string_view::npos;
      if (byte == '/') close_segment();
      if (plain) {
        uri += byte;
      } else {
        const auto value = static_cast<unsigned char>(byte);
        uri.append({'%', digits[value >> 4], digits[value & 15]});
      }
      if (byte == '/') segment = uri.size();
    }
  }
  close_segment();
  return uri;
}

ASSAY_DETAIL_HEADER_INLINE std::string sarif_fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

ASSAY_DETAIL_HEADER_INLINE void SarifRules::add(const std::string& id, std::string_view level,
                                                std::string_view description) {
  rules_.try_emplace(
      id, OrderedJson{{"id", id},
                      {"shortDescription", sarif_message(description)},
                      {"fullDescription", sarif_message(description)},
                      {"help", sarif_message("The command in the message runs the case again, and only this.")},
                      {"defaultConfiguration", {{"level", level}}},
                      {"properties", {{"tags", {"correctness", "kernels"}}}}});
}

ASSAY_DETAIL_HEADER_INLINE OrderedJson SarifRules::json() {
  OrderedJson list = OrderedJson::array();
  for (auto& [id, rule] : rules_) {
    index_[id] = list.size();
    list.push_back(rule);
  }
  return list;
}

[[nodiscard]] constexpr std::string_view sarif_level(Verdict verdict) noexcept {
  return verdict == Verdict::inconclusive ? "warning" : "error";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string sarif_description(const std::string& operation, Verdict verdict) {
  const std::string subject = operation.empty() ? "A case" : "A case of " + operation;
  if (verdict == Verdict::fail) return subject + " computed something that no correct kernel can give: it is refuted.";
  if (verdict == Verdict::error) return subject + " could not be computed: the environment failed.";
  return subject + " ran, but what was found decides nothing.";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson sarif_result(const std::string& rule, std::size_t index,
                                                                  std::string_view level, const std::string& id,
                                                                  std::string_view message) {
  const std::string fingerprint = sarif_fingerprint(rule + "\n" + id);
  const OrderedJson logical{{"fullyQualifiedName", id}, {"kind", "case"}};
  const OrderedJson location{
      {"physicalLocation", {{"artifactLocation", {{"uri", sarif_uri(id)}}}, {"region", {{"startLine", 1}}}}},
      {"logicalLocations", OrderedJson::array({logical})}};
  return {{"ruleId", rule},
          {"ruleIndex", index},
          {"level", level},
          {"message", sarif_message(message)},
          {"locations", OrderedJson::array({location})},
          {"partialFingerprints", {{"assayCase/v1", fingerprint}, {"primaryLocationLineHash", fingerprint + ":1"}}}};
}

/// The labels, measurements, seed and command of a case.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson sarif_properties(const Outcome& outcome) {
  OrderedJson measurements = OrderedJson::object();
  for (const Measurement& entry : outcome.measurements)
    measurements[entry.name] = {{"value", json_number(entry.value)}, {"unit", entry.unit}};
  return {{"verdict", name_of(outcome.verdict)},
          {"labels", OrderedJson(outcome.labels)},
          {"measurements", std::move(measurements)},
          {"seed", std::to_string(outcome.seed)},
          {"reproduce", outcome.reproduce}};
}

/// The title, whose kernels passed, and the findings without the lists of their cases.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson sarif_run_properties(const Run& run) {
  OrderedJson properties{{"title", run.title}, {"standing", standing_of_backends(run)}};
  OrderedJson& findings = properties["findings"] = OrderedJson::array();
  for (const Finding& finding : findings_of(run)) {
    OrderedJson entry = json_of(finding, run);
    entry["number_of_cases"] = finding.members.size();
    entry["example"] = example_of(finding, run).id;
    entry.erase("cases");
    findings.push_back(std::move(entry));
  }
  return properties;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE OrderedJson sarif_invocation(const Run& run, bool require_conclusive,
                                                                      const std::string& shortfall,
                                                                      std::size_t left_off) {
  OrderedJson json{{"executionSuccessful", shortfall.empty()},
                   {"exitCode", run.exit_code(require_conclusive)},
                   {"exitCodeDescription", closing_line(run)},
                   {"commandLine", run.command}};
  if (const auto start = utc_time(run.environment.started_at)) {
    json["startTimeUtc"] = utc_text(*start);
    json["endTimeUtc"] = utc_text(later(*start, run.duration_seconds));
  }
  if (!run.environment.host_name.empty()) json["machine"] = run.environment.host_name;
  const auto notify = [&](const char* level, const std::string& text) {
    json["toolExecutionNotifications"].push_back({{"level", level}, {"message", sarif_message(text)}});
  };
  if (!shortfall.empty()) notify("error", shortfall);
  if (left_off > 0)
    notify("warning", std::to_string(left_off) + " further results are left off: readers refuse more than " +
                          std::to_string(sarif_most_results));
  OrderedJson counts = OrderedJson::object();
  for (const Verdict verdict : all_verdicts) counts[std::string(name_of(verdict))] = run.count(verdict);
  json["properties"] = {{"plannedCases", run.planned_cases},
                        {"seed", std::to_string(run.seed)},
                        {"verdicts", std::move(counts)},
                        {"environment", json_of(run.environment)}};
  return json;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string sarif_text(const Run& run, bool require_conclusive) {
  using detail::OrderedJson;
  using detail::SarifRules;
  const std::string shortfall = detail::shortfall(run);
  std::size_t room = sarif_most_results - (shortfall.empty() ? 0 : 1), left_off = 0;
  std::vector<const Outcome*> found;
  SarifRules rules;
  for (const Verdict verdict : {Verdict::fail, Verdict::error, Verdict::inconclusive})
    for (const Outcome& outcome : run.outcomes) {
      if (outcome.verdict != verdict) continue;
      if (room == 0) {
        ++left_off;
        continue;
      }
      --room;
      found.push_back(&outcome);
      rules.add(SarifRules::id_of(outcome), detail::sarif_level(verdict),
                detail::sarif_description(outcome.label("operation"), verdict));
    }
  const std::string shortfall_rule = "run/shortfall";
  if (!shortfall.empty()) rules.add(shortfall_rule, "error", "The run did not decide all that it was to decide.");

  OrderedJson driver{{"name", "Assay"}};
  if (!run.environment.assay_version.empty()) driver["version"] = run.environment.assay_version;
  driver["rules"] = rules.json();

  const OrderedJson invocation = detail::sarif_invocation(run, require_conclusive, shortfall, left_off);
  std::string text =
      "{\n\"$schema\": "
      "\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n";
  text.append("\"version\": \"2.1.0\",\n\"runs\": [{\n\"tool\": ")
      .append(detail::json_line({{"driver", std::move(driver)}}));
  text.append(",\n\"invocations\": ").append(detail::json_line(OrderedJson::array({invocation})));
  text.append(",\n\"properties\": ")
      .append(detail::json_line(detail::sarif_run_properties(run)))
      .append(",\n\"results\": [");
  const char* separator = "\n";
  const auto add = [&](const OrderedJson& result) {
    text.append(separator).append(detail::json_line(result));
    separator = ",\n";
  };
  if (!shortfall.empty())
    add(detail::sarif_result(shortfall_rule, rules.index(shortfall_rule), "error", "run", closing_line(run)));
  std::map<const Outcome*, std::string> finding_of;
  for (const Finding& finding : findings_of(run))
    for (const std::size_t member : finding.members) finding_of[&run.outcomes[member]] = heading_of(finding);
  for (const Outcome* outcome : found) {
    const std::string rule = SarifRules::id_of(*outcome);
    OrderedJson result = detail::sarif_result(rule, rules.index(rule), detail::sarif_level(outcome->verdict),
                                              outcome->id, detail::account_of(*outcome));
    result["properties"] = detail::sarif_properties(*outcome);
    if (const auto finding = finding_of.find(outcome); finding != finding_of.end())
      result["properties"]["finding"] = finding->second;
    add(result);
  }
  return text + "\n]\n}]\n}\n";
}

}  // namespace assay::inline v0
