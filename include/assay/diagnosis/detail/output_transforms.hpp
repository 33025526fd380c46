#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/diagnosis/detail/machine_patterns.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Explains an output as the right one after something was done to each element: rounded otherwise, cut to another
/// format, flushed, negated, multiplied by a constant.
class OutputTransforms {
 public:
  OutputTransforms(const FailingOutput& output, std::vector<Index> extents)
      : output_(output), extents_(std::move(extents)) {}

  [[nodiscard]] std::vector<Diagnosis> explanations();

 private:
  [[nodiscard]] std::vector<Diagnosis> settled();

  /// T grows or falls with its argument between the ends of what a right kernel may have before it rounds.
  [[nodiscard]] bool fits(std::size_t i, const std::function<double(double)>& transform) const;

  /// Explains every element, and would not do so of the right answer.
  bool attempt(FaultClass fault_class, const std::string& kind, const std::string& effect,
               const std::function<double(double)>& transform);

  /// Right but for a sign, a factor or an addend that is the same everywhere.
  void attempt_factors();
  /// Actual = factor·expected + addend but for rounding errors, and those do not explain it by themselves.
  [[nodiscard]] bool consistent(double factor, double addend, double slack) const;
  /// n/⌈n⌉, or its root, for an extent n of the operands: what a divisor counts too much.
  [[nodiscard]] Index padded_extent(double factor) const;
  void add_factor(double factor);

  const FailingOutput& output_;
  std::vector<Index> extents_;  ///< of the inputs, and of their last dimensions together
  std::vector<Diagnosis> found_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/output_transforms.ipp"
#endif
