#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/version.hpp"
#include "assay/frameworks/door/mode_agreement.hpp"
#include "assay/report/console.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/envelope/envelope_file.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"
#include "distribution.hpp"
#include "fault.hpp"
#include "interruption.hpp"
#include "isolation.hpp"
#include "open_ended_console.hpp"
#include "output_folder.hpp"
#include "printed_table.hpp"
#include "recorded_case.hpp"
#include "run_roofline.hpp"
#include "suites/instruction_sets.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

namespace {

assay::RunOptions run_options(const CommandLine& line, const Interruption& interruption) {
  assay::RunOptions options;
  options.seed = line.seed;
  options.repetitions = line.repetitions;
  options.jobs = line.jobs;
  options.retries = line.retries;
  options.title = std::string("Assay ") + assay::version;
  options.command = line.text;
  if (line.case_file.empty())
    options.reproduce_with = (line.hosted ? "assay_validate run" : "assay run") +
                             std::string(line.configured.empty() ? "" : " --no-config") + judging_options(line) +
                             isolating_options(line) + envelope_options(line);
  options.stop = &interruption.requested();
  return options;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return all.empty() ? "none" : all;
}

/// How cases are judged: runs that differ in it are not parts of one.
std::map<std::string, std::string> rules_of(const CommandLine& line) {
  return {{"tolerance", line.tolerance_text},
          {"check", line.relations ? "relations" : std::string(name_of(line.check))},
          {"promise", joined(line.promises)},
          {"repeat", std::to_string(line.repetitions)},
          {"require-determinism", line.require_determinism ? "true" : "false"}};
}

/// Passes on what happens to cases, as part of a larger run.
struct CasesOnly : OpenEndedConsole {
  void started(const assay::Run&) {}
};

/// Runs cases in workers: those of each environment variable, which chooses a library's instruction set, in workers of
/// their own.
assay::Run run_in_workers(const CommandLine& line, const assay::Suite& suite, const assay::RunOptions& options,
                          OpenEndedConsole& console) {
  const std::set<std::string> backends = backends_of(suite);
  std::map<std::string, std::pair<std::set<std::string>, std::vector<std::size_t>>> groups;
  std::vector<std::size_t> of_unusable_plugins;
  for (std::size_t position = 0; position < suite.size(); ++position) {
    if (tells_of_unusable_plugin(suite[position])) {
      of_unusable_plugins.push_back(position);
      continue;
    }
    const std::string& backend = suite[position].labels.at("backend");
    auto& [names, positions] = groups[environment_of_backend(backend)];
    names.insert(backend);
    positions.push_back(position);
  }
  const auto begin = std::chrono::steady_clock::now();
  assay::Run whole;
  whole.title = options.title;
  whole.command = options.command;
  whole.seed = options.seed;
  whole.environment = environment_of(backends);
  whole.planned_cases = suite.size();
  console.started(whole);
  CasesOnly observer{{console.console}};
  std::map<std::string, assay::Outcome> outcomes;
  const auto take = [&](assay::Run part) {
    for (assay::Outcome& outcome : part.outcomes) outcomes[outcome.id] = std::move(outcome);
    whole.cases_not_run.insert(whole.cases_not_run.end(), part.cases_not_run.begin(), part.cases_not_run.end());
  };
  for (const auto& [environment, group] : groups)
    take(assay::run_isolated(suite, group.second, options, isolation_options(line, group.first, environment), {},
                             observer));
  take(assay::run_suite(suite, of_unusable_plugins, options, {}, observer));
  for (const assay::Case& entry : suite)
    if (const auto found = outcomes.find(entry.id); found != outcomes.end())
      whole.outcomes.push_back(std::move(found->second));
  whole.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return whole;
}

/// Runs all cases of a suite in this process.
assay::Result<assay::Run> run_here(const assay::Suite& suite, const assay::RunOptions& options,
                                   OpenEndedConsole& console) {
  std::vector<std::size_t> positions;
  for (std::size_t position = 0; position < suite.size(); ++position) positions.push_back(position);
  return assay::run_suite(suite, positions, options, environment_of(backends_of(suite)), console);
}

/// Runs the cases chosen from the catalog: here, with the libraries that they are about, or in workers, none of them
/// started here. Kernels for a chosen instruction set run in workers always.
assay::Result<assay::Run> run_cases(const CommandLine& line, assay::Suite chosen, const assay::RunOptions& options,
                                    OpenEndedConsole& console) {
  const std::set<std::string> backends = backends_of(chosen);
  const bool told = std::any_of(backends.begin(), backends.end(),
                                [](const std::string& backend) { return !environment_of_backend(backend).empty(); });
  if (line.isolate || told) return run_in_workers(line, chosen, options, console);
  auto assembled = assemble_suite(line, backends);
  if (!assembled) return assembled.propagate();
  std::set<std::string> ids;
  for (const assay::Case& entry : chosen) ids.insert(entry.id);
  chosen.clear();
  for (assay::Case& entry : assembled.value().cases)
    if (ids.count(entry.id) > 0) chosen.push_back(std::move(entry));
  return run_here(chosen, options, console);
}

/// Adds to outcomes how they lie to an envelope. Returns what is to be printed of it: what lies outside.
std::vector<std::string> judge_by_envelope(const assay::Envelope& envelope, const CommandLine& line, assay::Run& run) {
  std::vector<std::string> lines;
  std::size_t known = 0, outside = 0;
  for (assay::Outcome& outcome : run.outcomes) {
    assay::apply_envelope(envelope, line.require_envelope, outcome);
    const auto found = outcome.measurement("outside_envelope");
    known += found ? 1 : 0;
    if (found.value_or(0) == 0) continue;
    ++outside;
    lines.push_back("outside " + outcome.id + ": " + outcome.diagnosis.back());
  }
  if (line.verbosity != assay::Verbosity::quiet || outside > 0)
    lines.push_back("envelope: " + std::to_string(known) + " of " + std::to_string(run.outcomes.size()) +
                    " cases known, " + std::to_string(outside) + " outside");
  return lines;
}

/// Of foreign runtimes: how their modes agree, and what was computed in less than a graph declares.
void tell_modes(const assay::Run& run) {
  const assay::Table agreement = assay::mode_agreement_table(assay::compare_modes(run.outcomes));
  if (!agreement.rows.empty()) {
    std::printf("\n%s\n", agreement.title.c_str());
    print_table(agreement);
  }
  std::map<std::string, std::map<std::string, std::size_t>> lowered;
  for (const assay::Outcome& outcome : run.outcomes)
    if (const std::string how = outcome.label(assay::lowered_label); !how.empty())
      ++lowered[outcome.label("backend")][how];
  for (const auto& [backend, ways] : lowered)
    for (const auto& [how, cases] : ways)
      std::printf("%s computed %s: %zu cases\n", backend.c_str(), assay::visible(how).c_str(), cases);
}

/// The part of a process that is dealt cases.
int work_for(Distribution& distribution, const CommandLine& line) {
  auto all = catalog(line);
  if (!all) return fault(all.error().message);
  const auto chosen = chosen_cases(std::move(all).value(), line.selection);
  if (!chosen) return fault(chosen.error().message);
  const Interruption interruption(true);
  return distribution.serve(line, chosen.value(), run_options(line, interruption));
}

}  // namespace

int run(const CommandLine& line) {
  std::optional<Distribution> distribution;
  if (!line.distributor.empty()) {
    auto opened = Distribution::open();
    if (!opened) return fault(opened.error().message);
    distribution.emplace(std::move(opened).value());
    if (!distribution->deals()) return work_for(*distribution, line);
  }
  std::optional<OutputFolder> output;
  if (!line.output_folder.empty()) {
    auto opened = OutputFolder::open(line.output_folder, line.formats);
    if (!opened) return fault(opened.error().message);
    output.emplace(std::move(opened).value());
  }
  std::optional<assay::Envelope> envelope;
  if (!line.envelope_file.empty()) {
    auto read = assay::read_envelope(line.envelope_file);
    if (!read) return fault(read.error().message);
    envelope.emplace(std::move(read).value());
  }
  std::optional<assay::Chip> chip;
  if (!line.run_roofline.chip.empty()) {
    auto found = chip_of(line.run_roofline);
    if (!found) return fault(found.error().message);
    chip.emplace(std::move(found).value());
  } else if (!line.run_roofline.files.empty()) {
    return fault("--chips adds to the chips that --roofline names; give --roofline CHIP, too");
  }
  std::optional<AssembledSuite> recorded;
  if (!line.case_file.empty()) {
    auto assembled = recorded_case(line);
    if (!assembled) return fault(assembled.error().message);
    recorded.emplace(std::move(assembled).value());
  }
  auto all = recorded ? assay::Result<assay::Suite>(recorded->cases) : catalog(line);
  if (!all) return fault(all.error().message);
  auto chosen = recorded ? std::move(all) : chosen_cases(std::move(all).value(), line.selection);
  if (!chosen) return fault(chosen.error().message);
  if (output)
    if (const auto room = output->has_room_for(chosen.value().size()); !room) return fault(room.error().message);

  const bool talkative = line.verbosity != assay::Verbosity::quiet;
  if (talkative && !line.configured.empty()) {
    std::printf("settings of %s:", line.configuration->file.c_str());
    for (const std::string& option : line.configured) std::printf(" %s", option.c_str());
    std::printf("\n");
  }
  const Interruption interruption(output.has_value());
  assay::ConsoleOptions console_options;
  console_options.verbosity = line.verbosity;
  console_options.color = line.color;
  assay::Console console(stdout, console_options);
  OpenEndedConsole observer{console};
  const assay::Suite asked = chip ? chosen.value() : assay::Suite();
  auto performed =
      distribution
          ? assay::Result<assay::Run>(distribution->run(chosen.value(), run_options(line, interruption), observer))
      : recorded ? run_here(chosen.value(), run_options(line, interruption), observer)
                 : run_cases(line, std::move(chosen).value(), run_options(line, interruption), observer);
  if (!performed) return fault(performed.error().message);
  assay::Run finished = std::move(performed).value();
  if (line.selection.shard.count > 1) finished.shard = name_of(line.selection.shard);
  if (!recorded) finished.rules = rules_of(line);
  finished.require_conclusive = line.require_conclusive;
  const std::vector<std::string> findings =
      envelope ? judge_by_envelope(*envelope, line, finished) : std::vector<std::string>();
  console.finished(finished);
  for (const std::string& finding : findings) std::printf("%s\n", finding.c_str());
  if (talkative) tell_modes(finished);
  int exit_code = finished.exit_code();
  if (chip) {
    const std::string page = output ? (std::filesystem::path(line.output_folder) / "roofline.html").string() : "";
    if (const auto told = tell_roofline(asked, *chip, page, finished); !told) {
      static_cast<void>(fault(told.error().message));
      exit_code = exit_code == 0 ? 2 : exit_code;
    }
  }
  if (output) {
    if (const auto written = output->write(finished); !written) {
      static_cast<void>(fault(written.error().message));
      exit_code = exit_code == 0 ? 2 : exit_code;
    } else if (talkative) {
      for (const auto& file : output->files())
        if (file.extension() != ".json") std::printf("report: %s\n", file.string().c_str());
    }
  }
  std::fflush(stdout);  // while a reader that went away is no signal; perform tells of it
  return exit_code;
}

}  // namespace assay_program
