#include "certify.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/release/certification_plan.hpp"
#include "assay/release/certification_policy.hpp"
#include "assay/release/check_policy.hpp"
#include "assay/release/policy_file.hpp"
#include "assay/release/ready_plans.hpp"
#include "assay/report/json.hpp"
#include "certificate.hpp"
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
  auto plan = assay::parse_plan(given.plan_text);
  if (!plan) return assay::failure(plan.error().kind, "'" + name + "': " + plan.error().message);
  given.plan = std::move(plan).value();
  given.policy_text = assay::certification_policy;
  if (!given.plan.policy.empty()) {
    auto text = assay::read_file(folder / given.plan.policy);
    if (!text) return text.propagate();
    given.policy_text = std::move(text).value();
  }
  auto policy = assay::parse_policy(given.policy_text);
  if (!policy) return assay::failure(policy.error().kind, "the plan's policy: " + policy.error().message);
  auto counted = assay::policy_for(given.plan, std::move(policy).value());
  if (!counted) return assay::failure(counted.error().kind, "'" + name + "': " + counted.error().message);
  given.policy = std::move(counted).value();
  if (const auto checked = assay::check(given.policy); !checked) return checked.propagate();
  return given;
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

}  // namespace

int certify(const CertifyOptions& options, const std::string& command) {
  if (options.print_policy) {
    std::fwrite(assay::certification_policy.data(), 1, assay::certification_policy.size(), stdout);
    return 0;
  }
  if (!options.verified.empty()) return verify(options, command);
  if (options.plan.empty()) return fault("certify asks for --plan NAME or FILE.json; smoke takes five minutes");
  if (!options.attested.empty() && options.by.empty())
    return fault("--attest says that a person vouches for something; give --by NAME");
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
  auto ended = run_plan_stages(given.value().plan, folder);
  if (!ended) return fault(ended.error().message);
  if (const auto written = write_own_outcomes(options, command, std::move(ended).value()); !written)
    return fault(written.error().message);
  GateOptions gate = gate_options(options, folder);
  gate.output_folder = (folder / "report").string();
  const int code = judge_by(given.value().policy, gate, assay::current_date(), command);
  if (code != 0) {
    std::printf("no certificate: %s\n", code == 1 ? "the release is blocked" : "not every row is answered");
  } else if (options.by.empty()) {
    std::printf("no certificate: nobody signs; the same command with --by NAME makes one of what is there\n");
  } else {
    const auto issued = issue_certificate(folder, given.value().plan.title, options.by);
    if (!issued) return fault(issued.error().message);
    std::printf("certificate: %s\n", (folder / certificate_file).string().c_str());
  }
  return code;
}

}  // namespace assay_program
