#include "assembled_suite.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/detect_environment.hpp"
#include "assay/diagnosis/budget.hpp"
#include "assay/diagnosis/promises.hpp"
#include "assay/suite/glob.hpp"
#include "own_matrices.hpp"
#include "own_problems.hpp"
#include "promises.hpp"
#include "suites/instruction_sets.hpp"
#include "suites/library.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

namespace {

assay::Result<SuiteOptions> suite_options(const CommandLine& line) {
  SuiteOptions options;
  options.gemm.check.tolerance = line.tolerance;
  options.gemm.check.method = line.check;
  options.gemm.check.require_determinism = line.require_determinism;
  if (line.command == Command::run || line.command == Command::worker)
    options.gemm.check.diagnosis = {line.no_diagnosis ? &assay::judge_promises_alone : &assay::diagnose_unless_promised,
                                    1, !line.no_diagnosis};
  if (line.command == Command::minimize && !line.no_diagnosis)  // the smallest case is to be of the same fault
    options.gemm.check.diagnosis = {&assay::diagnose_unless_promised, 0.25, true};
  options.relations = line.relations;
  options.covered = line.selection.operations;
  if (options.covered.empty()) options.covered.emplace_back("*");
  options.large = line.selection.include_large;
  if (line.matrix_a.empty()) return options;
  auto matrices = read_matrices(line.matrix_a, line.matrix_b);
  if (!matrices) return matrices.propagate();
  options.matrices = std::make_shared<const assay::GemmMatrices>(std::move(matrices).value());
  return options;
}

/// Nothing wrong unless operations are asked for that the check, or the user's own matrices, are not for: those are for
/// GEMM alone.
assay::Result<void> check_operations(const CommandLine& line) {
  const bool quick = line.check != assay::GemmCheckMethod::full;
  if (!quick && line.matrix_a.empty()) return {};
  const std::string option = quick ? "--check " + std::string(name_of(line.check)) : "--a and --b";
  for (const std::string& asked : line.selection.operations)
    if (!assay::glob_matches(asked, "gemm"))
      return assay::failure(assay::ErrorKind::unsupported, "--op asks for '" + asked + "', and only gemm has " +
                                                               option + "; leave out " + option +
                                                               ", or give --op gemm");
  return {};
}

/// What the library of that name has, of GEMM and of the other operations; these have the full check only, and data of
/// their own.
void add_cases(assay::Suite& cases, const Library& library, const SuiteOptions& options) {
  library.add_cases(cases, options);
  if (options.relations) return add_operation_relations(cases, library.name);
  if (options.matrices || options.gemm.check.method != assay::GemmCheckMethod::full) return;
  assay::OperationSuiteOptions own;
  own.check.tolerance = options.gemm.check.tolerance;
  own.check.require_determinism = options.gemm.check.require_determinism;
  own.check.diagnosis = options.gemm.check.diagnosis;
  // Of the libraries known here covering problems showed nothing that others do not: they are of the large suite.
  if (library.plugin || options.large) own.covered = options.covered;
  for (const AddFamily add_family : operation_families()) add_family(cases, library.name, own);
}

/// Whether a library's cases are asked for at all: where plugins are loaded and no backend is named, theirs alone.
bool is_meant(const Library& library, const CommandLine& line) {
  const auto& all = libraries();
  const bool plugins = std::any_of(all.begin(), all.end(), [](const Library& other) { return other.plugin; });
  return library.compiled_in && (library.plugin || !plugins || !line.selection.backends.empty());
}

/// The same kernels for instruction sets that the library can be told to use, for which `wanted(backend)`.
template <class Wanted>
void add_instruction_sets(assay::Suite& cases, const Library& library, const SuiteOptions& options, Wanted wanted) {
  for (const InstructionSetChoice& choice : instruction_set_choices(library.name)) {
    if (!wanted(library.name + "@" + choice.name)) continue;
    assay::Suite own;
    add_cases(own, library, options);
    rename_backend(own, library.name, choice.name);
    append(cases, std::move(own));
  }
}

/// Whether the user asks for kernels of a chosen instruction set: the catalog has them only then.
bool asks_for_instruction_sets(const CommandLine& line) {
  const auto names_one = [](const std::vector<std::string>& texts) {
    return std::any_of(texts.begin(), texts.end(),
                       [](const std::string& text) { return text.find('@') != std::string::npos; });
  };
  return names_one(line.selection.backends) || names_one(line.selection.only) || names_one(line.explained);
}

}  // namespace

assay::Result<assay::Suite> catalog(const CommandLine& line) {
  if (const auto known = check_operations(line); !known) return known.propagate();
  auto options = suite_options(line);
  if (!options) return options.propagate();
  options.value().catalog = true;
  assay::Suite cases;
  for (const Library& library : libraries()) {
    if (!is_meant(library, line)) continue;
    add_cases(cases, library, options.value());
    if (asks_for_instruction_sets(line))
      add_instruction_sets(cases, library, options.value(), [](const std::string&) { return true; });
  }
  add_own_problems(cases, line.selection);
  const auto promises = promises_for(line);
  if (!promises) return promises.propagate();
  assay::judge_by_promises(cases, promises.value(), line.require_determinism);
  return cases;
}

assay::Result<AssembledSuite> assemble_suite(const CommandLine& line, const std::set<std::string>& backends) {
  const auto options = suite_options(line);
  if (!options) return options.propagate();
  AssembledSuite assembled;
  for (const Library& library : libraries()) {
    const bool any = std::any_of(backends.begin(), backends.end(),
                                 [&](const std::string& backend) { return library_of(backend) == library.name; });
    if (!library.compiled_in || !any) continue;
    if (library.start != nullptr) assembled.runtimes.push_back(library.start());
    if (backends.count(library.name) > 0) add_cases(assembled.cases, library, options.value());
    add_instruction_sets(assembled.cases, library, options.value(),
                         [&](const std::string& backend) { return backends.count(backend) > 0; });
  }
  add_own_problems(assembled.cases, line.selection);
  const auto promises = promises_for(line);
  if (!promises) return promises.propagate();
  assay::judge_by_promises(assembled.cases, promises.value(), line.require_determinism);
  if (!line.no_diagnosis) assay::limit_diagnoses(assembled.cases);
  return assembled;
}

namespace {

/// The cases of plugins that cannot be loaded, which nothing deselects: they are taken out of the catalog and the
/// selection. With shards, the first has them.
assay::Suite take_failures(assay::Suite& catalog, assay::Selection& selection) {
  std::set<std::string> failed;
  for (const Library& library : libraries())
    if (!library.failure.empty()) failed.insert(library.name);
  if (failed.empty()) return {};
  assay::Suite failures, others;
  for (assay::Case& entry : catalog)
    (failed.count(entry.labels.at("backend")) > 0 ? failures : others).push_back(std::move(entry));
  const auto matches_one = [](const assay::Suite& cases, const std::string& pattern) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const assay::Case& entry) { return assay::glob_matches(pattern, entry.id); });
  };
  const auto names_failures_alone = [&](const std::string& id) {
    return matches_one(failures, id) && !matches_one(others, id);
  };
  bool nothing_else = false;
  const auto take_out = [&](std::vector<std::string>& asked, const auto& is_of_failures) {
    const bool asked_for_some = !asked.empty();
    asked.erase(std::remove_if(asked.begin(), asked.end(), is_of_failures), asked.end());
    return asked_for_some && asked.empty();
  };
  nothing_else |= take_out(selection.backends, [&](const std::string& backend) { return failed.count(backend) > 0; });
  nothing_else |= take_out(selection.only, names_failures_alone);
  take_out(selection.exclude, names_failures_alone);
  catalog = nothing_else ? assay::Suite() : std::move(others);
  return selection.shard.index == 1 ? failures : assay::Suite();
}

}  // namespace

assay::Result<assay::Suite> chosen_cases(assay::Suite catalog, assay::Selection selection) {
  assay::Suite failures = take_failures(catalog, selection);
  if (!failures.empty() && catalog.empty()) return failures;
  const auto selected = assay::select(catalog, selection);
  if (selected) {
    assay::Suite chosen;
    for (const std::size_t position : selected.value()) chosen.push_back(std::move(catalog[position]));
    append(chosen, std::move(failures));
    return chosen;
  }
  std::string message = selected.error().message + unreadable_problems(catalog, selection);
  for (const assay::Case& failed : failures) message += "; " + failed.run({}).reason;
  for (const Library& library : libraries()) {
    const auto& asked = selection.backends;
    if (!library.compiled_in && std::find(asked.begin(), asked.end(), library.name) != asked.end())
      message += "; this program was built without " + library.name + ": " +
                 (library.package.empty() ? "configure with -DCUDA_ARCH=90, or what the device is,"
                                          : "apt-get install " + library.package + ", configure") +
                 " and build again";
  }
  return assay::failure(selected.error().kind, message);
}

assay::Environment environment_of(const std::set<std::string>& backends) {
  assay::Environment environment = assay::detect_environment();
  for (const Library& library : libraries())
    if (library.compiled_in && std::any_of(backends.begin(), backends.end(), [&](const std::string& backend) {
          return library_of(backend) == library.name;
        }))
      environment.libraries.emplace_back(library.name, library.version());
  return environment;
}

std::set<std::string> backends_of(const assay::Suite& cases) {
  std::set<std::string> backends;
  for (const assay::Case& entry : cases) backends.insert(entry.labels.at("backend"));
  return backends;
}

}  // namespace assay_program
