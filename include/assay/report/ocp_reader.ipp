#pragma once

#include "assay/report/ocp_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/config.hpp"
#include "assay/report/json.hpp"

namespace assay::inline v0 {

namespace detail {

/// Gathers what the artifacts of a run say. A member of another kind than the specification's is as if it was absent,
/// which never leads to a pass.
class OcpReader {
 public:
  using Json = nlohmann::json;

  /// What is wrong with a line; empty if nothing.
  [[nodiscard]] std::string read(std::string_view line) {
    JsonBuilder builder;
    nlohmann::json::sax_parse(line.begin(), line.end(), &builder);
    if (!builder.error.empty()) return builder.error;
    const Json& artifact = builder.root;
    if (!artifact.is_object()) return "an artifact is an object";
    if (const auto number = artifact.find("sequenceNumber"); number != artifact.end() && number->is_number_unsigned()) {
      if (number->get<std::size_t>() != next_) gaps_ = true;
      next_ = number->get<std::size_t>() + 1;
    }
    if (const Json* version = member(artifact, "schemaVersion")) {
      const Json* major = member(*version, "major");
      if (major == nullptr || *major != 2) return "its form is not of version 2, which is the one that is read";
      versioned_ = true;
    }
    if (const Json* run = member(artifact, "testRunArtifact")) of_run(*run, text(artifact, "timestamp"));
    if (const Json* step = member(artifact, "testStepArtifact")) of_step(*step);
    return {};
  }

  [[nodiscard]] Result<Run> finish() {
    if (!versioned_) return failure(ErrorKind::malformed, "no line tells the version of the form (schemaVersion)");
    for (auto& [id, step] : steps_) {
      for (const auto& [series, known] : step.series)
        if (known.elements == 0 && has_validators(known.start)) step.unknown = true;
      step.outcome.verdict = verdict_of(step);
      if (step.outcome.reason.empty() && step.outcome.verdict != Verdict::pass)
        step.outcome.reason = step.ended ? "the step ended with '" + step.status + "' and no diagnosis that decides"
                                         : "the step never ended";
    }
    for (const std::string& id : order_) run_.outcomes.push_back(std::move(steps_[id].outcome));
    if (const std::string why = wrong_with_run(); !why.empty()) {
      Outcome own;
      own.id = (run_.title.empty() ? "ocp" : run_.title) + "/run";
      own.verdict = failed_ ? Verdict::fail : Verdict::error;
      own.reason = why;
      run_.outcomes.push_back(std::move(own));
    }
    run_.planned_cases = run_.outcomes.size();
    return std::move(run_);
  }

 private:
  struct Series {
    Json start;  ///< the artifact that tells the name and the validators
    std::size_t elements = 0;
  };
  struct Step {
    Outcome outcome;
    std::map<std::string, Series> series;  ///< of measurements, by their id
    bool ended = false, passed = false, failed = false, erred = false, validated = false, unknown = false;
    std::string status;
  };

  static const Json* member(const Json& json, const char* name) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    return json.is_object() && found != json.end() ? &*found : nullptr;
  }
  static std::string text(const Json& json, const char* name) {
    const Json* found = member(json, name);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
  }

  static bool has_validators(const Json& measured) {
    const Json* validators = member(measured, "validators");
    return validators != nullptr && validators->is_array() && !validators->empty();
  }

  [[nodiscard]] std::string wrong_with_run() const {
    if (failed_) return "the run says that it failed, and none of its steps does";
    if (!error_.empty()) return "the run erred: " + error_;
    if (!ended_) return "the run never ended (testRunEnd): it was cut short";
    if (gaps_) return "numbers are missing from the sequence: lines were lost";
    return {};
  }

  void of_run(const Json& run, const std::string& timestamp) {
    if (const Json* start = member(run, "testRunStart")) {
      run_.title = text(*start, "name");
      run_.command = text(*start, "commandLine");
      run_.environment.started_at = timestamp;
      if (const Json* device = member(*start, "dutInfo")) {
        run_.environment.host_name = text(*device, "name");
        if (const Json* parts = member(*device, "hardwareInfos"); parts != nullptr && parts->is_array())
          for (const Json& part : *parts) run_.environment.devices.push_back(text(part, "name"));
      }
    }
    if (const Json* error = member(run, "error")) error_ = text(*error, "symptom") + " " + text(*error, "message");
    if (const Json* end = member(run, "testRunEnd")) {
      ended_ = true;
      const bool steps_failed =
          std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return step.second.failed; });
      failed_ = text(*end, "result") == "FAIL" && !steps_failed;
      if (text(*end, "status") == "ERROR" && error_.empty()) error_ = "its status is ERROR";
    }
  }

  void of_step(const Json& artifact) {
    const std::string id = text(artifact, "testStepId");
    const auto [found, added] = steps_.try_emplace(id);
    Step& step = found->second;
    if (added) {
      order_.push_back(id);
      step.outcome.id = (run_.title.empty() ? "ocp" : run_.title) + "/" + id;
    }
    if (const Json* start = member(artifact, "testStepStart"); start != nullptr && !text(*start, "name").empty()) {
      step.outcome.id = (run_.title.empty() ? "ocp" : run_.title) + "/" + text(*start, "name");
      step.outcome.labels["step"] = id;
    }
    if (const Json* measured = member(artifact, "measurement")) measurement_of(step, *measured);
    series_of(step, artifact);
    if (const Json* diagnosis = member(artifact, "diagnosis")) {
      const std::string type = text(*diagnosis, "type");
      step.passed = step.passed || type == "PASS";
      step.failed = step.failed || type == "FAIL";
      step.unknown = step.unknown || (type != "PASS" && type != "FAIL");
      const std::string said =
          text(*diagnosis, "verdict") + (text(*diagnosis, "message").empty() ? "" : ": ") + text(*diagnosis, "message");
      if (type != "PASS" && (step.outcome.reason.empty() || type == "FAIL")) step.outcome.reason = said;
    }
    if (const Json* error = member(artifact, "error")) {
      step.erred = true;
      if (step.outcome.reason.empty()) step.outcome.reason = text(*error, "symptom") + ": " + text(*error, "message");
    }
    if (const Json* end = member(artifact, "testStepEnd")) {
      step.ended = true;
      step.status = text(*end, "status");
      step.erred = step.erred || step.status == "ERROR";
    }
  }

  /// A series: its start says what every element has to keep, its end how many there are. What cannot be told of an
  /// element lets nothing pass.
  void series_of(Step& step, const Json& artifact) {
    if (const Json* start = member(artifact, "measurementSeriesStart"))
      step.series[text(*start, "measurementSeriesId")] = {*start, 0};
    if (const Json* element = member(artifact, "measurementSeriesElement")) {
      const auto found = step.series.find(text(*element, "measurementSeriesId"));
      if (found == step.series.end()) {
        step.unknown = true;
      } else {
        ++found->second.elements;
        judge(step, found->second.start, member(*element, "value"));
      }
    }
    if (const Json* over = member(artifact, "measurementSeriesEnd")) {
      const auto found = step.series.find(text(*over, "measurementSeriesId"));
      const Json* total = member(*over, "totalCount");
      if (total != nullptr && total->is_number() &&
          (found == step.series.end() || total->get<double>() != static_cast<double>(found->second.elements)))
        step.unknown = true;
    }
  }

  void measurement_of(Step& step, const Json& measured) {
    const std::string name = text(measured, "name");
    const Json* value = member(measured, "value");
    if (value != nullptr && value->is_number() && !step.outcome.measurement(name))
      step.outcome.measure(name, value->get<double>(), text(measured, "unit"));
    judge(step, measured, value);
  }

  /// Holds a value against the validators of what was measured.
  static void judge(Step& step, const Json& measured, const Json* value) {
    const std::string name = text(measured, "name");
    if (!has_validators(measured)) return;
    if (value == nullptr) {
      step.unknown = true;
      return;
    }
    for (const Json& validator : measured.at("validators")) {
      const auto kept = keeps(*value, validator);
      if (!kept) {
        step.unknown = true;
        continue;
      }
      step.validated = true;
      if (*kept || step.failed) continue;
      step.failed = true;
      step.outcome.reason =
          name + " is " + clipped(value->dump(-1, ' ', true, Json::error_handler_t::replace), 60) + ", and has to be " +
          text(validator, "type") + " " +
          clipped(validator.value("value", Json()).dump(-1, ' ', true, Json::error_handler_t::replace), 60);
    }
  }

  /// Whether a value is as a validator demands; nothing where the validator is of a kind that is not computed here.
  static std::optional<bool> keeps(const Json& value, const Json& validator) {
    const std::string type = text(validator, "type");
    const Json* limit = member(validator, "value");
    if (limit == nullptr) return std::nullopt;
    if (type == "EQUAL") return value == *limit;
    if (type == "NOT_EQUAL") return value != *limit;
    if ((type == "IN_SET" || type == "NOT_IN_SET") && limit->is_array())
      return (std::find(limit->begin(), limit->end(), value) != limit->end()) == (type == "IN_SET");
    if (!value.is_number() || !limit->is_number()) return std::nullopt;
    const double measured = value.get<double>(), bound = limit->get<double>();
    if (type == "LESS_THAN") return measured < bound;
    if (type == "LESS_THAN_OR_EQUAL") return measured <= bound;
    if (type == "GREATER_THAN") return measured > bound;
    if (type == "GREATER_THAN_OR_EQUAL") return measured >= bound;
    return std::nullopt;
  }

  static Verdict verdict_of(const Step& step) {
    if (step.failed) return Verdict::fail;
    if (step.erred) return Verdict::error;
    if (!step.ended) return Verdict::inconclusive;
    if (step.status == "SKIP") return Verdict::skipped;
    if (step.status != "COMPLETE" || step.unknown) return Verdict::inconclusive;
    return step.passed || step.validated ? Verdict::pass : Verdict::inconclusive;
  }

  Run run_;
  std::map<std::string, Step> steps_;
  std::vector<std::string> order_;
  std::size_t next_ = 0;
  std::string error_;
  bool versioned_ = false, ended_ = false, failed_ = false, gaps_ = false;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Run> run_from_ocp(std::string_view text) {
  detail::OcpReader reader;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (const std::string wrong = reader.read(line); !wrong.empty())
      return failure(ErrorKind::malformed, "no OCP diagnostic at line " + std::to_string(number) + ": " + wrong);
  }
  return reader.finish();
}

}  // namespace assay::inline v0
