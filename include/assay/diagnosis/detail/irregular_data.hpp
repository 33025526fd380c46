#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "assay/diagnosis/detail/inputs.hpp"
#include "assay/diagnosis/detail/surrounded_operands.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Replaces floating-point inputs by numbers that differ from element to element, of the signs and about the size of
/// those that were given; by others for another `seed`. At most 2^`largest` they are, or twice that.
void make_irregular(const DiagnosedCase& given, ChangedOperands& changed, std::uint64_t seed = 0, double largest = 2);

/// What the kernel makes of irregular data: whatever data failed, errors of place show there. An element is wrong that
/// is off by far more than roundings.
class IrregularLaunch {
 public:
  explicit IrregularLaunch(const DiagnosedCase& given, std::uint64_t seed = 0, double largest = 2);
  IrregularLaunch(const IrregularLaunch&) = delete;
  IrregularLaunch& operator=(const IrregularLaunch&) = delete;

  [[nodiscard]] const DiagnosedCase& diagnosed_case() const { return case_; }
  [[nodiscard]] const std::vector<FailingOutput>& outputs() const { return case_.outputs; }

  /// Whether there are outputs, and none of their elements is wrong.
  [[nodiscard]] bool right() const {
    bool right = !case_.outputs.empty();
    for (const FailingOutput& output : case_.outputs) right = right && output.violations == 0;
    return right;
  }
  /// Whether elements are wrong, and numbers, whose right value is a normal number: no special value is their cause.
  [[nodiscard]] bool normal_numbers_fail() const;

 private:
  static void forgive_roundings(FailingOutput& output);

  DiagnosedCase case_;
  ChangedOperands changed_;
  std::optional<SurroundedOperands> operands_;
};

/// An output of few elements tells little: the same of many launches, each on irregular data of its own, as the rows of
/// one output.
[[nodiscard]] std::optional<FailingOutput> stacked_launches(const DiagnosedCase& given, std::size_t output,
                                                            Index launches);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/irregular_data.ipp"
#endif
