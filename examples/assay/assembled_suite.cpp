#include "assembled_suite.hpp"

#include <algorithm>
#include <utility>

#include "own_matrices.hpp"
#include "suites/library.hpp"

namespace assay_program {

namespace {

assay::Result<SuiteOptions> suite_options(const CommandLine& line) {
  SuiteOptions options;
  options.gemm.check.tolerance = line.tolerance;
  options.gemm.check.method = line.check;
  options.gemm.check.require_determinism = line.require_determinism;
  if (line.matrix_a.empty()) return options;
  auto matrices = read_matrices(line.matrix_a, line.matrix_b);
  if (!matrices) return matrices.propagate();
  options.matrices = std::make_shared<const assay::GemmMatrices>(std::move(matrices).value());
  return options;
}

}  // namespace

assay::Result<assay::Suite> catalogue(const CommandLine& line) {
  auto options = suite_options(line);
  if (!options) return options.propagate();
  options.value().catalogue = true;
  assay::Suite cases;
  for (const Library& library : libraries())
    if (library.compiled_in) library.add_cases(cases, options.value());
  return cases;
}

assay::Result<AssembledSuite> assemble_suite(const CommandLine& line, const std::set<std::string>& backends) {
  const auto options = suite_options(line);
  if (!options) return options.propagate();
  AssembledSuite assembled;
  for (const Library& library : libraries()) {
    if (!library.compiled_in || backends.count(library.name) == 0) continue;
    if (library.start != nullptr) assembled.runtimes.push_back(library.start());
    library.add_cases(assembled.cases, options.value());
  }
  return assembled;
}

assay::Result<assay::Suite> chosen_cases(assay::Suite catalogue, const assay::Selection& selection) {
  const auto selected = assay::select(catalogue, selection);
  if (selected) {
    assay::Suite chosen;
    for (const std::size_t position : selected.value()) chosen.push_back(std::move(catalogue[position]));
    return chosen;
  }
  std::string message = selected.error().message;
  for (const Library& library : libraries()) {
    const auto& asked = selection.backends;
    if (!library.compiled_in && std::find(asked.begin(), asked.end(), library.name) != asked.end())
      message += "; this program was built without " + library.name + ": apt-get install " + library.package + ", configure and build again";
  }
  return assay::failure(selected.error().kind, message);
}

std::set<std::string> backends_of(const assay::Suite& cases) {
  std::set<std::string> backends;
  for (const assay::Case& entry : cases) backends.insert(entry.labels.at("backend"));
  return backends;
}

}  // namespace assay_program
