#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/faults/fault_coverage.hpp"
#include "assay/suite/glob.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "printed_table.hpp"
#include "suites/fault_families.hpp"
#include "suites/operation_names.hpp"
#include "unknown_among_many.hpp"

namespace assay_program {

namespace {

/// Whether one of the names or globs is this name; no names mean every one.
bool wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::any_of(names.begin(), names.end(),
                                      [&](const std::string& pattern) { return assay::glob_matches(pattern, name); });
}

std::string class_of(const assay::CorpusKernel& kernel) {
  return kernel.fault ? std::string(name_of(kernel.fault->fault_class)) : "right";
}

/// The operations asked for: the corpus has some by the name of their family, which stands for all of it.
std::vector<std::string> asked_operations(const std::vector<std::string>& names, const assay::FaultCorpus& corpus) {
  const auto in_corpus = [&](const std::string& pattern) {
    return std::any_of(corpus.kernels().begin(), corpus.kernels().end(), [&](const assay::CorpusKernel& kernel) {
      return assay::glob_matches(pattern, kernel.operation);
    });
  };
  std::vector<std::string> asked;
  for (const std::string& name : names) {
    std::set<std::string> families;
    if (!in_corpus(name))
      for (const auto& [operation, family] : families_by_operation())
        if (assay::glob_matches(name, operation) && in_corpus(family)) families.insert(family);
    if (families.empty()) families.insert(name);
    asked.insert(asked.end(), families.begin(), families.end());
  }
  return asked;
}

/// The kernels that the options ask for; or, on failure, which of them names nothing.
assay::Result<assay::FaultCorpus> chosen_kernels(const CommandLine& line) {
  const assay::FaultCorpus all = all_fault_kernels();
  const std::vector<std::string> operations = asked_operations(line.selection.operations, all);
  constexpr std::size_t most_told = 50;
  const auto check = [&](const char* kind, const std::vector<std::string>& names,
                         const auto& name) -> assay::Result<void> {
    std::set<std::string> different;
    for (const assay::CorpusKernel& kernel : all.kernels()) different.insert(name(kernel));
    const std::vector<std::string> known(different.begin(), different.end());
    for (const std::string& asked : names)
      if (std::none_of(known.begin(), known.end(),
                       [&](const std::string& entry) { return assay::glob_matches(asked, entry); }))
        return assay::failure(assay::ErrorKind::not_found,
                              known.size() <= most_told
                                  ? assay::unknown_name(kind, asked, known)
                                  : unknown_among_many(kind, asked, known,
                                                       "assay faults list tells all " + std::to_string(known.size())));
    return {};
  };
  const auto operation_of = [](const assay::CorpusKernel& kernel) { return kernel.operation; };
  const auto name_of_kernel = [](const assay::CorpusKernel& kernel) { return kernel.name; };
  if (auto known = check("operation", operations, operation_of); !known) return known.propagate();
  if (auto known = check("fault", line.fault_names, name_of_kernel); !known) return known.propagate();
  if (auto known = check("class", line.fault_classes, class_of); !known) return known.propagate();
  return all.where([&](const assay::CorpusKernel& kernel) {
    return wanted(operations, kernel.operation) && wanted(line.fault_names, kernel.name) &&
           wanted(line.fault_classes, class_of(kernel));
  });
}

/// One line a fault, with the operations that it is done to.
int list_kernels(const assay::FaultCorpus& corpus) {
  std::map<std::vector<std::string>, std::set<std::string>> operations;
  std::set<std::string> all;
  for (const assay::CorpusKernel& kernel : corpus.kernels()) {
    all.insert(kernel.operation);
    operations[{class_of(kernel), kernel.name, kernel.fault ? kernel.fault->effect : "computes in another way"}].insert(
        kernel.operation);
  }
  assay::Table table{"", {"class", "kernel", "what it does", "operations"}, {}};
  std::size_t faults = 0;
  for (const auto& [cells, of] : operations) {
    std::string list;
    for (const std::string& operation : of) list += (list.empty() ? "" : ", ") + operation;
    if (of.size() > 3)
      list = of == all ? "all " + std::to_string(of.size()) : std::to_string(of.size()) + " operations";
    table.rows.push_back({cells[0], cells[1], cells[2], list});
    faults += cells[0] == "right" ? 0 : 1;
  }
  print_table(table);
  const auto faulty = std::count_if(corpus.kernels().begin(), corpus.kernels().end(),
                                    [](const assay::CorpusKernel& kernel) { return kernel.fault.has_value(); });
  std::printf("\n%zu faults, %td kernels with one of them, %td right kernels\n", faults, faulty,
              static_cast<std::ptrdiff_t>(corpus.kernels().size()) - faulty);
  return 0;
}

int run_kernels(const assay::FaultCorpus& corpus, const CommandLine& line) {
  std::size_t caught = 0, invisible = 0, right = 0, validations = 0, wrong = 0;
  assay::CorpusRun how;
  how.seed = line.seed;
  how.most_cases = line.fault_cases;
  for (const assay::CorpusKernel& kernel : corpus.kernels()) {
    const assay::CorpusVerdict verdict = assay::validate(kernel, how);
    const char* word = !verdict.faulty          ? (verdict.accused ? "ACCUSED" : "passed")
                       : verdict.accused        ? (verdict.as_it_should() ? "caught" : "VISIBLE")
                       : verdict.as_it_should() ? "invisible"
                                                : "MISSED";
    std::string text = !verdict.faulty   ? std::to_string(verdict.validations) + " validations"
                       : verdict.accused ? "by " + verdict.data + ", case " + std::to_string(verdict.validations)
                                         : verdict.invisible_because;
    if (!verdict.as_it_should() && verdict.accused) text += ": " + verdict.first_case + ": " + verdict.reason;
    if (!verdict.as_it_should() && !verdict.accused)
      text = "by none of " + std::to_string(verdict.validations) + " cases";
    std::printf("%-9s %-60s %s\n", word, kernel.id().c_str(), text.c_str());
    std::fflush(stdout);
    wrong += verdict.as_it_should() ? 0 : 1;
    if (!verdict.faulty)
      ++right, validations += verdict.validations;
    else
      (verdict.accused ? caught : invisible) += verdict.as_it_should() ? 1 : 0;
  }
  std::printf(
      "\n%zu faults caught, %zu invisible as proved; %zu right kernels in %zu validations; %zu not as it should be\n",
      caught, invisible, right, validations, wrong);
  return wrong == 0 ? 0 : 1;
}

/// A table an operation: of each fault, the patterns of data that show it, with the share of their cases that do.
int cover_faults(const assay::FaultCorpus& corpus, const CommandLine& line) {
  std::map<std::string, std::vector<const assay::CorpusKernel*>> operations;
  for (const assay::CorpusKernel& kernel : corpus.kernels())
    if (kernel.fault) operations[kernel.operation].push_back(&kernel);
  assay::CorpusRun how;
  how.seed = line.seed;
  for (const auto& [operation, kernels] : operations) {
    assay::Table table{operation, {"fault", "shown by"}, {}};
    for (const assay::CorpusKernel* kernel : kernels) {
      std::string patterns;
      for (const assay::PatternCoverage& one : assay::pattern_coverage(*kernel, line.fault_cases, how)) {
        if (one.accused == 0) continue;
        patterns += (patterns.empty() ? "" : ", ") + one.data +
                    (one.accused < one.cases ? " " + std::to_string(100 * one.accused / one.cases) + " %" : "");
      }
      const std::string why =
          !kernel->invisible_because.empty() ? "invisible: " + kernel->invisible_because : "none of the cases tried";
      table.rows.push_back({kernel->id().substr(operation.size() + 1), patterns.empty() ? why : patterns});
    }
    std::printf("%s\n", operation.c_str());
    print_table(table);
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int faults(const CommandLine& line) {
  const std::map<std::string, std::function<int(const assay::FaultCorpus&)>> actions{
      {"list", list_kernels},
      {"run", [&](const assay::FaultCorpus& corpus) { return run_kernels(corpus, line); }},
      {"coverage", [&](const assay::FaultCorpus& corpus) { return cover_faults(corpus, line); }}};
  const auto action = actions.find(line.faults_action);
  if (action == actions.end())
    return fault(assay::unknown_name("action", line.faults_action, {"coverage", "list", "run"}));
  const auto corpus = chosen_kernels(line);
  if (!corpus) return fault(corpus.error().message);
  if (corpus.value().kernels().empty())
    return fault("--op, --fault and --class leave no kernel; see assay faults list");
  return action->second(corpus.value());
}

}  // namespace assay_program
