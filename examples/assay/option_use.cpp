#include "option_use.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

namespace {

/// What is not listed is used by every action of the command.
using Uses = std::map<std::string, std::string>;

const std::map<std::string, Uses>& all_uses() {
  static const std::string sizes = "sweep verify predict", calls = "sweep verify",
                           ranked = "sweep verify preflight links", records = "record compare", imports = "import",
                           scans = "scan", folders = "shard merge report", sensors = "list record",
                           on_provider = "onnx fusions opsets", owned = "own compare", spent = "tokens own compare",
                           goodput = "goodput", burn_in = "burn-in", node_check = "check export",
                           machine = "check memory stress power thermal bandwidth soak",
                           watched = "check stress power thermal soak";
  static const std::map<std::string, Uses> all{
      {"collectives",
       {{"--runtime", ranked},
        {"--ranks-per-node", ranked},
        {"--op", sizes},
        {"--type", calls},
        {"--redop", calls},
        {"--root", calls},
        {"--minbytes", sizes},
        {"--maxbytes", sizes},
        {"--stepfactor", sizes},
        {"--size", sizes},
        {"--iters", calls},
        {"--warmup_iters", "sweep"},
        {"--check", "sweep"},
        {"--blocking", "sweep"},
        {"--placement", calls},
        {"--timeout", "sweep verify preflight"},
        {"--budget", "preflight links"},
        {"--slowdown", "preflight links"},
        {"--seed", "sweep verify preflight"},
        {"--topology", "sweep predict"},
        {"--theory", "sweep"},
        {"--fit", "predict"},
        {"--json", ranked},
        {"--csv", "sweep predict"},
        {"--html", ranked},
        {"--report", ranked}}},
      {"history", {{"--into", imports},         {"--label", imports},
                   {"--direction", imports},    {"--time", imports},
                   {"--name-column", imports},  {"--benchmark", imports},
                   {"--value-column", imports}, {"--metric-column", imports},
                   {"--unit-column", imports},  {"--time-column", imports},
                   {"--label-column", imports}, {"--ignore-column", imports},
                   {"--separator", imports},    {"--decimal", imports},
                   {"--baseline", scans},       {"--newest", scans},
                   {"--allow", scans},          {"--order", "list show scan"},
                   {"--to", "export"},          {"--out", scans},
                   {"--format", scans},         {"--require-conclusive", scans},
                   {"--quiet", scans},          {"--verbose", scans},
                   {"--color", scans}}},
      {"baseline",
       {{"--by", "record approve"},
        {"--note", "approve"},
        {"--tolerance", "record"},
        {"--with", "diff"},
        {"--older-than", "prune"},
        {"--unused-in", "prune"},
        {"--candidates", "prune"},
        {"--dry-run", "prune"},
        {"--to", "export"},
        {"--op", records},
        {"--backend", records},
        {"--plugin", records},
        {"--opencl", records},
        {"--vulkan", records},
        {"--python", records},
        {"--webgpu", records},
        {"--dtype", records},
        {"--shape", records},
        {"--fill", records},
        {"--only", records},
        {"--exclude", records},
        {"--suite", records},
        {"--shard", records},
        {"--seed", records},
        {"--jobs", records},
        {"--out", records},
        {"--format", records},
        {"--quiet", records},
        {"--verbose", records},
        {"--color", records},
        {"--require-conclusive", records}}},
      {"matrix",
       {{"--shard", "expand pairwise shard"},
        {"--out", folders},
        {"--by", "shard"},
        {"--rows", "report"},
        {"--columns", "report"},
        {"--json", "expand pairwise"}}},
      {"faults", {{"--cases", "run coverage"}, {"--seed", "run coverage"}}},
      {"list", {{"--suite", "cases"}}},
      {"pipeline",
       {{"--reference", "run bisect"},
        {"--candidate", "run bisect"},
        {"--fed", "run"},
        {"--bounds", "run bisect"},
        {"--atol", "run bisect"},
        {"--rtol", "run bisect"},
        {"--probes", "bisect"},
        {"--records", "requests loading"},
        {"--promise", "requests loading"}}},
      {"telemetry",
       {{"--source", sensors},
        {"--device", "show replay"},
        {"--seconds", "record"},
        {"--interval", "record"},
        {"--out", "show"},
        {"--specification", "replay"},
        {"--ramp", "replay"},
        {"--root", sensors},
        {"--kernel-log", sensors},
        {"--library", sensors}}},
      {"frameworks",
       {{"--provider", on_provider},
        {"--option", on_provider},
        {"--provider-library", on_provider},
        {"--level", on_provider},
        {"--threads", on_provider},
        {"--cases", "onnx opsets"},
        {"--only", on_provider},
        {"--known-failures", "onnx"},
        {"--table", "onnx torch"},
        {"--critical", "onnx"},
        {"--report", "onnx fusions opsets calibration torch"},
        {"--timeout", "onnx fusions opsets torch"},
        {"--device", "torch"},
        {"--op", "torch"},
        {"--dtype", "torch"},
        {"--gradients", "torch"},
        {"--samples", "torch"},
        {"--deadline", "torch"},
        {"--model", "calibration"},
        {"--activations", "calibration"},
        {"--method", "calibration"},
        {"--symmetric", "calibration"},
        {"--symmetric-codes", "calibration"},
        {"--batches", "calibration"},
        {"--percentile", "calibration"},
        {"--bins", "calibration"},
        {"--levels", "calibration"}}},
      {"hardware",
       {{"--level", "check"},
        {"--seconds", "memory stress power thermal soak"},
        {"--bytes", "check memory soak"},
        {"--processors", machine},
        {"--test", "memory"},
        {"--coverage", "memory"},
        {"--dtype", "stress power thermal"},
        {"--telemetry", watched},
        {"--loaded", watched},
        {"--specification", watched},
        {"--ramp", watched},
        {"--steady", watched},
        {"--recording", watched},
        {"--telemetry-library", watched},
        {"--kernel-log", watched},
        {"--pulses", "stress"},
        {"--storage", "check bandwidth"},
        {"--trace", "pools"},
        {"--journal", "soak"},
        {"--peak", "check stress power thermal soak"},
        {"--memory-bandwidth", "check bandwidth"},
        {"--least-share", "check bandwidth"}}},
      {"chips", {{"--vendor", "list"}, {"--report", "check"}}},
      {"cost",
       {{"--rent", "tokens compare"},
        {"--html", "tokens own compare"},
        {"--tokens-per-second", "tokens own"},
        {"--utilization", spent},
        {"--active-parameters", "tokens"},
        {"--peak", "tokens"},
        {"--efficiency", "tokens"},
        {"--capex", owned},
        {"--life", owned},
        {"--kilowatts", spent},
        {"--pue", spent},
        {"--electricity", owned},
        {"--staff", owned},
        {"--reserved", "compare"},
        {"--spot", "compare"},
        {"--interruptions", "compare"},
        {"--checkpoint", "compare"},
        {"--restart", "compare"},
        {"--carbon", "own"},
        {"--embodied", "own"}}},
      {"node",
       {{"--manifest", node_check},
        {"--scheme", "check"},
        {"--results", node_check},
        {"--state", node_check},
        {"--time-limit", "check"},
        {"--json", "check"},
        {"--prometheus", "check"},
        {"--level", "check"},
        {"--loaded", "check"},
        {"--telemetry", node_check},
        {"--telemetry-library", node_check},
        {"--kernel-log", node_check},
        {"--watch", "check"},
        {"--listen", "export"},
        {"--every", "export"},
        {"--name", "check export manifest"}}},
      {"fleet",
       {{"--false-accusations", "view"},
        {"--minimum-effect", "view"},
        {"--good-rate", burn_in},
        {"--bad-rate", burn_in},
        {"--alpha", burn_in},
        {"--beta", burn_in}}},
      {"cluster",
       {{"--mtbf", goodput},
        {"--checkpoint", goodput},
        {"--storage", goodput},
        {"--restart", goodput},
        {"--interval", goodput},
        {"--stragglers", goodput},
        {"--bytes", "collectives"}}}};
  return all;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

}  // namespace

std::string users_of(const std::string& command, const CLI::Option& option) {
  const auto uses = all_uses().find(command);
  if (uses == all_uses().end() || option.get_lnames().empty()) return {};
  const auto found = uses->second.find("--" + option.get_lnames().front());
  return found == uses->second.end() ? std::string() : found->second;
}

std::string action_of(const CLI::App& command) {
  if (const CLI::Option* flag = command.get_option_no_throw("--preflight"); flag != nullptr && flag->count() > 0)
    return "preflight";
  for (const char* name : {"action", "what"})
    if (const CLI::Option* option = command.get_option_no_throw(name); option != nullptr && option->count() > 0)
      return option->results().front();
  return {};
}

bool uses(const std::string& command, const std::string& action, const CLI::Option& option) {
  const std::vector<std::string> users = words_of(users_of(command, option));
  return users.empty() || std::find(users.begin(), users.end(), action) != users.end();
}

assay::Result<void> check_option_use(const CLI::App& command) {
  const std::string action = action_of(command), name = command.get_name();
  const CLI::Option* asked = command.get_option_no_throw("action");
  if (asked == nullptr) asked = command.get_option_no_throw("what");
  if (asked == nullptr || (action.empty() && asked->count() == 0)) return {};
  const std::vector<std::string> actions = [&] {
    std::string type = asked->get_type_name();
    std::replace(type.begin(), type.end(), '|', ' ');
    return words_of(type);
  }();
  if (std::find(actions.begin(), actions.end(), action) == actions.end()) {
    // Of lists, `list` tells; the program itself starts `telemetry serve` and `frameworks serve`.
    if (command.get_option_no_throw("action") == nullptr ||
        ((name == "telemetry" || name == "frameworks") && action.rfind("serve", 0) == 0))
      return {};
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("action", action, actions));
  }
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || uses(name, action, *option)) continue;
    std::vector<std::string> taken;
    for (const CLI::Option* other : command.get_options())
      if (!other->get_lnames().empty() && uses(name, action, *other))
        taken.push_back("--" + other->get_lnames().front());
    const std::string given = "--" + option->get_lnames().front();
    const std::vector<std::string> nearest = assay::nearest_names(given, taken);
    return assay::failure(assay::ErrorKind::invalid,
                          given + " is for " + listed(words_of(users_of(name, *option))) + ", and assay " + name + " " +
                              action + " does not use it" +
                              (nearest.empty() ? "" : "; nearest that it does use: " + listed(nearest)));
  }
  return {};
}

}  // namespace assay_program
