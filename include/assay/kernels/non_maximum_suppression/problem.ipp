#pragma once

#include "assay/kernels/non_maximum_suppression/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const SuppressionProblem& problem) {
  if (auto extents = check_extents({{"batch", problem.batch}, {"boxes", problem.boxes}, {"the coordinates", 4}});
      !extents)
    return extents;
  if (auto extents = check_extents({{"batch", problem.batch}, {"most", problem.most}}); !extents) return extents;
  if (!(problem.iou_threshold >= 0 && problem.iou_threshold <= 1))
    return failure(ErrorKind::invalid, "iou_threshold is " + detail::printed_number(problem.iou_threshold) +
                                           "; it must lie between 0 and 1");
  if (is_nan(problem.score_threshold))
    return failure(ErrorKind::invalid, "score_threshold is NaN; it must be a number");
  if (problem.index_format.is_float() || problem.index_format.bytes < 4)
    return failure(ErrorKind::invalid,
                   std::string("index_format is ") + problem.index_format.name + "; it must be int32 or int64");
  return check_float_formats({{"format", problem.format}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const SuppressionProblem& problem) {
  std::string name = extents_name({problem.batch, problem.boxes}) + "-most" + std::to_string(problem.most) + "-iou" +
                     plain_number(problem.iou_threshold);
  if (problem.score_threshold > -0x1p999) name += "-score" + plain_number(problem.score_threshold);
  if (problem.box_format == BoxFormat::center) name += "-center";
  if (problem.ties == ScoreTies::first_index) name += "-first_index";
  return name;
}

}  // namespace assay::inline v0
