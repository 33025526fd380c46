#include "certify_parts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/core/detect_environment.hpp"
#include "assay/core/version.hpp"
#include "assay/report/json.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "plan_stages.hpp"
#include "stage_journal.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* outcomes_file = "stages.json";

assay::Result<CertificationPart> read_part(const fs::path& folder) {
  const fs::path path = folder / part_file;
  const auto refused = [&](const std::string& why) {
    return assay::failure(assay::ErrorKind::malformed, "'" + path.string() + "': " + why);
  };
  std::error_code code;
  if (!fs::exists(path, code))
    return assay::failure(assay::ErrorKind::not_found, "'" + folder.string() +
                                                           "' is no part of a certification: it has no " + part_file +
                                                           "; name folders that assay certify --shard I/N --out made");
  const auto text = assay::read_file(path);
  if (!text) return text.propagate();
  const Json json = Json::parse(text.value(), nullptr, false);
  if (!json.is_object()) return refused("no JSON object");
  CertificationPart part{folder, {}, {}, {}, {}, {}};
  std::string schema, shard;
  const std::pair<const char*, std::string*> members[] = {
      {"schema", &schema}, {"shard", &shard}, {"version", &part.version}, {"machine", &part.machine}};
  for (const auto& [name, value] : members) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return refused(std::string("no text \"") + name + "\"");
    *value = found->get<std::string>();
  }
  if (schema != part_schema) return refused("its form is not " + std::string(part_schema));
  const auto read = assay::parse_shard(shard);
  if (!read) return refused(read.error().message);
  part.shard = read.value();
  for (const auto& [file, kept] :
       {std::pair<const char*, std::string*>{"plan.json", &part.plan}, {"policy.json", &part.policy}}) {
    auto words = assay::read_file(folder / file);
    if (!words) return words.propagate();
    *kept = std::move(words).value();
  }
  return part;
}

/// How the stages of a part ended, as far as it came; what it says of those that are not in the journal alone counts.
std::map<std::string, assay::Outcome> outcomes_of(const CertificationPart& part) {
  std::map<std::string, assay::Outcome> outcomes;
  const auto run = assay::read_json(part.folder / outcomes_file);
  if (!run) return outcomes;
  for (const assay::Outcome& outcome : run.value().outcomes) outcomes[outcome.id] = outcome;
  return outcomes;
}

/// One stage of one shard.
class JoinedStage {
 public:
  JoinedStage(const assay::PlanStage& stage, const assay::Shard& shard, const fs::path& folder) {
    outcome_ = outcome_of_stage(stage.name);
    evidence_ = folder / "evidence" / stage.name;
    if (stage.everywhere || stage.divided()) {
      const std::string name = "shard-" + std::to_string(shard.index) + "-of-" + std::to_string(shard.count);
      outcome_.id += "/" + name;
      evidence_ /= name;
    }
    outcome_.labels["shard"] = name_of(shard);
  }

  [[nodiscard]] assay::Outcome missing(const std::string& reason) {
    outcome_.verdict = assay::Verdict::skipped;
    outcome_.reason = reason;
    return std::move(outcome_);
  }

  /// Of a stage that the part's journal has.
  [[nodiscard]] assay::Result<assay::Outcome> ended(const CertificationPart& part, const std::string& name,
                                                    const EndedStage& stage) {
    if (const std::string file = changed_file(part.folder, stage); !file.empty())
      return assay::failure(assay::ErrorKind::invalid,
                            "'" + (part.folder / assay::visible(file)).string() + "' is not what stage '" + name +
                                "' left there; run that shard again: assay certify --shard " + name_of(part.shard));
    std::error_code code;
    fs::create_directories(evidence_.parent_path(), code);
    if (!code) fs::copy(part.folder / "evidence" / name, evidence_, fs::copy_options::recursive, code);
    if (code) return assay::failure(assay::ErrorKind::io, "'" + evidence_.string() + "': " + code.message());
    outcome_.verdict = assay::Verdict::pass;
    outcome_.duration_seconds = stage.end - stage.start;
    outcome_.reason = "ended after " + time_text(outcome_.duration_seconds) + " in shard " + name_of(part.shard) +
                      " on " + part.machine;
    outcome_.labels["machine"] = part.machine;
    return std::move(outcome_);
  }

  /// Of a stage that it has not: what the part says of it, which is no pass.
  [[nodiscard]] assay::Outcome not_ended(const CertificationPart& part,
                                         const std::map<std::string, assay::Outcome>& told, const std::string& name) {
    const auto found = told.find("certify/" + name);
    if (found == told.end() || found->second.verdict == assay::Verdict::pass)
      return missing("shard " + name_of(part.shard) + " has not ended it");
    outcome_.verdict = found->second.verdict;
    outcome_.reason = found->second.reason + " (shard " + name_of(part.shard) + " on " + part.machine + ")";
    outcome_.reproduce = found->second.reproduce;
    return std::move(outcome_);
  }

 private:
  assay::Outcome outcome_;
  fs::path evidence_;
};

}  // namespace

assay::Result<void> mark_part(const fs::path& folder, const assay::Shard& shard) {
  std::error_code code;
  if (fs::exists(folder / part_file, code)) {
    const auto earlier = read_part(folder);
    if (!earlier) return earlier.propagate();
    if (name_of(earlier.value().shard) != name_of(shard))
      return assay::failure(assay::ErrorKind::invalid, "'" + folder.string() + "' is of shard " +
                                                           name_of(earlier.value().shard) +
                                                           "; give each shard a folder of its own");
  } else if (shard.count == 1) {
    return {};
  }
  fs::remove(folder / outcomes_file, code);  // it tells of what ran before
  const assay::Environment environment = assay::detect_environment();
  const Json json{{"schema", part_schema},
                  {"shard", name_of(shard)},
                  {"version", assay::version},
                  {"machine", environment.host_name}};
  return assay::write_file(folder / part_file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

assay::Result<void> write_part_outcomes(const fs::path& folder, std::vector<assay::Outcome> outcomes,
                                        const std::string& command) {
  assay::Run run;
  run.title = "Stages";
  run.command = command;
  run.environment = assay::detect_environment();
  run.outcomes = std::move(outcomes);
  run.planned_cases = run.outcomes.size();
  return assay::write_json(run, folder / outcomes_file);
}

assay::Result<std::vector<CertificationPart>> read_parts(const std::vector<std::string>& folders) {
  std::vector<CertificationPart> parts;
  for (const std::string& folder : folders) {
    auto part = read_part(folder);
    if (!part) return part.propagate();
    parts.push_back(std::move(part).value());
  }
  std::sort(parts.begin(), parts.end(), [](const CertificationPart& left, const CertificationPart& right) {
    return left.shard.index < right.shard.index;
  });
  for (std::size_t at = 1; at < parts.size(); ++at) {
    const CertificationPart &one = parts[at - 1], &other = parts[at];
    const auto refused = [&](const std::string& what) {
      return assay::failure(assay::ErrorKind::invalid,
                            "'" + one.folder.string() + "' and '" + other.folder.string() + "' " + what);
    };
    if (one.plan != other.plan) return refused("are parts of different plans");
    if (one.policy != other.policy) return refused("are judged by different policies");
    if (one.version != other.version)
      return refused("were made by different versions, " + assay::visible(one.version) + " and " +
                     assay::visible(other.version));
    if (one.shard.count != other.shard.count)
      return refused("are parts " + name_of(one.shard) + " and " + name_of(other.shard) + ", which make no whole");
    if (one.shard.index == other.shard.index) return refused("are both shard " + name_of(one.shard));
  }
  return parts;
}

assay::Result<std::vector<assay::Outcome>> join_evidence(const assay::CertificationPlan& plan,
                                                         const std::vector<CertificationPart>& parts,
                                                         const fs::path& folder) {
  std::error_code code;
  for (const assay::PlanStage& stage : plan.stages) {
    fs::remove_all(folder / "evidence" / stage.name, code);
    if (code) return assay::failure(assay::ErrorKind::io, "'" + folder.string() + "': " + code.message());
  }
  std::vector<assay::Outcome> outcomes;
  for (std::size_t index = 1; index <= parts.front().shard.count; ++index) {
    const assay::Shard shard{index, parts.front().shard.count};
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const CertificationPart& one) { return one.shard.index == index; });
    const bool given = part != parts.end();
    const auto journal = given ? read_stage_journal(part->folder) : std::map<std::string, EndedStage>();
    const auto told = given ? outcomes_of(*part) : std::map<std::string, assay::Outcome>();
    for (const std::size_t place : stages_of_shard(plan, shard)) {
      const assay::PlanStage& stage = plan.stages[place];
      JoinedStage joined(stage, shard, folder);
      if (!given) {
        outcomes.push_back(joined.missing("shard " + name_of(shard) + ", which runs it, is not there"));
      } else if (const auto ended = journal.find(stage.name); ended != journal.end()) {
        auto outcome = joined.ended(*part, stage.name, ended->second);
        if (!outcome) return outcome.propagate();
        outcomes.push_back(std::move(outcome).value());
      } else {
        outcomes.push_back(joined.not_ended(*part, told, stage.name));
      }
    }
  }
  return outcomes;
}

}  // namespace assay_program
