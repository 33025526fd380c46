#pragma once

#include "assay/pipeline/compare_stage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/accuracy/edit_alignment.hpp"
#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

constexpr double beyond_any_bound = std::numeric_limits<double>::infinity();

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string stage_shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

/// "[1, 2, 0]" of a position in row-major order.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string position_text(const std::vector<std::int64_t>& shape,
                                                                   std::size_t position) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[i]);
    index[i] = position % extent;
    position /= extent;
  }
  std::string text = "[";
  for (std::size_t i = 0; i < index.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(index[i]);
  return text + "]";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StageComparison mismatch(const std::string& why) {
  return {false, beyond_any_bound, 1, 0, 0, why};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StageComparison compare_tensors(const StageTensor& ours,
                                                                         const StageTensor& theirs,
                                                                         const StageBound& bound) {
  if (ours.shape != theirs.shape || ours.values.size() != theirs.values.size())
    return mismatch("shape " + stage_shape_text(ours.shape) + " instead of " + stage_shape_text(theirs.shape));
  StageComparison result;
  double squares = 0, scale = 0;
  std::size_t worst = 0, wrong = 0;
  for (std::size_t i = 0; i < ours.values.size(); ++i) {
    const double a = ours.values[i], b = theirs.values[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      if (std::isfinite(b)) scale += b * b;
      continue;
    }
    const double error = std::abs(a - b), allowed = bound.absolute + bound.relative * std::abs(b);
    const bool finite = std::isfinite(a) && std::isfinite(b);
    const double ratio = !finite || allowed == 0 ? beyond_any_bound : error / allowed;
    wrong += ratio > 1 ? 1 : 0;
    const bool farther = ratio > result.error_ratio ||
                         (ratio == result.error_ratio && error > std::abs(ours.values[worst] - theirs.values[worst]));
    if (result.detail.empty() || farther) {
      result.error_ratio = std::max(result.error_ratio, ratio);
      worst = i;
      result.detail =
          "at " + position_text(ours.shape, i) + " " + printed_number(a, 7) + " instead of " + printed_number(b, 7);
    }
    if (finite) squares += error * error, scale += b * b;
  }
  result.compared = ours.values.size();
  result.wrong = wrong;
  result.difference = scale > 0 ? std::sqrt(squares / scale) : squares > 0 ? 1 : 0;
  result.within = static_cast<double>(wrong) <= bound.wrong_share * static_cast<double>(result.compared);
  if (wrong > 0)
    result.detail +=
        ", " + std::to_string(wrong) + " of " + std::to_string(result.compared) + " elements beyond the bound";
  return result;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StageComparison compare_ids(const StageIds& ours, const StageIds& theirs,
                                                                     const StageBound& bound) {
  StageComparison result;
  result.compared = std::max(ours.ids.size(), theirs.ids.size());
  for (std::size_t i = 0; i < result.compared; ++i) {
    if (i < ours.ids.size() && i < theirs.ids.size() && ours.ids[i] == theirs.ids[i]) continue;
    if (result.wrong++ > 0) continue;
    const auto text = [&](const StageIds& side) {
      return i < side.ids.size() ? std::to_string(side.ids[i]) : "nothing";
    };
    result.detail = "at " + std::to_string(i) + " " + text(ours) + " instead of " + text(theirs);
  }
  if (ours.ids.size() != theirs.ids.size())
    result.detail += ", " + std::to_string(ours.ids.size()) + " ids instead of " + std::to_string(theirs.ids.size());
  result.difference =
      result.compared > 0 ? static_cast<double>(result.wrong) / static_cast<double>(result.compared) : 0;
  result.within = ours.ids.size() == theirs.ids.size() && result.difference <= bound.wrong_share;
  result.error_ratio = result.wrong == 0       ? 0
                       : bound.wrong_share > 0 ? result.difference / bound.wrong_share
                                               : beyond_any_bound;
  return result;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StageComparison compare_texts(const StageTexts& ours, const StageTexts& theirs,
                                                                       const StageBound& bound) {
  if (ours.texts.size() != theirs.texts.size())
    return mismatch(std::to_string(ours.texts.size()) + " texts instead of " + std::to_string(theirs.texts.size()));
  StageComparison result;
  for (std::size_t i = 0; i < ours.texts.size(); ++i) {
    std::size_t edits = 0;
    for (const Edit& edit : align_edits(theirs.texts[i], ours.texts[i])) {
      edits += edit.kind != EditKind::hit ? 1 : 0;
      result.compared += edit.kind != EditKind::insertion ? 1 : 0;
    }
    if (edits > 0 && result.wrong == 0)
      result.detail = "text " + std::to_string(i) + ": " + edit_text(theirs.texts[i], ours.texts[i]);
    result.wrong += edits;
  }
  const auto wrong = static_cast<double>(result.wrong);
  result.difference = result.wrong > 0 ? wrong / static_cast<double>(std::max<std::size_t>(result.compared, 1)) : 0;
  result.within = result.wrong <= bound.edits;
  result.error_ratio = result.wrong == 0 ? 0
                       : bound.edits > 0 ? wrong / static_cast<double>(bound.edits)
                                         : beyond_any_bound;
  return result;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StageComparison compare_boxes(const StageBoxes& ours, const StageBoxes& theirs,
                                                                       const StageBound& bound) {
  StageComparison result;
  result.compared = theirs.boxes.size();
  std::vector<bool> taken(ours.boxes.size(), false);
  double worst_overlap = 1;
  const auto tell = [&](const std::string& what) {
    if (result.wrong++ == 0) result.detail = what;
  };
  const auto name = [](const DetectedObject& box) {
    return "box (" + printed_number(box.box.x) + ", " + printed_number(box.box.y) + ", " +
           printed_number(box.box.width) + ", " + printed_number(box.box.height) + ") of category " +
           std::to_string(box.category);
  };
  for (const DetectedObject& own : theirs.boxes) {
    double best = 0;
    std::size_t match = ours.boxes.size();
    for (std::size_t i = 0; i < ours.boxes.size(); ++i) {
      if (taken[i] || ours.boxes[i].category != own.category || ours.boxes[i].image != own.image) continue;
      const Box &mine = ours.boxes[i].box, &other = own.box;
      const bool same =
          mine.x == other.x && mine.y == other.y && mine.width == other.width && mine.height == other.height;
      const double overlap = same ? 1 : intersection_over_union(mine, other);  // boxes without a size share nothing
      if (overlap > best) best = overlap, match = i;
    }
    if (match == ours.boxes.size()) {
      worst_overlap = 0;
      tell(name(own) + " is missing");
      continue;
    }
    taken[match] = true;
    worst_overlap = std::min(worst_overlap, best);
    const double score = std::abs(ours.boxes[match].score - own.score);
    if (best < bound.box_overlap)
      tell(name(own) + " is met with IoU " + printed_number(best, 4));
    else if (!(score <= bound.box_score))
      tell(name(own) + " has the score " + printed_number(ours.boxes[match].score) + " instead of " +
           printed_number(own.score));
  }
  for (std::size_t i = 0; i < ours.boxes.size(); ++i)
    if (!taken[i]) tell(name(ours.boxes[i]) + " is nothing that the reference has"), worst_overlap = 0;
  result.difference = 1 - worst_overlap;
  result.error_ratio = bound.box_overlap < 1 ? (1 - worst_overlap) / (1 - bound.box_overlap)
                       : result.wrong > 0    ? beyond_any_bound
                                             : 0;
  if (result.wrong > 0) result.error_ratio = std::max(result.error_ratio, 1 + 1e-9);
  result.within = result.wrong == 0;
  return result;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE StageComparison compare_stage(const StageValue& ours, const StageValue& theirs,
                                                         const StageBound& bound) {
  if (ours.index() != theirs.index())
    return detail::mismatch(std::string(kind_of(ours)) + " instead of " + kind_of(theirs));
  switch (ours.index()) {
    case 0: return detail::compare_tensors(std::get<0>(ours), std::get<0>(theirs), bound);
    case 1: return detail::compare_ids(std::get<1>(ours), std::get<1>(theirs), bound);
    case 2: return detail::compare_texts(std::get<2>(ours), std::get<2>(theirs), bound);
    default: return detail::compare_boxes(std::get<3>(ours), std::get<3>(theirs), bound);
  }
}

}  // namespace assay::inline v0
