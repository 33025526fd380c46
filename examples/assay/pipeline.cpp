#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/pipeline/bisect.hpp"
#include "assay/pipeline/divergence.hpp"
#include "assay/pipeline/recorded_requests.hpp"
#include "assay/pipeline/recorded_stages.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "output_folder.hpp"

namespace assay_program {

namespace {

/// A number of 0 or more.
assay::Result<double> bound_number(const char* option, const std::string& text) {
  const auto value = assay::detail::read_number(text);
  if (value && *value >= 0) return *value;
  return assay::failure(assay::ErrorKind::invalid,
                        std::string(option) + " is '" + text + "'; give a number of 0 or more");
}

assay::Result<std::vector<assay::StageBound>> bounds_of(const PipelineOptions& options,
                                                        const std::vector<std::string>& stages) {
  assay::StageBound otherwise;
  const auto absolute = bound_number("--atol", options.absolute), relative = bound_number("--rtol", options.relative);
  if (!absolute) return absolute.propagate();
  if (!relative) return relative.propagate();
  otherwise.absolute = absolute.value();
  otherwise.relative = relative.value();
  if (options.bounds.empty()) return std::vector<assay::StageBound>(stages.size(), otherwise);
  const auto text = assay::read_file(options.bounds, "a JSON object of bounds by stage");
  if (!text) return text.propagate();
  return assay::parse_stage_bounds(text.value(), options.bounds, stages, otherwise);
}

std::string name_of_pipeline(const PipelineOptions& options) {
  if (!options.name.empty()) return options.name;
  if (!options.records.empty()) return std::filesystem::path(options.records).stem().string();
  const std::filesystem::path folder(options.candidate);
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

int report_outcomes(assay::Run run, const CommandLine& line) {
  run.command = line.text;
  run.environment = assay::detect_environment();
  run.planned_cases = run.outcomes.size();
  run.require_conclusive = line.require_conclusive;
  for (assay::Outcome& outcome : run.outcomes) {
    outcome.reproduce = line.text;
    const bool good = outcome.verdict == assay::Verdict::pass && outcome.reason.empty();
    if (line.verbosity == assay::Verbosity::quiet && outcome.verdict == assay::Verdict::pass) continue;
    std::printf("%s: %s\n", std::string(assay::name_of(outcome.verdict)).c_str(), assay::visible(outcome.id).c_str());
    if (!good) std::printf("    %s\n", assay::visible(outcome.reason).c_str());
    for (const assay::Table& table : outcome.tables)
      for (const std::string& row : assay::text_lines(table)) std::printf("%s\n", row.c_str());
  }
  if (!line.output_folder.empty()) {
    const auto output = OutputFolder::open(line.output_folder, line.formats);
    if (!output) return fault(output.error().message);
    if (const auto written = output.value().write(run); !written) return fault(written.error().message);
    for (const auto& file : output.value().files()) std::printf("report: %s\n", file.string().c_str());
  }
  return run.exit_code();
}

/// Stages that the candidate recorded and the reference does not know.
std::vector<std::string> unknown_stages(const std::vector<std::string>& reference,
                                        const std::vector<std::string>& candidate) {
  std::vector<std::string> unknown;
  for (const std::string& stage : candidate)
    if (std::find(reference.begin(), reference.end(), stage) == reference.end()) unknown.push_back(stage);
  return unknown;
}

int run_stages(const CommandLine& line, const std::vector<std::string>& stages,
               const std::vector<assay::StageBound>& bounds) {
  const PipelineOptions& options = line.pipeline;
  const auto reference = assay::read_recorded_stages(options.reference, stages);
  std::vector<assay::StageOutput> fed;
  if (!options.fed.empty()) {
    const auto names = assay::recorded_stage_names(options.fed);
    if (!names) return fault(names.error().message);
    fed = assay::read_recorded_stages(options.fed, stages);
  }
  assay::Run run;
  run.title = "Stages of " + name_of_pipeline(options);
  run.outcomes = assay::divergence_outcomes(
      name_of_pipeline(options),
      assay::find_divergence(reference, assay::read_recorded_stages(options.candidate, stages), fed, bounds));
  return report_outcomes(std::move(run), line);
}

int bisect_stages(const CommandLine& line, const std::vector<std::string>& stages,
                  const std::vector<assay::StageBound>& bounds) {
  const PipelineOptions& options = line.pipeline;
  const auto compared = [&](std::size_t node) -> assay::Result<assay::StageComparison> {
    const auto theirs = assay::read_recorded_stage(options.reference, stages[node]);
    if (!theirs) return theirs.propagate();
    const auto ours = assay::read_recorded_stage(options.candidate, stages[node]);
    if (!ours) return ours.propagate();
    return assay::compare_stage(ours.value(), theirs.value(), bounds[node]);
  };
  const auto bisection = assay::bisect_chain(
      stages.size(),
      [&](std::size_t node) -> assay::Result<bool> {
        const auto comparison = compared(node);
        if (!comparison) return comparison.propagate();
        return !comparison.value().within;
      },
      options.probes);
  if (!bisection) return fault(bisection.error().message);
  const assay::Bisection& found = bisection.value();
  assay::Outcome outcome;
  outcome.id = "pipeline/" + name_of_pipeline(options) + "/first_divergence";
  outcome.labels = {{"pipeline", name_of_pipeline(options)}};
  outcome.measure("stages", static_cast<double>(stages.size()), "stages");
  outcome.measure("compared", static_cast<double>(found.runs), "stages");
  outcome.verdict = found.first ? assay::Verdict::fail : assay::Verdict::pass;
  if (found.first) {
    outcome.labels["stage"] = stages[*found.first];
    outcome.reason = "the first stage beyond its bound is " + stages[*found.first] + " (" +
                     std::to_string(*found.first + 1) + " of " + std::to_string(stages.size()) +
                     "): " + compared(*found.first).value().detail;
  } else {
    outcome.reason = "the last stage is within its bound, and " + std::to_string(found.runs) + " of " +
                     std::to_string(stages.size()) + " stages were looked at";
  }
  outcome.derivation.push_back(found.monotone ? "right stages, then wrong ones, as far as was looked: found by halving"
                                              : "the error comes and goes, so every stage before was looked at");
  std::printf("%zu of %zu stages compared; %s\n", found.runs, stages.size(), outcome.derivation.front().c_str());
  assay::Run run;
  run.title = "First divergence of " + name_of_pipeline(options);
  run.outcomes = {std::move(outcome)};
  return report_outcomes(std::move(run), line);
}

/// Requests or epochs that were recorded, held to what is promised.
int check_records(const CommandLine& line) {
  const PipelineOptions& options = line.pipeline;
  const auto records = assay::read_file(
      options.records, "JSON lines of " + std::string(options.action == "requests" ? "requests" : "epochs"));
  if (!records) return fault(records.error().message);
  const auto text = assay::read_file(options.promise, "a JSON object of what is promised");
  if (!text) return fault(text.error().message);
  assay::Run run;
  const std::string name = name_of_pipeline(options);
  if (options.action == "requests") {
    const auto requests = assay::parse_split_requests(records.value(), options.records);
    if (!requests) return fault(requests.error().message);
    const auto promise = assay::parse_split_promise(text.value(), options.promise);
    if (!promise) return fault(promise.error().message);
    run.title = "Requests of " + name;
    run.outcomes = assay::check_split_pipeline(name, promise.value(), requests.value());
  } else {
    const auto epochs = assay::parse_loaded_epochs(records.value(), options.records);
    if (!epochs) return fault(epochs.error().message);
    const auto promise = assay::parse_loader_promise(text.value(), options.promise);
    if (!promise) return fault(promise.error().message);
    run.title = "Loading of " + name;
    run.outcomes = assay::check_loading(name, promise.value(), epochs.value());
  }
  return report_outcomes(std::move(run), line);
}

}  // namespace

int pipeline(const CommandLine& line) {
  const PipelineOptions& options = line.pipeline;
  if (options.action == "requests" || options.action == "loading") return check_records(line);
  const auto stages = assay::recorded_stage_names(options.reference);
  if (!stages) return fault(stages.error().message);
  const auto candidate = assay::recorded_stage_names(options.candidate);
  if (!candidate) return fault(candidate.error().message);
  for (const std::string& stage : unknown_stages(stages.value(), candidate.value()))
    std::fprintf(stderr, "assay: warning: '%s' has recorded '%s', which the reference has not: it is not compared\n",
                 assay::visible(options.candidate).c_str(), assay::visible(stage).c_str());
  const auto bounds = bounds_of(options, stages.value());
  if (!bounds) return fault(bounds.error().message);
  return options.action == "run" ? run_stages(line, stages.value(), bounds.value())
                                 : bisect_stages(line, stages.value(), bounds.value());
}

}  // namespace assay_program
