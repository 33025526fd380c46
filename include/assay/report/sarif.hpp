#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/account.hpp"
#include "assay/report/detail/utc_time.hpp"
#include "assay/report/json.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/write_file.hpp"

/// What a run found wrong as SARIF 2.1.0 (OASIS), for GitHub code scanning and other viewers of findings.
namespace assay::inline v0 {

/// GitHub refuses a file with more results than this.
inline constexpr std::size_t sarif_most_results = 25'000;

namespace detail {

/// A message in SARIF doubles braces, which otherwise stand for arguments (SARIF 2.1.0, 3.11.5).
[[nodiscard]] inline OrderedJson sarif_message(std::string_view text) {
  std::string message;
  for (const char letter : text) message.append(letter == '{' || letter == '}' ? 2 : 1, letter);
  return {{"text", std::move(message)}};
}

/// "assay/" and the id, percent-encoded, as a path below the root of the repository: GitHub takes no other address.
[[nodiscard]] inline std::string sarif_uri(std::string_view id) {
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

/// FNV-1a (64 bit) in hexadecimal: the same for the same text on every machine and in every version.
[[nodiscard]] inline std::string sarif_fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

/// The rules that a run broke, each once, in the order of their names.
class SarifRules {
 public:
  static std::string id_of(const Outcome& outcome) {
    const std::string operation = outcome.label("operation");
    return std::string(operation.empty() ? "case" : operation).append("/").append(name_of(outcome.verdict));
  }

  void add(const std::string& id, std::string_view level, std::string_view description) {
    rules_.try_emplace(id, OrderedJson{{"id", id},
                                       {"shortDescription", sarif_message(description)},
                                       {"fullDescription", sarif_message(description)},
                                       {"help", sarif_message("The command in the message runs the case again, and only this.")},
                                       {"defaultConfiguration", {{"level", level}}},
                                       {"properties", {{"tags", {"correctness", "kernels"}}}}});
  }
  [[nodiscard]] OrderedJson json() {
    OrderedJson list = OrderedJson::array();
    for (auto& [id, rule] : rules_) {
      index_[id] = list.size();
      list.push_back(rule);
    }
    return list;
  }
  [[nodiscard]] std::size_t index(const std::string& id) const { return index_.at(id); }

 private:
  std::map<std::string, OrderedJson> rules_;
  std::map<std::string, std::size_t> index_;
};

[[nodiscard]] constexpr std::string_view sarif_level(Verdict verdict) noexcept {
  return verdict == Verdict::inconclusive ? "warning" : "error";
}

[[nodiscard]] inline std::string sarif_description(const std::string& operation, Verdict verdict) {
  const std::string subject = operation.empty() ? "A case" : "A case of " + operation;
  if (verdict == Verdict::fail) return subject + " computed something that no correct kernel can give: it is refuted.";
  if (verdict == Verdict::error) return subject + " could not be computed: the environment failed.";
  return subject + " ran, but what was found decides nothing.";
}

[[nodiscard]] inline OrderedJson sarif_result(const std::string& rule, std::size_t index, std::string_view level, const std::string& id,
                                              std::string_view message) {
  const std::string fingerprint = sarif_fingerprint(rule + "\n" + id);
  const OrderedJson logical{{"fullyQualifiedName", id}, {"kind", "case"}};
  const OrderedJson location{{"physicalLocation", {{"artifactLocation", {{"uri", sarif_uri(id)}}}, {"region", {{"startLine", 1}}}}},
                             {"logicalLocations", OrderedJson::array({logical})}};
  return {{"ruleId", rule},
          {"ruleIndex", index},
          {"level", level},
          {"message", sarif_message(message)},
          {"locations", OrderedJson::array({location})},
          {"partialFingerprints", {{"assayCase/v1", fingerprint}, {"primaryLocationLineHash", fingerprint + ":1"}}}};
}

/// The labels, measurements, seed and command of a case.
[[nodiscard]] inline OrderedJson sarif_properties(const Outcome& outcome) {
  OrderedJson measurements = OrderedJson::object();
  for (const Measurement& entry : outcome.measurements)
    measurements[entry.name] = {{"value", json_number(entry.value)}, {"unit", entry.unit}};
  return {{"verdict", name_of(outcome.verdict)},
          {"labels", OrderedJson(outcome.labels)},
          {"measurements", std::move(measurements)},
          {"seed", std::to_string(outcome.seed)},
          {"reproduce", outcome.reproduce}};
}

[[nodiscard]] inline OrderedJson sarif_invocation(const Run& run, bool require_conclusive, const std::string& shortfall,
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
    notify("warning",
           std::to_string(left_off) + " further results are left off: readers refuse more than " + std::to_string(sarif_most_results));
  OrderedJson counts = OrderedJson::object();
  for (const Verdict verdict : all_verdicts) counts[std::string(name_of(verdict))] = run.count(verdict);
  json["properties"] = {{"plannedCases", run.planned_cases},
                        {"seed", std::to_string(run.seed)},
                        {"verdicts", std::move(counts)},
                        {"environment", json_of(run.environment)}};
  return json;
}

}  // namespace detail

/// The run as a SARIF 2.1.0 log with one run. A result is a case that failed (level error), erred (error) or was inconclusive
/// (warning); what passed, was skipped or is unsupported is counted in the invocation's properties and is no result, because
/// viewers show a result of any kind as something found.
/// - `ruleId` is "operation/verdict" and stays the same from run to run; `partialFingerprints` depend on rule and id alone.
/// - There is no source file to point to, but GitHub asks for one: `physicalLocation` names the path "assay/<id>", which does not
///   exist, line 1. `logicalLocations` holds the id itself.
/// - A run that was cut short, or that decided nothing, has a result of the rule "run/shortfall", an error notification, and
///   `executionSuccessful` false: readers that compare with an earlier run would otherwise take what did not run for mended. (GitHub
///   may refuse such a file whole, and then closes no alerts.) Failures and errors of cases leave it true: they are results.
/// - `exitCode` is `Run::exit_code(require_conclusive)`.
/// - At most `sarif_most_results` results, failures and errors first; a notification tells what was left off.
/// O(n log n).
[[nodiscard]] inline std::string sarif_text(const Run& run, bool require_conclusive = false) {
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
      rules.add(SarifRules::id_of(outcome), detail::sarif_level(verdict), detail::sarif_description(outcome.label("operation"), verdict));
    }
  const std::string shortfall_rule = "run/shortfall";
  if (!shortfall.empty()) rules.add(shortfall_rule, "error", "The run did not decide all that it was to decide.");

  OrderedJson driver{{"name", "Assay"}};
  if (!run.environment.assay_version.empty()) driver["version"] = run.environment.assay_version;
  driver["rules"] = rules.json();

  const OrderedJson invocation = detail::sarif_invocation(run, require_conclusive, shortfall, left_off);
  std::string text = "{\n\"$schema\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n";
  text.append("\"version\": \"2.1.0\",\n\"runs\": [{\n\"tool\": ").append(detail::json_line({{"driver", std::move(driver)}}));
  text.append(",\n\"invocations\": ").append(detail::json_line(OrderedJson::array({invocation})));
  text.append(",\n\"properties\": ").append(detail::json_line({{"title", run.title}})).append(",\n\"results\": [");
  const char* separator = "\n";
  const auto add = [&](const OrderedJson& result) {
    text.append(separator).append(detail::json_line(result));
    separator = ",\n";
  };
  if (!shortfall.empty()) add(detail::sarif_result(shortfall_rule, rules.index(shortfall_rule), "error", "run", closing_line(run)));
  for (const Outcome* outcome : found) {
    const std::string rule = SarifRules::id_of(*outcome);
    OrderedJson result =
        detail::sarif_result(rule, rules.index(rule), detail::sarif_level(outcome->verdict), outcome->id, detail::account_of(*outcome));
    result["properties"] = detail::sarif_properties(*outcome);
    add(result);
  }
  return text + "\n]\n}]\n}\n";
}

/// Writes `sarif_text` to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_sarif(const Run& run, const std::filesystem::path& path, bool require_conclusive = false) {
  return write_file(path, sarif_text(run, require_conclusive));
}

}  // namespace assay::inline v0
