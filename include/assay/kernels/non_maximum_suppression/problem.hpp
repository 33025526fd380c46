#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What the four numbers of a box are.
enum class BoxFormat {
  corners,  ///< x1, y1, x2, y2 with x1 ≤ x2 and y1 ≤ y2
  center    ///< x, y of the center, width, height
};

/// Which of two equal scores comes first.
enum class ScoreTies {
  any,         ///< boxes of equal scores in any order
  first_index  ///< the lower index first
};

/// Greedy suppression: boxes in order of falling scores are kept unless their intersection over union with a kept one
/// is above `iou_threshold`, up to `most` an image. Boxes whose score is not above `score_threshold`, NaN among them,
/// are not looked at. Boxes without any area overlap nothing.
struct SuppressionProblem {
  Index batch = 1;  ///< images
  Index boxes = 1;
  Index most = 1;
  double iou_threshold = 0.5;
  double score_threshold = -0x1p1000;  ///< rounded to float32
  BoxFormat box_format = BoxFormat::corners;
  ScoreTies ties = ScoreTies::any;
  ElementFormat format = element_format<float32>();
  ElementFormat index_format = element_format<std::int64_t>();  ///< integers
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(SuppressionProblem& problem, Visit&& visit) {
  visit("batch", problem.batch, "boxes", problem.boxes, "most", problem.most, "iou_threshold", problem.iou_threshold,
        "score_threshold", problem.score_threshold, "box_format", problem.box_format, "ties", problem.ties, "format",
        problem.format, "index_format", problem.index_format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const SuppressionProblem& problem);

/// "2x100-most20-iou0.5-score0.05-center-first_index".
[[nodiscard]] std::string name_of(const SuppressionProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/non_maximum_suppression/problem.ipp"
#endif
