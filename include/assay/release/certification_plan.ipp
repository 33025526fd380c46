#pragma once

#include "assay/release/certification_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/report/text.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

namespace detail {

using CertificationPlanReader = FormReader<nlohmann::json>;

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_folder_name(const std::string& name) {
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return !name.empty() && name.size() <= 64 && name.front() != '.' && name.find_first_not_of(allowed) == name.npos;
}

ASSAY_DETAIL_HEADER_INLINE void read_minutes(CertificationPlanReader& reader, const nlohmann::json& json,
                                             double& minutes) {
  reader.number(json, "minutes", minutes);
  if (reader.has(json, "minutes") && !(minutes > 0 && minutes <= 60 * 24 * 31))
    reader.refuse("\"minutes\" lies above 0, and is a month at most");
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE PlanStage read_stage(CertificationPlanReader& reader,
                                                              const nlohmann::json& json) {
  PlanStage stage;
  if (!reader.object(json, {"name", "why", "command", "answers", "minutes", "measures", "everywhere"},
                     {"name", "command"}))
    return stage;
  reader.text(json, "name", stage.name);
  reader.text(json, "why", stage.why);
  reader.texts(json, "command", stage.command);
  reader.texts(json, "answers", stage.answers);
  read_minutes(reader, json, stage.minutes);
  stage.measures = command_measures(stage.command);
  reader.flag(json, "measures", stage.measures);
  reader.flag(json, "everywhere", stage.everywhere);
  if (!reader.error.empty()) return stage;
  if (!is_folder_name(stage.name))
    reader.refuse("a stage's name is that of a folder: letters, digits, '-', '_' and '.', not \"" + stage.name + "\"");
  const bool has_place = std::any_of(stage.command.begin(), stage.command.end(), [](const std::string& argument) {
    return argument.find("{out}") != argument.npos || argument.find("{report}") != argument.npos;
  });
  if (!has_place)
    reader.refuse(
        "stage \"" + stage.name +
        "\": its command says nowhere where to put what it finds; write {out} for its folder, or {report} for "
        "report.json there");
  if (stage.everywhere && stage.divided())
    reader.refuse("stage \"" + stage.name + "\" runs everywhere, and its command does a part, {shard}; leave out one");
  return stage;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE CertificationPlan read_plan_form(CertificationPlanReader& reader,
                                                                          const nlohmann::json& json) {
  CertificationPlan plan;
  if (!reader.object(json, {"schema", "title", "minutes", "policy", "rows", "stages"}, {"schema", "title", "stages"}))
    return plan;
  std::string schema;
  reader.text(json, "schema", schema);
  if (schema != plan_schema) reader.refuse("\"schema\" is \"" + std::string(plan_schema) + "\" in this version");
  reader.text(json, "title", plan.title);
  read_minutes(reader, json, plan.minutes);
  reader.text(json, "policy", plan.policy);
  reader.texts(json, "rows", plan.rows);
  reader.member(json, "stages", [&](const nlohmann::json& stages) {
    reader.each(stages, [&](const nlohmann::json& stage) { plan.stages.push_back(read_stage(reader, stage)); });
  });
  if (!reader.error.empty()) return plan;
  if (plan.stages.empty()) reader.refuse("a plan has a stage at least");
  std::set<std::string> names;
  for (const PlanStage& stage : plan.stages) {
    if (!names.insert(stage.name).second) reader.refuse("stage \"" + stage.name + "\" stands there twice");
    if (plan.minutes > 0 && stage.minutes > plan.minutes)
      reader.refuse("stage \"" + stage.name + "\" may take longer than the whole plan; change one of the two");
  }
  return plan;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool names_gate(const std::vector<std::string>& globs,
                                                         const std::string& name) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) { return glob_matches(glob, name); });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool PlanStage::divided() const noexcept {
  return std::any_of(command.begin(), command.end(),
                     [](const std::string& argument) { return argument.find("{shard}") != argument.npos; });
}

ASSAY_DETAIL_HEADER_INLINE bool command_measures(const std::vector<std::string>& command) {
  static constexpr std::array computing{"accuracy",  "baseline", "check",   "explain", "faults", "frameworks",
                                        "gate",      "history",  "list",    "matrix",  "merge",  "minimize",
                                        "notebooks", "pipeline", "profile", "report",  "run",    "serve-check"};
  if (command.size() < 2 || command[0] != "assay") return true;
  const auto has = [&](std::string_view word) {
    return std::any_of(command.begin() + 1, command.end(),
                       [&](const std::string& argument) { return argument.compare(0, word.size(), word) == 0; });
  };
  if (command[1] == "collectives") return command.size() < 3 || command[2] != "verify";
  return has("--roofline") || std::find(computing.begin(), computing.end(), command[1]) == computing.end();
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::size_t> stages_of_shard(const CertificationPlan& plan, const Shard& shard) {
  std::vector<std::size_t> own, dealt;
  std::vector<double> minutes(shard.count, 0);
  for (std::size_t place = 0; place < plan.stages.size(); ++place) {
    const bool each = plan.stages[place].everywhere || plan.stages[place].divided();
    (each ? own : dealt).push_back(place);
  }
  std::sort(dealt.begin(), dealt.end(), [&](std::size_t left, std::size_t right) {
    const double one = plan.stages[left].minutes, other = plan.stages[right].minutes;
    return one != other ? one > other : left < right;
  });
  for (const std::size_t place : dealt) {
    const auto least = std::min_element(minutes.begin(), minutes.end());
    *least += plan.stages[place].minutes;
    if (static_cast<std::size_t>(least - minutes.begin()) + 1 == shard.index) own.push_back(place);
  }
  std::sort(own.begin(), own.end());
  return own;
}

ASSAY_DETAIL_HEADER_INLINE Result<CertificationPlan> parse_plan(std::string_view text) {
  return detail::read_form(text, "plan of a certification",
                           [](detail::CertificationPlanReader& reader, const nlohmann::json& json) {
                             return detail::read_plan_form(reader, json);
                           });
}

ASSAY_DETAIL_HEADER_INLINE Result<CertificationPlan> read_plan(const std::filesystem::path& path) {
  return detail::read_form_file(path, [](const std::string& text) { return parse_plan(text); });
}

ASSAY_DETAIL_HEADER_INLINE Result<GatePolicy> policy_for(const CertificationPlan& plan, GatePolicy policy) {
  std::vector<std::string> known;
  for (const Gate& gate : policy.gates) known.push_back(gate.name);
  const auto check = [&](const std::vector<std::string>& globs, const std::string& where) -> Result<void> {
    for (const std::string& glob : globs)
      if (std::none_of(known.begin(), known.end(), [&](const std::string& name) { return glob_matches(glob, name); }))
        return failure(ErrorKind::not_found, where + ": " + unknown_name("gate", clipped(visible(glob), 60), known));
    return {};
  };
  if (const auto rows = check(plan.rows, "rows"); !rows) return rows.propagate();
  for (const PlanStage& stage : plan.stages)
    if (const auto answers = check(stage.answers, "stage '" + stage.name + "' answers"); !answers)
      return answers.propagate();
  if (!plan.rows.empty())
    std::erase_if(policy.gates, [&](const Gate& gate) { return !detail::names_gate(plan.rows, gate.name); });
  return policy;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> stages_that_answer(const CertificationPlan& plan,
                                                                       const std::string& gate) {
  std::vector<std::string> names;
  for (const PlanStage& stage : plan.stages)
    if (detail::names_gate(stage.answers, gate)) names.push_back(stage.name);
  return names;
}

}  // namespace assay::inline v0
