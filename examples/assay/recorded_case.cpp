#include "recorded_case.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "assay/tolerance/tolerance_named.hpp"
#include "assay/validators/minimize/case_file.hpp"
#include "isolation.hpp"
#include "restart.hpp"
#include "suites/instruction_sets.hpp"
#include "unknown_among_many.hpp"

namespace assay_program {

namespace {

/// The case of that id in the catalog, else one of the same operation, backend and formats: its kernel runs the same
/// records.
assay::Result<std::string> case_like(const CommandLine& line, const std::string& id) {
  CommandLine naming = line;
  naming.explained = {id};  // which lets the catalog have kernels for an instruction set that the id names
  const auto all = catalog(naming);
  if (!all) return all.propagate();
  std::size_t slashes = 0;
  const auto third = std::find_if(id.begin(), id.end(), [&](char letter) { return letter == '/' && ++slashes == 3; });
  const std::string kind(id.begin(), third);
  std::vector<std::string> ids;
  for (const assay::Case& entry : all.value()) ids.push_back(entry.id);
  if (std::find(ids.begin(), ids.end(), id) != ids.end()) return id;
  const auto alike =
      std::find_if(ids.begin(), ids.end(), [&](const std::string& other) { return other.rfind(kind + "/", 0) == 0; });
  if (alike != ids.end()) return *alike;
  return assay::failure(assay::ErrorKind::not_found, unknown_among_many("case", id, ids, "assay list cases tells all"));
}

}  // namespace

assay::Result<AssembledSuite> recorded_kernel(const CommandLine& line, const std::string& id) {
  const std::size_t first = id.find('/'), second = id.find('/', first + 1);
  const std::string backend = second == std::string::npos ? std::string() : id.substr(first + 1, second - first - 1);
  const auto like = case_like(line, id);
  if (!like) return like.propagate();
  if (const std::string environment = environment_of_backend(backend); !environment.empty())
    if (auto restarted = restart_with(line, environment); !restarted) return restarted.propagate();
  auto assembled = assemble_suite(line, {backend});
  if (!assembled) return assembled;
  assay::Suite& cases = assembled.value().cases;
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const assay::Case& entry) { return entry.id == like.value(); });
  if (found == cases.end())
    return assay::failure(assay::ErrorKind::not_found, "there is no case " + id + " once its library runs");
  if (!found->kernel)
    return assay::failure(
        assay::ErrorKind::unsupported,
        "the kernel of " + id + " runs its own cases only: its operation does not name the fields of its problems");
  assay::Suite own;
  own.push_back(std::move(*found));
  cases = std::move(own);
  return assembled;
}

assay::Result<AssembledSuite> recorded_case(CommandLine line) {
  const auto read = assay::read_case(line.case_file);
  if (!read) return read.propagate();
  const auto tolerance = assay::tolerance_named(read.value().tolerance);
  if (!tolerance) return assay::failure(tolerance.error().kind, line.case_file + ": " + tolerance.error().message);
  line.tolerance = tolerance.value();
  auto assembled = recorded_kernel(line, read.value().id);
  if (!assembled) return assembled;
  assay::Case& entry = assembled.value().cases.front();
  entry.id = read.value().id + "/recorded";
  const std::string again =
      "assay run --no-config --case " + shell_quoted(line.case_file) + plugin_options(line) + envelope_options(line);
  entry.run = [kernel = entry.kernel, record = read.value(), again,
               backend = entry.labels.at("backend")](const assay::CaseContext&) {
    assay::Outcome outcome = kernel->run(record);
    outcome.labels["backend"] = backend;
    outcome.seed = record.seed;
    outcome.reproduce = again;
    if (outcome.verdict != record.verdict)
      outcome.diagnosis.push_back("recorded with the verdict " + std::string(name_of(record.verdict)) + ": " +
                                  record.reason);
    return outcome;
  };
  entry.explain = nullptr;
  return assembled;
}

}  // namespace assay_program
