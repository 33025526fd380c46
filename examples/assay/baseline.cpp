#include "commands.hpp"
#include "fault.hpp"

#ifndef ASSAY_HAS_OPENSSL

namespace assay_program {

int baseline(const CommandLine&) {
  return fault(
      "this program was built without OpenSSL, which baselines need; on Debian and Ubuntu: apt-get install libssl-dev");
}

}  // namespace assay_program

#else

#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/version.hpp"
#include "assay/report/console.hpp"
#include "assay/suite/runner.hpp"
#include "assembled_suite.hpp"
#include "baseline_options.hpp"
#include "baseline_store.hpp"
#include "interruption.hpp"
#include "output_folder.hpp"
#include "restart.hpp"
#include "suites/instruction_sets.hpp"

namespace assay_program {

namespace {

using AnyBaseline = assay::Baseline<assay::AnyStore>;

/// Takes the outputs of cases, and makes of each, when its case has ended, an outcome of the baselines.
class Recorder {
 public:
  Recorder(const CommandLine& line, AnyBaseline& baseline, assay::Console& console)
      : line_(line), baseline_(baseline), console_(console), recording_(line.baseline.action == "record") {}

  void take(const std::string& id, const assay::ObservedOutput& output) {
    const std::lock_guard<std::mutex> lock(mutex_);
    outputs_[id].push_back(output);
  }

  void started(const assay::Run& run) {
    run_ = run;
    run_.outcomes.clear();
    console_.started(run_);
  }
  void case_started(const std::string& id) { console_.case_started(id); }
  void case_finished(const assay::Outcome& found) {
    std::vector<assay::ObservedOutput> outputs;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      outputs = std::move(outputs_[found.id]);
      outputs_.erase(found.id);
    }
    if (outputs.empty()) return add(without_output(found), found);
    for (const assay::ObservedOutput& output : outputs) {
      const assay::BaselineSubject subject{found.id, output.name, {{"seed", std::to_string(line_.seed)}}};
      if (!recording_)
        add(baseline_.compare(subject, output), found);
      else if (found.verdict != assay::Verdict::pass)
        add(not_recorded(subject, found), found);
      else
        add(baseline_.record(subject, output, run_.environment, metrics_of(found)), found);
    }
  }
  void finished(const assay::Run& run) {
    run_.duration_seconds = run.duration_seconds;
    // A case may have several outputs; of what did not run there are none.
    run_.planned_cases = run_.outcomes.size() + (run.planned_cases - run.outcomes.size());
    run_.require_conclusive = line_.require_conclusive;
    console_.finished(run_);
  }

  [[nodiscard]] const assay::Run& run() const { return run_; }

 private:
  static std::vector<assay::Measurement> metrics_of(const assay::Outcome& found) {
    std::vector<assay::Measurement> metrics;
    for (const assay::Measurement& entry : found.measurements)
      if (entry.name == assay::measurement::kernel_seconds || entry.name == assay::measurement::worst_error_ratio)
        metrics.push_back(entry);
    return metrics;
  }
  static assay::Outcome without_output(const assay::Outcome& found) {
    assay::Outcome outcome;
    outcome.id = "baseline/" + found.id;
    const bool told = found.verdict == assay::Verdict::error || found.verdict == assay::Verdict::unsupported ||
                      found.verdict == assay::Verdict::skipped;
    outcome.verdict = told ? found.verdict : assay::Verdict::inconclusive;
    outcome.reason = told ? found.reason : "the case shows no output on the host that could be compared";
    return outcome;
  }
  static assay::Outcome not_recorded(const assay::BaselineSubject& subject, const assay::Outcome& found) {
    assay::Outcome outcome;
    outcome.id = "baseline/" + subject.test + "/" + subject.output;
    outcome.verdict = found.verdict;
    outcome.reason = "not recorded, since its case did not pass: " + found.reason;
    return outcome;
  }
  void add(assay::Outcome outcome, const assay::Outcome& found) {
    outcome.labels.insert(found.labels.begin(), found.labels.end());
    outcome.seed = found.seed;
    outcome.duration_seconds = found.duration_seconds;
    outcome.derivation.push_back("the case itself: " + std::string(assay::name_of(found.verdict)) +
                                 (found.reason.empty() ? "" : ", " + found.reason));
    outcome.reproduce = "assay baseline compare --store " + shell_quoted(line_.baseline.store) + " --only " +
                        shell_quoted(found.id) + " --seed " + std::to_string(line_.seed);
    console_.case_finished(outcome);
    run_.outcomes.push_back(std::move(outcome));
  }

  const CommandLine& line_;
  AnyBaseline& baseline_;
  assay::Console& console_;
  const bool recording_;
  std::mutex mutex_;
  std::map<std::string, std::vector<assay::ObservedOutput>> outputs_;
  assay::Run run_;
};

/// The cases chosen, ready to run in this process. A library for another instruction set takes a process that was
/// started for it.
assay::Result<AssembledSuite> chosen_suite(const CommandLine& line) {
  auto all = catalog(line);
  if (!all) return all.propagate();
  const auto chosen = chosen_cases(std::move(all).value(), line.selection);
  if (!chosen) return chosen.propagate();
  const std::set<std::string> backends = backends_of(chosen.value());
  std::set<std::string> environments;
  for (const std::string& backend : backends) environments.insert(environment_of_backend(backend));
  if (environments.size() > 1)
    return assay::failure(assay::ErrorKind::invalid,
                          "the cases chosen need libraries told to use several instruction sets, one process each; "
                          "choose one by --backend");
  if (!environments.empty() && !environments.begin()->empty())
    if (const auto restarted = restart_with(line, *environments.begin()); !restarted) return restarted.propagate();
  auto assembled = assemble_suite(line, backends);
  if (!assembled) return assembled.propagate();
  std::set<std::string> ids;
  for (const assay::Case& entry : chosen.value()) ids.insert(entry.id);
  assay::Suite cases;
  for (assay::Case& entry : assembled.value().cases)
    if (ids.count(entry.id) > 0) cases.push_back(std::move(entry));
  assembled.value().cases = std::move(cases);
  return assembled;
}

int run_cases(const CommandLine& line) {
  std::optional<OutputFolder> output;
  if (!line.output_folder.empty()) {
    auto opened = OutputFolder::open(line.output_folder, line.formats);
    if (!opened) return fault(opened.error().message);
    output.emplace(std::move(opened).value());
  }
  const bool recording = line.baseline.action == "record";
  const auto suite = chosen_suite(line);
  if (!suite) return fault(suite.error().message);
  auto store =
      open_baseline_store(line.baseline.store, recording ? assay::StoreAccess::create : assay::StoreAccess::existing);
  if (!store) return fault(store.error().message);
  assay::BaselineOptions kept;
  kept.recorded_by = line.baseline.by;
  kept.tolerance = line.baseline.tolerance;
  AnyBaseline baseline(std::move(store).value(), kept);

  const Interruption interruption(output.has_value());
  assay::ConsoleOptions console_options;
  console_options.verbosity = line.verbosity;
  console_options.color = line.color;
  assay::Console console(stdout, console_options);
  Recorder recorder(line, baseline, console);
  assay::RunOptions options;
  options.seed = line.seed;
  options.jobs = line.jobs;
  options.title = std::string("Assay ") + assay::version + ", baselines";
  options.command = line.text;
  options.stop = &interruption.requested();
  options.outputs = [&](const assay::Case& entry, const assay::ObservedOutput& shown) {
    recorder.take(entry.id, shown);
  };
  std::vector<std::size_t> positions;
  for (std::size_t position = 0; position < suite.value().cases.size(); ++position) positions.push_back(position);
  static_cast<void>(assay::run_suite(suite.value().cases, positions, options,
                                     environment_of(backends_of(suite.value().cases)), recorder));

  const assay::Run& run = recorder.run();
  int exit_code = run.exit_code();
  if (exit_code == 0 && !recording && run.count(assay::Verdict::new_baseline) > 0) exit_code = 2;
  if (output)
    if (const auto written = output->write(run); !written) {
      static_cast<void>(fault(written.error().message));
      exit_code = exit_code == 0 ? 2 : exit_code;
    }
  return exit_code;
}

}  // namespace

int baseline(const CommandLine& line) {
  const std::string& action = line.baseline.action;
  return action == "record" || action == "compare" ? run_cases(line) : manage_baselines(line.baseline);
}

}  // namespace assay_program

#endif
