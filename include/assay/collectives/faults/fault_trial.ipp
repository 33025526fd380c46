#pragma once

#include "assay/collectives/faults/fault_trial.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE int blamed_rank(const FaultTrial& trial) {
  using enum CollectiveOperation;
  constexpr std::array<std::string_view, 12> of_all{
      "narrow_accumulator",   "type_reinterpreted",     "wrong_reduction", "average_not_divided",
      "average_rounded_down", "remainder_lost",         "wrong_root",      "nan_lost",
      "zero_sign_lost",       "nondeterministic_order", "offset_overflow", "subnormals_flushed"};
  constexpr std::array<std::string_view, 8> of_output{
      "chunks_swapped", "previous_output",       "off_by_one", "in_place_aliasing", "out_of_bounds_write",
      "bit_flip",       "intermittent_bit_flip", "torn_tail"};
  const std::string& fault = trial.injection.fault;
  const CollectiveOperation operation = trial.problem.operation;
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), fault) != names.end(); };
  if (among(of_all) || (fault == "ranks_permuted" && operation == scatter)) return -1;
  const bool root_gives =
      (operation == broadcast || operation == scatter) && (fault == "stale_input" || fault == "input_overwritten");
  const bool root_receives = (operation == reduce || operation == gather) && among(of_output);
  return root_gives || root_receives ? trial.problem.root : trial.injection.rank;
}

namespace detail {

/// The `number`-th trial of a fault.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE FaultTrial trial_of(const CollectiveFault& fault, int size, int number,
                                                             CollectiveOperation operation, ReductionOperator reduction,
                                                             ElementType type) {
  FaultTrial trial;
  trial.injection.fault = fault.name;
  trial.injection.rank = number % size;
  trial.injection.chunk = number / size % 2;
  trial.injection.seed = static_cast<std::uint64_t>(number);
  trial.injection.offset_limit = 48 * bytes_of(type);
  trial.problem.operation = operation;
  trial.problem.type = type;
  trial.problem.reduction = reduction;
  trial.problem.count = fault.fault_class == FaultClass::progress ? 64 : 64 * size + 1;
  trial.problem.root = (number + 1) % size;
  trial.problem.seed = static_cast<std::uint64_t>(number);
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
  return trial;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> faults_that_look_like(const FaultTrial& trial) {
  const std::string& fault = trial.injection.fault;
  std::vector<std::string> names{fault};
  // One call does not tell how often; and a bit may be flipped where the bounds allow it, so that a call was taken for
  // right.
  if (fault == "bit_flip") names.emplace_back("intermittent_bit_flip");
  if (fault == "intermittent_bit_flip") names.emplace_back("bit_flip");
  if ((fault == "bit_flip" || fault == "intermittent_bit_flip") &&
      trial.problem.operation == CollectiveOperation::all_reduce &&
      trial.problem.reduction == ReductionOperator::average)
    names.emplace_back("ranks_disagree");
  return names;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<FaultTrial> fault_trials(const CollectiveFault& fault, int size,
                                                                std::span<const ElementType> types,
                                                                std::uint64_t seed) {
  const bool of_values = fault.fault_class != FaultClass::progress;
  std::vector<FaultTrial> trials;
  for (const CollectiveOperation operation : all_collective_operations)
    for (const ReductionOperator reduction : all_reductions)
      for (const ElementType type : types) {
        const bool with_data = of_values && operation != CollectiveOperation::barrier;
        if ((!reduces(operation) || !of_values) && reduction != ReductionOperator::sum) continue;
        if ((!with_data && type != types.front()) || !fault.fits(operation, reduction, type)) continue;
        if (fault.name == "slow_rank" && operation != CollectiveOperation::all_reduce)
          continue;  // a loop of them shows it
        trials.push_back(
            detail::trial_of(fault, size, static_cast<int>(trials.size() + seed), operation, reduction, type));
      }
  return trials;
}

}  // namespace assay::inline v0
