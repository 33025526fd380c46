#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/inputs.hpp"
#include "assay/diagnosis/detail/irregular_data.hpp"
#include "assay/diagnosis/detail/surrounded_operands.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// What more launches on the same data tell. A kernel is a function of its operands: where wrong elements change with
/// what lies beside the operands, it reads beyond them; where they change with what ran before, or with nothing, it has
/// a state.
class Relaunches {
 public:
  /// Slow kernels are launched once, and not five times.
  Relaunches(const DiagnosedCase& given, double seconds) : case_(given), seconds_(seconds) {}

  [[nodiscard]] std::optional<Diagnosis> explanation();

  /// What rows without gaps between them change; empty where that is nothing. Known after `explanation`.
  [[nodiscard]] const std::string& evidence_of_layout() const { return evidence_of_layout_; }

 private:
  /// Elements that are NaN where the output held NaN before the launch, and right where it held numbers.
  [[nodiscard]] std::optional<Diagnosis> output_times_zero(const std::vector<FailingOutput>& poisoned,
                                                           const std::vector<FailingOutput>& zeroed) const;
  [[nodiscard]] std::optional<Diagnosis> beside_first_run(const std::vector<FailingOutput>& again);
  /// A kernel that takes rows for contiguous writes values of other elements where they are not, and is right where
  /// they are. One that is a little off, wrong with either, or loses NaN that is due, has code for each.
  [[nodiscard]] std::optional<Diagnosis> ignored_strides(const std::vector<FailingOutput>& contiguous);
  [[nodiscard]] static Diagnosis state(std::string evidence) {
    return {FaultClass::state, "runs_differ", Confidence::certain, {std::move(evidence)}, {}};
  }

  [[nodiscard]] std::vector<FailingOutput> launch(const OperandArray& before, Surroundings surroundings,
                                                  FormerOutputs former = FormerOutputs::poison) const {
    SurroundedOperands operands(case_.specs, before, surroundings, former);
    return case_.rerun(operands.array()) ? case_.look(before, operands.array()) : std::vector<FailingOutput>();
  }

  /// Elements that are wrong in one of them and have another value, by more than the roundings of a kernel whose order
  /// of additions is free, in the other.
  [[nodiscard]] static std::size_t differences(const std::vector<FailingOutput>& one,
                                               const std::vector<FailingOutput>& other);

  [[nodiscard]] bool gaps() const;

  /// The same numbers, each in another place and half as large again.
  [[nodiscard]] const OperandArray& other_data();

  const DiagnosedCase& case_;
  double seconds_;
  std::string evidence_of_layout_;
  std::optional<ChangedOperands> other_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/relaunches.ipp"
#endif
