#include "assembled_suite.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "own_matrices.hpp"
#include "suites/library.hpp"

namespace assay_program {

assay::Result<AssembledSuite> assemble_suite(const CommandLine& line) {
  SuiteOptions options;
  options.gemm.check.tolerance = line.tolerance;
  options.gemm.check.require_determinism = line.require_determinism;
  if (!line.matrix_a.empty()) {
    auto matrices = read_matrices(line.matrix_a, line.matrix_b);
    if (!matrices) return matrices.propagate();
    options.matrices = std::make_shared<const assay::GemmMatrices>(std::move(matrices).value());
  }
  AssembledSuite assembled;
  for (const Library& library : libraries()) {
    if (!library.compiled_in) continue;
    if (library.start != nullptr) assembled.runtimes.push_back(library.start());
    library.add_cases(assembled.cases, options);
  }
  return assembled;
}

assay::Result<std::vector<std::size_t>> select_cases(const assay::Suite& suite, const assay::Selection& selection) {
  auto selected = assay::select(suite, selection);
  if (selected) return selected;
  std::string message = selected.error().message;
  for (const Library& library : libraries()) {
    const auto& asked = selection.backends;
    if (!library.compiled_in && std::find(asked.begin(), asked.end(), library.name) != asked.end())
      message += "; this program was built without " + library.name + ": apt-get install " + library.package + ", configure and build again";
  }
  return assay::failure(selected.error().kind, message);
}

}  // namespace assay_program
