#include <cstddef>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/version.hpp"
#include "assay/report/console.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/runner.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "interruption.hpp"
#include "isolation.hpp"
#include "output_folder.hpp"
#include "suites/library.hpp"

namespace assay_program {

namespace {

/// The host, and the libraries that the chosen cases are about.
assay::Environment environment_of(const std::set<std::string>& backends) {
  assay::Environment environment = assay::detect_environment();
  for (const Library& library : libraries())
    if (library.compiled_in && backends.count(library.name) > 0) environment.libraries.emplace_back(library.name, library.version());
  return environment;
}

assay::RunOptions run_options(const CommandLine& line, const Interruption& interruption) {
  assay::RunOptions options;
  options.seed = line.seed;
  options.repetitions = line.repetitions;
  options.jobs = line.jobs;
  options.retries = line.retries;
  options.title = std::string("Assay ") + assay::version;
  options.command = line.text;
  options.reproduce_with = "assay run" + std::string(line.configured.empty() ? "" : " --no-config") + judging_options(line) + isolating_options(line);
  options.stop = &interruption.requested();
  return options;
}

/// Runs the cases chosen from the catalogue: here, with the libraries that they are about, or in workers, none of them started here.
assay::Result<assay::Run> run_cases(const CommandLine& line, assay::Suite chosen, const assay::RunOptions& options, assay::Console& console) {
  const std::set<std::string> backends = backends_of(chosen);
  const auto run = [&](const assay::Suite& suite, const auto& run_chosen) {
    std::vector<std::size_t> positions;
    for (std::size_t position = 0; position < suite.size(); ++position) positions.push_back(position);
    return run_chosen(suite, positions, environment_of(backends));
  };
  if (line.isolate)
    return run(chosen, [&](const assay::Suite& suite, const auto& positions, assay::Environment environment) {
      return assay::run_isolated(suite, positions, options, isolation_options(line, backends), std::move(environment), console);
    });
  auto assembled = assemble_suite(line, backends);
  if (!assembled) return assembled.propagate();
  std::set<std::string> ids;
  for (const assay::Case& entry : chosen) ids.insert(entry.id);
  chosen.clear();
  for (assay::Case& entry : assembled.value().cases)
    if (ids.count(entry.id) > 0) chosen.push_back(std::move(entry));
  return run(chosen, [&](const assay::Suite& suite, const auto& positions, assay::Environment environment) {
    return assay::run_suite(suite, positions, options, std::move(environment), console);
  });
}

}  // namespace

int run(const CommandLine& line) {
  std::optional<OutputFolder> output;
  if (!line.output_folder.empty()) {
    auto opened = OutputFolder::open(line.output_folder, line.formats);
    if (!opened) return fault(opened.error().message);
    output.emplace(std::move(opened).value());
  }
  auto all = catalogue(line);
  if (!all) return fault(all.error().message);
  auto chosen = chosen_cases(std::move(all).value(), line.selection);
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
  const auto finished = run_cases(line, std::move(chosen).value(), run_options(line, interruption), console);
  if (!finished) return fault(finished.error().message);
  int exit_code = finished.value().exit_code(line.require_conclusive);
  if (output) {
    if (const auto written = output->write(finished.value(), line.require_conclusive); !written) {
      static_cast<void>(fault(written.error().message));
      exit_code = exit_code == 0 ? 2 : exit_code;
    } else if (talkative) {
      for (const auto& file : output->files())
        if (file.extension() != ".json") std::printf("report: %s\n", file.string().c_str());
    }
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    static_cast<void>(fault("the standard output could not be written"));
    exit_code = exit_code == 0 ? 2 : exit_code;
  }
  return exit_code;
}

}  // namespace assay_program
