#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "assay/accuracy/score.hpp"

namespace assay::inline v0 {

/// Who is first of classes with the same score. Low-precision outputs tie often, so the rule moves the figure.
enum class TieRule {
  lowest_index,   ///< as argmax of NumPy and ONNX
  highest_index,  ///< as scikit-learn's top_k_accuracy_score
  pessimistic,    ///< the label is last of its equals
  optimistic      ///< the label is first of its equals
};

/// "lowest_index", "highest_index", "pessimistic", "optimistic".
[[nodiscard]] std::string_view name_of(TieRule rule) noexcept;

/// How many classes stand before the label: 0 if it is first. A NaN score of the label is behind all; other NaNs are
/// behind every number. O(classes). Misuse: a label that has no score.
[[nodiscard]] std::size_t rank_of_label(std::span<const float> scores, std::size_t label, TieRule rule);

/// Scores of samples, row by row, and the class that each belongs to.
struct LabeledScores {
  std::span<const float> scores;         ///< samples × classes
  std::size_t classes = 1;               ///< scores of a sample
  std::span<const std::int64_t> labels;  ///< from 0 to classes − 1
};

/// The share of samples whose label is among the first k. Its parts: the bounds that the most pessimistic and the most
/// optimistic resolution of ties give, samples whose result hangs on it, samples with NaN (which are wrong). O(samples
/// · classes). Misuse: sizes that do not agree, a label outside the classes, k = 0.
[[nodiscard]] Score top_k_accuracy(const LabeledScores& samples, std::size_t k, TieRule rule = TieRule::lowest_index);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/top_k.ipp"
#endif
