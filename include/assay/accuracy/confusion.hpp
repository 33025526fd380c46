#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/accuracy/score.hpp"

namespace assay::inline v0 {

/// How often each class was taken for each: `at(truth, prediction)`.
struct Confusion {
  std::size_t classes = 0;            ///< how many there are
  std::vector<std::uint64_t> counts;  ///< classes × classes, row by row of the truth
  std::uint64_t ignored = 0;          ///< elements whose truth is the label to be left out
  std::uint64_t outside = 0;          ///< elements whose prediction is no class: wrong, and counted with their truth

  /// Precondition: both below `classes`; not checked.
  [[nodiscard]] std::uint64_t at(std::size_t truth, std::size_t prediction) const {
    return counts[truth * classes + prediction];
  }
  /// Elements of a class, and predictions of it. O(classes).
  [[nodiscard]] std::uint64_t truths(std::size_t of) const;
  [[nodiscard]] std::uint64_t predictions(std::size_t of) const;  ///< how often it was predicted

  /// Elements of each class whose prediction is no class.
  std::vector<std::uint64_t> outside_by_truth;
};

/// Counts `predictions` against `truths`; truths equal to `ignore` are left out (255 in many segmentations; −1 leaves
/// out none). O(elements). Misuse: sizes that differ, a truth that is neither a class nor `ignore`.
[[nodiscard]] Confusion confusion(std::span<const std::int64_t> predictions, std::span<const std::int64_t> truths,
                                  std::size_t classes, std::int64_t ignore = -1);

/// Precision, recall and F1 of a class; 0 where nothing is divided by, as scikit-learn with zero_division=0.
struct ClassFigures {
  double precision = 0;  ///< of those told to be of the class, the share that is
  double recall = 0;
  double f1 = 0;  ///< the harmonic mean of precision and recall
};
/// Those of one class. O(classes). Precondition: `of < confusion.classes`; not checked.
[[nodiscard]] ClassFigures class_figures(const Confusion& confusion, std::size_t of);

/// The share of elements that are right, with macro F1, balanced accuracy (mean recall of the classes that occur),
/// Cohen's κ and Matthews' correlation (Gorodkin's R_K) as its parts.
[[nodiscard]] Score accuracy_of(const Confusion& confusion);

/// Mean over classes of intersection / union, without classes that neither truth nor prediction has. Images, one
/// confusion each, are pooled. Its parts are the classes left out and the elements ignored. Misuse: numbers of classes
/// that differ, no image.
[[nodiscard]] Score mean_intersection_over_union(std::span<const Confusion> images);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/confusion.ipp"
#endif
