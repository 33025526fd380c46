#pragma once

#include "assay/kernels/non_maximum_suppression/judgment.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void SuppressionJudge::judge(Index image, const Operand& boxes, const Operand& scores,
                                                        const Operand& kept, detail::JudgedOutput& judged) {
  read(image, boxes, scores);
  const std::string where = "image " + std::to_string(image) + ": ";
  std::vector<Index> list;
  std::vector<bool> seen(static_cast<std::size_t>(problem_.boxes));
  bool ended = false;
  for (Index place = 0; place < problem_.most; ++place, ++judged.elements) {
    const double stored = kept.at(image, place);
    const std::string which = where + "place " + std::to_string(place) + " holds " + detail::number(stored);
    if (stored == -1) {
      ended = true;
      continue;
    }
    if (ended) return judged.refute(which + " behind a place that holds -1");
    if (!(stored >= 0 && stored < static_cast<double>(problem_.boxes))) return judged.refute(which + ", no box");
    const Index box = static_cast<Index>(stored);
    if (seen[static_cast<std::size_t>(box)]) return judged.refute(which + " once more");
    seen[static_cast<std::size_t>(box)] = true;
    if (!candidate(box)) judged.refute(which + ", whose score is not above the threshold");
    if (!list.empty() && certainly_before(box, list.back()))
      judged.refute(which + ", which comes before box " + std::to_string(list.back()) + " by its score");
    for (const Index earlier : list)
      if (const Bounded overlap = between(earlier, box); overlap.value - overlap.error > problem_.iou_threshold) {
        judged.refute(which + ", which overlaps kept box " + std::to_string(earlier) + " by " +
                      detail::number(overlap.value));
        break;
      }
    list.push_back(box);
  }
  for (Index box = 0; box < problem_.boxes; ++box) {
    if (seen[static_cast<std::size_t>(box)] || !candidate(box)) continue;
    const bool no_room =
        static_cast<Index>(list.size()) == problem_.most && (list.empty() || !certainly_before(box, list.back()));
    const bool suppressed = std::any_of(list.begin(), list.end(), [&](Index earlier) {
      if (certainly_before(box, earlier)) return false;
      const Bounded overlap = between(earlier, box);
      return overlap.value + overlap.error > problem_.iou_threshold;
    });
    if (!no_room && !suppressed)
      judged.refute(where + "box " + std::to_string(box) + " is missing: it overlaps no kept box before it");
  }
}

ASSAY_DETAIL_HEADER_INLINE void SuppressionJudge::read(Index image, const Operand& boxes, const Operand& scores) {
  boxes_.clear();
  scores_.clear();
  for (Index box = 0; box < problem_.boxes; ++box) {
    const double x[4] = {boxes.at(image, box, 0), boxes.at(image, box, 1), boxes.at(image, box, 2),
                         boxes.at(image, box, 3)};
    boxes_.push_back(overlap_.box(x));
    scores_.push_back(scores.at(image, box));
  }
}

}  // namespace assay::inline v0
