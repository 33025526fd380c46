#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/right_answers.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Whether an element is so many times what it should be but for roundings, and whether that tells it from a right one.
struct Multiple {
  bool fits = false, told = false;

  Multiple(const FailingOutput& output, std::size_t element, double times);
};

/// Elements of one output or several that are exactly twice, or another whole multiple of, what they should be.
class MultipliedResults {
 public:
  /// False where a wrong element is not such a multiple, or of another one than those of outputs before.
  bool take(const FailingOutput& output);
  [[nodiscard]] std::size_t wrong() const { return wrong_; }
  [[nodiscard]] int times() const { return times_; }
  /// Whether enough elements tell, and others, which are right, tell that not everything is multiplied. A bit of the
  /// exponent that is stuck doubles numbers of every other binade only.
  [[nodiscard]] bool convincing() const {
    return wrong_ >= 4 && 2 * told_ > wrong_ && even_ > 0 && odd_ > 0 && 16 * right_ >= wrong_;
  }

 private:
  std::size_t wrong_ = 0, right_ = 0, told_ = 0, even_ = 0, odd_ = 0;
  int times_ = 0;
};

/// Elements that are a whole multiple of what they should be, among others that are right, on irregular data, too
/// (those of a sum of which half was lost are it on regular data only): their results were added more than once.
[[nodiscard]] std::optional<Diagnosis> by_multiplied(const FailingOutput& output,
                                                     const FailingOutput* of_irregular_data);

/// The last element, alone, is as many times what it should be as a warp or block of threads that ends there has
/// threads without elements of their own, and one: they were given the last element, too.
[[nodiscard]] std::optional<Diagnosis> by_idle_threads(const FailingOutput& output);

/// Whether wrong elements are right for a kernel that was given right results for one of its inputs: it ran once more
/// on what it had made. Costs one look for every operand of the output's form, and one for all that are updated in
/// place.
class SecondPass {
 public:
  SecondPass(const DiagnosedCase& given, std::size_t number)
      : given_(given), output_(given.outputs[number]), number_(number) {}

  [[nodiscard]] std::optional<Diagnosis> explanation() const;

 private:
  /// Every wrong element is what is due for the changed operands, and few of them are what the operand was that was
  /// changed.
  [[nodiscard]] bool explained_by(const OperandArray& changed, const Operand& original) const;
  [[nodiscard]] Diagnosis diagnosis(const std::string& what) const;

  const DiagnosedCase& given_;
  const FailingOutput& output_;
  std::size_t number_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/repeated_results.ipp"
#endif
