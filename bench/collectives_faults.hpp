#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assay/collectives/faults/try_fault.hpp"

/// The table of faults, over any runtime: every rank does the same.
namespace collectives_faults {

using namespace assay;

struct Count {
  std::string name;
  std::uint64_t runs = 0, caught = 0, named = 0, to_tell = 0, guilty = 0, wrong_rank = 0;

  /// `tells`: whether outputs can tell the guilty rank; what is damaged on its way from one to another is nobody's.
  void add(const FaultTrial& trial, const FaultFinding& finding, bool tells = true) {
    if (!finding.took_effect) return;
    ++runs;
    caught += finding.caught ? 1 : 0;
    named += finding.named ? 1 : 0;
    to_tell += tells && blamed_rank(trial) >= 0 ? 1 : 0;
    guilty += tells && finding.guilty_told ? 1 : 0;
    wrong_rank += tells && finding.guilty_wrong ? 1 : 0;
    if (!finding.caught)
      std::fprintf(stderr, "not caught: %s in %s: %s\n", trial.injection.fault.c_str(), trial.problem.id("", 0).c_str(),
                   finding.said.c_str());
  }
};

/// Which runtime: a communicator that may be used again and again, and others that are lost one by one.
struct Runtime {
  std::string name;
  std::function<AnyCollective()> renew;                 ///< on all ranks at the same time
  std::function<AnyCollective()> renew_unguarded = {};  ///< for messages between two ranks alone; none: the same
  Coordinator* coordinator = nullptr;
  std::vector<ElementType> types{all_element_types.begin(), all_element_types.end()};
};

struct Options {
  std::uint64_t seeds = 1;
  std::uint64_t right_runs = 10000;
  std::chrono::milliseconds patience{100};
};

/// Every fault in all its trials. Those that the communicator does not survive have one of their own, and buffers that
/// are kept.
inline std::vector<Count> fault_counts(const Runtime& runtime, const Options& options) {
  std::vector<Count> counts;
  AnyCollective own = runtime.renew();
  const int size = own.size();
  FaultyCollective faulty(std::move(own), {});
  TrialOptions trial_options;
  trial_options.patience = options.patience;
  trial_options.keep = [](std::shared_ptr<void> buffers) {
    static_cast<void>(new std::shared_ptr<void>(std::move(buffers)));
  };
  for (const CollectiveFault& fault : collective_faults()) {
    Count count{fault.name};
    for (std::uint64_t seed = 1; seed <= options.seeds; ++seed)
      for (const FaultTrial& trial : fault_trials(fault, size, runtime.types, seed)) {
        const auto finding =
            keeps_communicator(fault)
                ? try_fault(faulty, *runtime.coordinator, trial)
                : try_fault(fault.symptom == FaultSymptom::time && runtime.renew_unguarded ? runtime.renew_unguarded()
                                                                                           : runtime.renew(),
                            *runtime.coordinator, trial, trial_options);
        if (finding)
          count.add(trial, finding.value());
        else if (finding.error().kind != ErrorKind::unsupported)
          std::fprintf(stderr, "not tried: %s: %s\n", fault.name.c_str(), finding.error().message.c_str());
      }
    counts.push_back(std::move(count));
  }
  return counts;
}

/// Right calls: operations, operators, types, data, counts and places by turns. Gives how many were accused.
inline Count right_count(const Runtime& runtime, const Options& options) {
  Count count{"right"};
  AnyCollective own = runtime.renew();
  std::uint64_t number = 0;
  while (count.runs < options.right_runs) {
    for (const CollectiveOperation operation : all_collective_operations)
      for (const ReductionOperator reduction : all_reductions)
        for (const ElementType type : runtime.types) {
          if (!reduces(operation) && reduction != ReductionOperator::sum) continue;
          const std::uint64_t bits = detail::mixed(7, ++number);
          CollectiveProblem problem;
          problem.operation = operation;
          problem.type = type;
          problem.reduction = reduction;
          problem.count = static_cast<Index>(bits % 5 == 0 ? bits / 5 % 9 : bits / 5 % 900);
          problem.root = static_cast<int>((bits >> 32) % static_cast<std::uint64_t>(own.size()));
          problem.in_place = (bits >> 40) % 2 == 1;
          problem.offset = static_cast<Index>((bits >> 41) % 4);
          problem.data = static_cast<CollectiveDataKind>((bits >> 48) % 6);
          problem.seed = number;
          const Outcome outcome = check_collective(own, *runtime.coordinator, problem, {.calls = 2});
          if (outcome.verdict == Verdict::unsupported) continue;
          ++count.runs;
          if (outcome.verdict == Verdict::pass) continue;
          ++count.caught;
          std::fprintf(stderr, "right, but accused: %s: %s\n", outcome.id.c_str(), outcome.reason.c_str());
        }
  }
  return count;
}

inline void print_faults(const std::string& runtime, const std::vector<Count>& counts) {
  std::cout
      << "\n### Faults over " << runtime
      << "\n\n| fault | runs | caught | named | guilty rank told | another rank told |\n|---|---|---|---|---|---|\n";
  Count all{"**all**"};
  const auto row = [](const Count& count) {
    std::cout << "| " << count.name << " | " << count.runs << " | " << count.caught << " | " << count.named << " | "
              << (count.to_tell > 0 ? std::to_string(count.guilty) + " of " + std::to_string(count.to_tell)
                                    : std::string("–"))
              << " | " << count.wrong_rank << " |\n";
  };
  for (const Count& count : counts) {
    if (count.runs == 0) continue;
    row(count);
    all.runs += count.runs;
    all.caught += count.caught;
    all.named += count.named;
    all.to_tell += count.to_tell;
    all.guilty += count.guilty;
    all.wrong_rank += count.wrong_rank;
  }
  row(all);
}

}  // namespace collectives_faults
