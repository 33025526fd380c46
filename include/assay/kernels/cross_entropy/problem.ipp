#pragma once

#include "assay/kernels/cross_entropy/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const CrossEntropyProblem& problem) {
  if (auto extents = check_extents({{"rows", problem.rows}, {"classes", problem.classes}}); !extents) return extents;
  if (problem.classes == 0) return failure(ErrorKind::invalid, "classes is 0; a label needs at least 1");
  if (!(problem.smoothing >= 0 && problem.smoothing <= 1))
    return failure(ErrorKind::invalid,
                   "smoothing is " + detail::printed_number(problem.smoothing) + "; it must lie in [0, 1]");
  if (problem.ignored_label >= 0 && problem.ignored_label < problem.classes && problem.classes == 1)
    return failure(ErrorKind::invalid, "ignored_label is the only class; choose a negative one");
  if (problem.labels.is_float())
    return failure(ErrorKind::invalid, std::string("labels is ") + problem.labels.name + "; it must be int32 or int64");
  return check_float_formats({{"logits", problem.logits}, {"loss", problem.loss}, {"output", problem.output}});
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const CrossEntropyProblem& problem) {
  std::string name = extents_name({problem.rows, problem.classes});
  if (problem.smoothing != 0) name += "-smooth" + plain_number(problem.smoothing);
  if (problem.reduction == LossReduction::mean) name += "-mean";
  if (problem.ignored_label != -100) name += "-ignore" + std::to_string(problem.ignored_label);
  return name;
}

}  // namespace assay::inline v0
