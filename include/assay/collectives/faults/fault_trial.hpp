#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/faults/collective_faults.hpp"
#include "assay/collectives/faults/fault_injection.hpp"
#include "assay/collectives/faults/faulty_collective.hpp"
#include "assay/collectives/verification/check_collective.hpp"

namespace assay {

/// A fault and a problem in which it shows: what checks are checked with.
struct FaultTrial {
  FaultInjection injection;
  CollectiveProblem problem;
  CollectiveCheckOptions options;
};

/// What a check made of a collective with a fault.
struct FaultFinding {
  bool took_effect = true;  ///< anything was altered on any rank; nothing is to be caught otherwise
  bool caught = false;
  bool named = false;         ///< by its name, or that of a fault that looks the same
  bool guilty_told = false;   ///< the guilty rank was named, and no other
  bool guilty_wrong = false;  ///< another rank was named
  std::string said;
};

namespace detail {

/// Whether one rank is to blame: other faults are those of all ranks.
[[nodiscard]] inline bool has_guilty_rank(std::string_view fault, CollectiveOperation operation) {
  constexpr std::array<std::string_view, 11> of_all{"narrow_accumulator", "type_reinterpreted", "wrong_reduction", "average_not_divided", "average_rounded_down", "remainder_lost",
                                                    "wrong_root", "nan_lost", "zero_sign_lost", "nondeterministic_order", "offset_overflow"};
  if (std::find(of_all.begin(), of_all.end(), fault) != of_all.end()) return false;
  return fault != "ranks_permuted" || operation != CollectiveOperation::scatter;
}

/// The rank whose doing it is, which is the root's where only the root gives or receives.
[[nodiscard]] inline int blamed_rank(const FaultTrial& trial) {
  const bool root_sends = trial.problem.operation == CollectiveOperation::broadcast || trial.problem.operation == CollectiveOperation::scatter;
  const bool root_receives = trial.problem.operation == CollectiveOperation::reduce || trial.problem.operation == CollectiveOperation::gather;
  constexpr std::array<std::string_view, 7> of_output{"chunks_swapped", "previous_output", "off_by_one", "out_of_bounds_write", "bit_flip", "intermittent_bit_flip", "torn_tail"};
  const std::string& fault = trial.injection.fault;
  if (fault == "in_place_aliasing" || std::find(of_output.begin(), of_output.end(), fault) != of_output.end()) return root_receives ? trial.problem.root : trial.injection.rank;
  return root_sends && (fault == "stale_input" || fault == "input_overwritten") ? trial.problem.root : trial.injection.rank;
}

}  // namespace detail

/// Names of faults that an observer of one call's buffers cannot tell from this one, itself first.
[[nodiscard]] inline std::vector<std::string> faults_that_look_like(const FaultTrial& trial) {
  const std::string& fault = trial.injection.fault;
  std::vector<std::string> names{fault};
  // One call does not tell how often; and a bit may be flipped where the bounds allow it, so that a call was taken for right.
  if (fault == "bit_flip") names.emplace_back("intermittent_bit_flip");
  if (fault == "intermittent_bit_flip") names.emplace_back("bit_flip");
  if ((fault == "bit_flip" || fault == "intermittent_bit_flip") && trial.problem.operation == CollectiveOperation::all_reduce && trial.problem.reduction == ReductionOperator::average) names.emplace_back("ranks_disagree");
  return names;
}

/// What an outcome of the trial's problem says of the trial's fault.
[[nodiscard]] inline FaultFinding finding_of(const FaultTrial& trial, const Outcome& outcome) {
  FaultFinding finding;
  finding.caught = outcome.verdict == Verdict::fail;
  finding.said = outcome.reason;
  const std::vector<std::string> names = faults_that_look_like(trial);
  finding.named = finding.caught && std::find(names.begin(), names.end(), outcome.label("fault")) != names.end();
  if (const std::string guilty = outcome.label("guilty_rank"); finding.caught && !guilty.empty()) {
    finding.guilty_told = detail::has_guilty_rank(trial.injection.fault, trial.problem.operation) && guilty == std::to_string(detail::blamed_rank(trial));
    finding.guilty_wrong = !finding.guilty_told;
  }
  return finding;
}

/// Gives a collective the trial's fault and checks it. Every rank calls it with its end, over any runtime, and gets the same
/// answer. Errors: those of the coordinator; what the runtime does not support.
[[nodiscard]] inline Result<FaultFinding> try_fault(FaultyCollective& faulty, Coordinator& coordinator, const FaultTrial& trial) {
  faulty.inject(trial.injection);
  AnyCollective any(faulty);
  const Outcome outcome = check_collective(any, coordinator, trial.problem, trial.options);
  if (outcome.verdict == Verdict::unsupported) return failure(ErrorKind::unsupported, outcome.reason);
  auto altered = coordinator.exchange(faulty.altered() > 0 ? "altered" : "", deadline_after(trial.options.timeout + std::chrono::seconds(10)));
  if (!altered) return altered.propagate();
  FaultFinding finding = finding_of(trial, outcome);
  finding.took_effect = std::any_of(altered.value().begin(), altered.value().end(), [](const auto& text) { return text && !text->empty(); });
  return finding;
}

/// Problems of `size` ranks in which a fault of values, memory or order, or an early exit from a barrier, shows: every operation and reduction that it fits, on
/// each of `types`; the guilty rank, the root and the seed change from one to the next. Empty for other symptoms.
[[nodiscard]] inline std::vector<FaultTrial> fault_trials(const CollectiveFault& fault, int size, std::span<const ElementType> types, std::uint64_t seed = 1) {
  std::vector<FaultTrial> trials;
  if (fault.fault_class == FaultClass::progress && fault.name != "early_barrier_exit") return trials;
  for (const CollectiveOperation operation : all_collective_operations)
    for (const ReductionOperator reduction : all_reductions)
      for (const ElementType type : types) {
        if (operation == CollectiveOperation::barrier && (type != types.front() || fault.name != "early_barrier_exit")) continue;
        if ((!reduces(operation) && reduction != ReductionOperator::sum) || !fault.fits(operation, reduction, type)) continue;
        const auto number = static_cast<int>(trials.size() + seed);
        FaultTrial trial;
        trial.injection.fault = fault.name;
        trial.injection.rank = number % size;
        trial.injection.chunk = number / size % 2;
        trial.injection.seed = seed + trials.size();
        trial.injection.offset_limit = 48 * bytes_of(type);
        trial.problem.operation = operation;
        trial.problem.type = type;
        trial.problem.reduction = reduction;
        trial.problem.count = 64 * size + 1;
        trial.problem.root = (number + 1) % size;
        trial.problem.seed = seed + trials.size();
        trial.problem.in_place = fault.name == "in_place_aliasing";
        if (fault.name == "narrow_accumulator") trial.problem.data = CollectiveDataKind::random;
        if (fault.symptom == FaultSymptom::order) {
          trial.problem.data = CollectiveDataKind::order_probe;
          trial.options.required_determinism = DeterminismLevel::run_to_run;
        }
        if (fault.fault_class == FaultClass::special_value) {
          trial.problem.data = CollectiveDataKind::special;
          trial.problem.nan_policy = NanReduction::propagated;
        }
        if (fault.name == "intermittent_bit_flip") {
          trial.injection.rate = 0.02;
          trial.options.calls = 500;
        }
        trials.push_back(trial);
      }
  return trials;
}

}  // namespace assay
