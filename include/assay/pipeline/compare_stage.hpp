#pragma once

#include <cstddef>
#include <string>

#include "assay/pipeline/stage_value.hpp"

namespace assay::inline v0 {

/// What a stage's output may be off. Bounds of tensors are derived where the stage is an operation whose error is known
/// (a rounding step: half of it), and declared elsewhere.
struct StageBound {
  double absolute = 0;              ///< of elements: |ours − theirs| ≤ absolute + relative · |theirs|
  double relative = 0;              ///< of elements, as above
  double wrong_share = 0;           ///< of elements or ids that may break that
  double box_overlap = 0.99;        ///< IoU that paired boxes have at least
  double box_score = 1e-3;          ///< that scores of paired boxes may differ by
  std::size_t edits = 0;            ///< of characters, over all texts
  std::string origin = "declared";  ///< "derived: half a step of rounding", for people
};

/// How far two values of one stage are apart.
struct StageComparison {
  bool within = false;       ///< its bound
  double error_ratio = 0;    ///< largest error over what is allowed of it; ∞ where nothing is
  double difference = 0;     ///< of tensors √(Σ(ours − theirs)² / Σ theirs²), of others the share that is wrong
  std::size_t compared = 0;  ///< elements, ids, characters or boxes
  std::size_t wrong = 0;     ///< of them
  std::string detail;        ///< the worst, in words; never empty unless they are identical
};

/// Compares by what the values are: numbers by the bound (NaN equals NaN, an infinity itself), ids exactly, texts by
/// edits, boxes paired by largest IoU within a category. Different kinds, shapes or counts are never within. O(n), of
/// texts and boxes O(n·m).
[[nodiscard]] StageComparison compare_stage(const StageValue& ours, const StageValue& theirs, const StageBound& bound);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/compare_stage.ipp"
#endif
