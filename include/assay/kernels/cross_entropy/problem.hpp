#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What becomes of the losses of the rows.
enum class LossReduction {
  none,  ///< a loss a row; 0 for ignored ones
  mean   ///< one loss: the sum over the rows that count, divided by how many they are; NaN where none does
};

/// loss = −Σ q_j·log softmax(x)_j with q = (1 − smoothing) at the label, and smoothing/classes everywhere; or its
/// gradient by x.
struct CrossEntropyProblem {
  Index rows = 1;  ///< samples
  Index classes = 1;
  bool backward = false;  ///< the gradient is computed, not the loss
  double smoothing = 0;
  Index ignored_label = -100;  ///< rows with this label do not count
  LossReduction reduction = LossReduction::none;
  ElementFormat logits = element_format<float32>();       ///< storage format of the logits
  ElementFormat labels = element_format<std::int32_t>();  ///< integers
  ElementFormat loss = element_format<float32>();         ///< of the loss, or of its incoming gradient
  ElementFormat output = element_format<float32>();       ///< of the logits' gradient
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(CrossEntropyProblem& problem, Visit&& visit) {
  visit("rows", problem.rows, "classes", problem.classes, "backward", problem.backward, "smoothing", problem.smoothing,
        "ignored_label", problem.ignored_label, "reduction", problem.reduction, "logits", problem.logits, "labels",
        problem.labels, "loss", problem.loss, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const CrossEntropyProblem& problem);

/// "4x1000-smooth0.1-mean".
[[nodiscard]] std::string name_of(const CrossEntropyProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/cross_entropy/problem.ipp"
#endif
