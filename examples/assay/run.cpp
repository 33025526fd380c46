#include <cstdio>
#include <optional>
#include <set>
#include <string>

#include "assay/core/detect_environment.hpp"
#include "assay/core/version.hpp"
#include "assay/report/console.hpp"
#include "assay/suite/runner.hpp"
#include "assembled_suite.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "output_folder.hpp"
#include "suites/library.hpp"

namespace assay_program {

namespace {

int fault(const std::string& message) {
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  return 2;
}

/// The host, and the libraries that the chosen cases are about.
assay::Environment environment_of(const assay::Suite& suite, const std::vector<std::size_t>& chosen) {
  std::set<std::string> backends;
  for (const std::size_t index : chosen) backends.insert(suite[index].labels.at("backend"));
  assay::Environment environment = assay::detect_environment();
  for (const Library& library : libraries())
    if (library.compiled_in && backends.count(library.name) > 0) environment.libraries.emplace_back(library.name, library.version());
  return environment;
}

}  // namespace

int run(const CommandLine& line) {
  std::optional<OutputFolder> output;
  if (!line.output_folder.empty()) {
    const auto opened = OutputFolder::open(line.output_folder);
    if (!opened) return fault(opened.error().message);
    output = opened.value();
  }
  const auto assembled = assemble_suite(line);
  if (!assembled) return fault(assembled.error().message);
  const assay::Suite& suite = assembled.value().cases;
  const auto chosen = select_cases(suite, line.selection);
  if (!chosen) return fault(chosen.error().message);

  const Interruption interruption;
  assay::RunOptions options;
  options.seed = line.seed;
  options.repetitions = line.repetitions;
  options.jobs = line.jobs;
  options.title = std::string("Assay ") + assay::version;
  options.command = line.text;
  options.reproduce_with = "assay run";
  if (!line.matrix_a.empty()) options.reproduce_with += " --a " + shell_quoted(line.matrix_a) + " --b " + shell_quoted(line.matrix_b);
  if (line.tolerance_text != "derived") options.reproduce_with += " --tolerance " + line.tolerance_text;
  if (line.require_determinism) options.reproduce_with += " --require-determinism";
  options.stop = &interruption.requested();

  assay::ConsoleOptions console_options;
  console_options.verbosity = line.verbosity;
  assay::Console console(stdout, console_options);
  const assay::Run run = run_suite(suite, chosen.value(), options, environment_of(suite, chosen.value()), console);
  if (output) {
    if (const auto written = output->write(run); !written) return fault(written.error().message);
    if (line.verbosity != assay::Verbosity::quiet) std::printf("report: %s\n", output->html().string().c_str());
  }
  return run.exit_code(line.require_conclusive);
}

}  // namespace assay_program
