#include "certify.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/release/certification_plan.hpp"
#include "assay/release/certification_policy.hpp"
#include "assay/release/check_policy.hpp"
#include "assay/release/policy_file.hpp"
#include "assay/release/ready_plans.hpp"
#include "assay/report/json.hpp"
#include "assay/suite/shard_from_environment.hpp"
#include "certificate.hpp"
#include "certify_parts.hpp"
#include "fault.hpp"
#include "gate.hpp"
#include "plan_stages.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;

/// A plan, and what its files say, word by word.
struct GivenPlan {
  assay::CertificationPlan plan;
  assay::GatePolicy policy;
  std::string plan_text, policy_text;
};

/// Both are there, word by word; `name` is the plan's, for messages.
assay::Result<GivenPlan> parsed(GivenPlan given, const std::string& name) {
  auto plan = assay::parse_plan(given.plan_text);
  if (!plan) return assay::failure(plan.error().kind, "'" + name + "': " + plan.error().message);
  given.plan = std::move(plan).value();
  auto policy = assay::parse_policy(given.policy_text);
  if (!policy) return assay::failure(policy.error().kind, "the plan's policy: " + policy.error().message);
  auto counted = assay::policy_for(given.plan, std::move(policy).value());
  if (!counted) return assay::failure(counted.error().kind, "'" + name + "': " + counted.error().message);
  given.policy = std::move(counted).value();
  if (const auto checked = assay::check(given.policy); !checked) return checked.propagate();
  return given;
}

assay::Result<GivenPlan> given_plan(const std::string& name) {
  GivenPlan given;
  fs::path folder;
  std::vector<std::string> known;
  for (const assay::ReadyPlan& ready : assay::ready_plans) {
    known.emplace_back(ready.name);
    if (ready.name == name) given.plan_text = std::string(ready.text) + "\n";
  }
  if (given.plan_text.empty()) {
    if (name.find_first_of("./") == std::string::npos)
      return assay::failure(assay::ErrorKind::not_found, "--plan: " + assay::unknown_name("plan", name, known));
    auto text = assay::read_file(name);
    if (!text) return text.propagate();
    given.plan_text = std::move(text).value();
    folder = fs::path(name).parent_path();
  }
  const auto plan = assay::parse_plan(given.plan_text);  // which names its policy
  if (!plan) return assay::failure(plan.error().kind, "'" + name + "': " + plan.error().message);
  given.policy_text = assay::certification_policy;
  if (!plan.value().policy.empty()) {
    auto text = assay::read_file(folder / plan.value().policy);
    if (!text) return text.propagate();
    given.policy_text = std::move(text).value();
  }
  return parsed(std::move(given), name);
}

int print_checklist(const GivenPlan& given) {
  assay::Table table{"Checklist of the plan " + given.plan.title, {"row", "level", "answered by", "why"}, {}};
  for (const assay::Gate& gate : given.policy.gates) {
    std::string stages;
    for (const std::string& stage : assay::stages_that_answer(given.plan, gate.name))
      stages += (stages.empty() ? "" : ", ") + stage;
    if (gate.group == "stages") stages = "every stage";
    table.rows.push_back({gate.name, gate.hard ? "hard" : "soft",
                          stages.empty() ? "no stage: not seen, unless results are put into evidence/" : stages,
                          gate.why});
  }
  print_table(table);
  assay::Table how{"Stages", {"stage", "minutes at most", "runs", "in shards"}, {}};
  for (const assay::PlanStage& stage : given.plan.stages)
    how.rows.push_back({stage.name, assay::detail::printed_number(stage.minutes, 3),
                        stage.measures ? "alone: it measures" : "beside others",
                        stage.divided()    ? "a part in each"
                        : stage.everywhere ? "in each"
                                           : "in one"});
  std::printf("\n");
  print_table(how);
  return 0;
}

/// The folder is new, or has evidence of this very plan.
assay::Result<void> prepare(const fs::path& folder, const GivenPlan& given) {
  std::error_code code;
  fs::create_directories(folder / "evidence", code);
  if (code)
    return assay::failure(assay::ErrorKind::io, "--out '" + folder.string() + "' cannot be made: " + code.message());
  for (const auto& [file, text] :
       {std::pair<const char*, const std::string&>{"plan.json", given.plan_text}, {"policy.json", given.policy_text}}) {
    if (fs::exists(folder / file)) {
      const auto earlier = assay::read_file(folder / file);
      if (!earlier) return earlier.propagate();
      if (earlier.value() != text)
        return assay::failure(assay::ErrorKind::invalid, "--out '" + folder.string() + "' has evidence of another " +
                                                             (file == std::string("plan.json") ? "plan" : "policy") +
                                                             "; give another folder, or remove this one");
    } else if (const auto written = assay::write_file(folder / file, text); !written) {
      return written.propagate();
    }
  }
  fs::remove(folder / certificate_file, code);  // what was signed is not what will be there
  return {};
}

/// How stages ended, and what a person vouches for, as one more run.
assay::Result<void> write_own_outcomes(const CertifyOptions& options, const std::string& command,
                                       std::vector<assay::Outcome> outcomes) {
  assay::Run run;
  run.title = "Stages";
  run.command = command;
  run.environment = assay::detect_environment();
  for (const std::string& what : options.attested) {
    assay::Outcome outcome;
    outcome.id = "attested/" + what;
    outcome.verdict = assay::Verdict::pass;
    outcome.reason = "vouched for by " + options.by;
    outcome.labels["by"] = options.by;
    outcomes.push_back(std::move(outcome));
  }
  run.outcomes = std::move(outcomes);
  run.planned_cases = run.outcomes.size();
  return assay::write_json(run, fs::path(options.output_folder) / "evidence" / "stages.json");
}

GateOptions gate_options(const CertifyOptions& options, const fs::path& folder) {
  GateOptions gate;
  gate.results = {(folder / "evidence").string()};
  gate.previous = options.previous;
  return gate;
}

int verify(const CertifyOptions& options, const std::string& command) {
  const fs::path folder = options.verified;
  const auto certificate = read_certificate(folder);
  if (!certificate) return fault(certificate.error().message);
  const auto differences = certificate_differences(folder, certificate.value());
  if (!differences) return fault(differences.error().message);
  for (const std::string& difference : differences.value()) std::printf("%s\n", difference.c_str());
  if (!differences.value().empty()) {
    std::printf("void: what was signed is not what is here\n");
    return 1;
  }
  const auto plan = assay::read_plan(folder / "plan.json");
  if (!plan) return fault(plan.error().message);
  const auto policy = assay::read_policy(folder / "policy.json");  // its own, wherever the plan had it from
  if (!policy) return fault(policy.error().message);
  const auto counted = assay::policy_for(plan.value(), policy.value());
  if (!counted) return fault(counted.error().message);
  const auto day = assay::parse_calendar_date(certificate.value().time.substr(0, 10));
  if (!day) return fault("'" + (folder / certificate_file).string() + "': its time is no date");
  const int code = judge_by(counted.value(), gate_options(options, folder), day.value(), command);
  std::printf("%s: signed by %s on %s, %zu files unchanged\n", code == 0 ? "valid" : "void",
              assay::visible(certificate.value().by).c_str(), certificate.value().time.c_str(),
              certificate.value().files.size());
  return code;
}

/// Judges what lies in a folder, and signs it where it is approved and every stage of the plan ended.
int conclude(const CertifyOptions& options, const GivenPlan& given, std::vector<assay::Outcome> stages,
             const std::string& command) {
  const fs::path folder = options.output_folder;
  const auto open = std::find_if(stages.begin(), stages.end(),
                                 [](const assay::Outcome& stage) { return stage.verdict != assay::Verdict::pass; });
  const std::string unseen = open == stages.end() ? std::string() : open->id + ": " + open->reason;
  if (const auto written = write_own_outcomes(options, command, std::move(stages)); !written)
    return fault(written.error().message);
  GateOptions gate = gate_options(options, folder);
  gate.output_folder = (folder / "report").string();
  const int code = judge_by(given.policy, gate, assay::current_date(), command);
  if (code == 0 && !unseen.empty()) {  // whatever the rows of the plan are
    std::printf("no certificate: %s\n", unseen.c_str());
    return 2;
  }
  if (code != 0) {
    std::printf("no certificate: %s\n", code == 1 ? "the release is blocked" : "not every row is answered");
  } else if (options.by.empty()) {
    std::printf("no certificate: nobody signs; the same command with --by NAME makes one of what is there\n");
  } else {
    const auto issued = issue_certificate(folder, given.plan.title, options.by);
    if (!issued) return fault(issued.error().message);
    std::printf("certificate: %s\n", (folder / certificate_file).string().c_str());
  }
  return code;
}

/// How a part ended: 0: all its stages did; 1: one did not; 2: one was left out.
int conclude_part(const CertifyOptions& options, const assay::Shard& shard, std::vector<assay::Outcome> stages,
                  const std::string& command) {
  const auto has = [&](assay::Verdict verdict) {
    return std::any_of(stages.begin(), stages.end(),
                       [&](const assay::Outcome& stage) { return stage.verdict == verdict; });
  };
  const int code = has(assay::Verdict::error) ? 1 : has(assay::Verdict::skipped) ? 2 : 0;
  const std::size_t count = stages.size();
  if (const auto written = write_part_outcomes(options.output_folder, std::move(stages), command); !written)
    return fault(written.error().message);
  std::printf("shard %s: %zu stages, %s; the verdict is had from all shards: assay certify --join DIR… --out DIR\n",
              name_of(shard).c_str(), count,
              code == 0   ? "all ended"
              : code == 1 ? "not all ended"
                          : "not all had the time");
  return code;
}

int join(const CertifyOptions& options, const std::string& command) {
  if (!options.plan.empty() || !options.shard.empty())
    return fault("--join takes the plan that its parts have; leave out --plan and --shard");
  if (options.output_folder.empty()) return fault("--join asks for --out DIR, where the whole is kept");
  const auto parts = read_parts(options.joined);
  if (!parts) return fault(parts.error().message);
  const fs::path folder = options.output_folder;
  std::error_code code;
  for (const CertificationPart& part : parts.value())
    if (fs::equivalent(part.folder, folder, code))
      return fault("--out '" + folder.string() + "' is itself a part; give another folder");
  GivenPlan texts;
  texts.plan_text = parts.value().front().plan;
  texts.policy_text = parts.value().front().policy;
  const auto given = parsed(std::move(texts), (parts.value().front().folder / "plan.json").string());
  if (!given) return fault(given.error().message);
  if (const auto ready = prepare(folder, given.value()); !ready) return fault(ready.error().message);
  auto stages = join_evidence(given.value().plan, parts.value(), folder);
  if (!stages) return fault(stages.error().message);
  for (const assay::Outcome& stage : stages.value())
    std::printf("stage %-16s %-8s %s\n", stage.id.substr(stage.id.find('/') + 1).c_str(),
                std::string(name_of(stage.verdict)).c_str(), stage.reason.c_str());
  return conclude(options, given.value(), std::move(stages).value(), command);
}

/// The stages side by side, unless the user says it.
unsigned usual_jobs() {
  return std::max(1U, std::thread::hardware_concurrency() / 4);
}

}  // namespace

int certify(const CertifyOptions& options, const std::string& command) {
  if (options.print_policy) {
    std::fwrite(assay::certification_policy.data(), 1, assay::certification_policy.size(), stdout);
    return 0;
  }
  if (!options.verified.empty()) return verify(options, command);
  if (!options.attested.empty() && options.by.empty())
    return fault("--attest says that a person vouches for something; give --by NAME");
  if (!options.joined.empty()) return join(options, command);
  if (options.plan.empty()) return fault("certify asks for --plan NAME or FILE.json; smoke takes five minutes");
  StageOrders orders;
  orders.jobs = options.jobs == 0 ? usual_jobs() : options.jobs;
  if (!options.shard.empty()) {
    const auto shard =
        options.shard == "from-env" ? assay::shard_from_environment() : assay::parse_shard(options.shard);
    if (!shard) return fault(shard.error().message);
    orders.shard = shard.value();
  }
  const bool part = orders.shard.count > 1;
  if (part && (!options.by.empty() || !options.previous.empty()))
    return fault("--by, --attest and --previous are for the whole; give them with --join");
  const auto given = given_plan(options.plan);
  if (!given) return fault(given.error().message);
  if (options.print_plan) {
    std::fwrite(given.value().plan_text.data(), 1, given.value().plan_text.size(), stdout);
    return 0;
  }
  if (options.print_checklist) return print_checklist(given.value());
  if (options.output_folder.empty()) return fault("certify asks for --out DIR, where evidence is kept");
  const fs::path folder = options.output_folder;
  if (const auto ready = prepare(folder, given.value()); !ready) return fault(ready.error().message);
  if (const auto marked = mark_part(folder, orders.shard); !marked) return fault(marked.error().message);
  auto ended = run_plan_stages(given.value().plan, folder, orders);
  if (!ended) return fault(ended.error().message);
  if (part) return conclude_part(options, orders.shard, std::move(ended).value(), command);
  return conclude(options, given.value(), std::move(ended).value(), command);
}

}  // namespace assay_program
