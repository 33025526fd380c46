#pragma once

#include "assay/accuracy/detection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/stable_sort.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr std::size_t iou_count = 10, recall_count = 101, area_count = 4, limit_count = 3;

/// 0.5, 0.55, …, 0.95, with the rounding of numpy.linspace.
[[nodiscard]] inline double iou_threshold(std::size_t i) noexcept {
  return i == iou_count - 1 ? 0.95 : 0.5 + static_cast<double>(i) * ((0.95 - 0.5) / 9);
}
[[nodiscard]] inline double recall_threshold(std::size_t i) noexcept {
  return i == recall_count - 1 ? 1.0 : static_cast<double>(i) * 0.01;
}

/// Objects and detections of one image and category, by position, detections by falling score.
struct DetectionCell {
  std::uint32_t image = 0;
  std::vector<std::uint32_t> objects, detections;
};

/// A detection as one class of size sees it.
struct SeenDetection {
  double score = 0;
  std::uint32_t image = 0, rank = 0;  ///< rank: how many surer ones its image and category have
  std::uint16_t hit = 0, ignored = 0;
};

/// Precision at the recalls, highest so far from the right; and the recall that was reached. `weights` counts images.
class PrecisionCurve {
 public:
  void clear() { precision_.clear(), recall_.clear(), hits_ = misses_ = 0; }
  void add(bool hit, double times, double total) {
    (hit ? hits_ : misses_) += times;
    recall_.push_back(hits_ / total);
    precision_.push_back(hits_ / (misses_ + hits_ + std::numeric_limits<double>::epsilon()));
  }
  [[nodiscard]] double reached() const { return recall_.empty() ? 0 : recall_.back(); }
  /// Σ precision over the recalls. O(points).
  [[nodiscard]] double sum() {
    for (std::size_t i = precision_.size(); i-- > 1;) precision_[i - 1] = std::max(precision_[i - 1], precision_[i]);
    double sum = 0;
    std::size_t at = 0;
    for (std::size_t r = 0; r < recall_count; ++r) {
      while (at < recall_.size() && recall_[at] < recall_threshold(r)) ++at;
      if (at == recall_.size()) break;
      sum += precision_[at];
    }
    return sum;
  }

 private:
  std::vector<double> precision_, recall_;
  double hits_ = 0, misses_ = 0;
};

/// What has a value in some categories: their mean, or −1.
struct FigureMean {
  double sum = 0, count = 0;
  void add(double value) { sum += value, ++count; }
  [[nodiscard]] double value() const { return count > 0 ? sum / count : -1; }
};

ASSAY_DETAIL_HEADER_INLINE void expect_detections(std::span<const TrueObject> objects,
                                                  std::span<const DetectedObject> detections) {
  const auto sound = [](const Box& box) {
    return box.width >= 0 && box.height >= 0 && std::isfinite(box.x) && std::isfinite(box.y) &&
           std::isfinite(box.width) && std::isfinite(box.height);
  };
  for (std::size_t i = 0; i < objects.size(); ++i)
    expect(sound(objects[i].box), [&] { return "object " + std::to_string(i) + " has a box with a bad side"; });
  for (std::size_t i = 0; i < detections.size(); ++i)
    expect(sound(detections[i].box) && !std::isnan(detections[i].score),
           [&] { return "detection " + std::to_string(i) + " has a box with a bad side, or the score NaN"; });
}

/// Matches the detections of a cell at all IoUs, as one class of size [least, most] sees them.
ASSAY_DETAIL_HEADER_INLINE void match_cell(const DetectionCell& cell, std::span<const TrueObject> objects,
                                           std::span<const DetectedObject> detections, double least, double most,
                                           const std::vector<double>& overlaps, std::vector<SeenDetection>& seen,
                                           std::size_t& to_be_found) {
  const std::size_t count = cell.objects.size();
  std::vector<std::uint32_t> order;  // positions in the cell: those that count first
  std::vector<bool> ignored(count);
  for (std::size_t g = 0; g < count; ++g) {
    const TrueObject& object = objects[cell.objects[g]];
    ignored[g] = object.crowd || object.area < least || object.area > most;
    if (!ignored[g]) order.push_back(static_cast<std::uint32_t>(g));
  }
  to_be_found = order.size();
  for (std::size_t g = 0; g < count; ++g)
    if (ignored[g]) order.push_back(static_cast<std::uint32_t>(g));
  const std::size_t first = seen.size();
  for (std::size_t d = 0; d < cell.detections.size(); ++d)
    seen.push_back({detections[cell.detections[d]].score, cell.image, static_cast<std::uint32_t>(d), 0, 0});
  std::vector<bool> taken;
  for (std::size_t t = 0; t < iou_count; ++t) {
    taken.assign(count, false);
    for (std::size_t d = 0; d < cell.detections.size(); ++d) {
      double best = std::min(iou_threshold(t), 1 - 1e-10);
      std::size_t match = count;
      for (const std::uint32_t g : order) {
        if (taken[g] && !objects[cell.objects[g]].crowd) continue;
        if (match != count && !ignored[match] && ignored[g]) break;
        const double overlap = overlaps[d * count + g];
        if (overlap < best) continue;
        best = overlap;
        match = g;
      }
      const Box& box = detections[cell.detections[d]].box;
      const double area = box.width * box.height;
      const auto bit = static_cast<std::uint16_t>(1u << t);
      SeenDetection& own = seen[first + d];
      if (match == count) {
        if (area < least || area > most) own.ignored = static_cast<std::uint16_t>(own.ignored | bit);
        continue;
      }
      taken[match] = true;
      own.hit = static_cast<std::uint16_t>(own.hit | bit);
      if (ignored[match]) own.ignored = static_cast<std::uint16_t>(own.ignored | bit);
    }
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double intersection_over_union(const Box& box, const Box& truth, bool crowd) noexcept {
  const double width = std::fmin(box.width + box.x, truth.width + truth.x) - std::fmax(box.x, truth.x);
  if (width <= 0) return 0;
  const double height = std::fmin(box.height + box.y, truth.height + truth.y) - std::fmax(box.y, truth.y);
  if (height <= 0) return 0;
  const double shared = width * height, own = box.width * box.height;
  return shared / (crowd ? own : own + truth.width * truth.height - shared);
}

ASSAY_DETAIL_HEADER_INLINE DetectionEvaluation::DetectionEvaluation(std::span<const TrueObject> objects,
                                                                    std::span<const DetectedObject> detections,
                                                                    std::vector<std::int64_t> images)
    : images_(std::move(images)) {
  using namespace detail;
  expect_detections(objects, detections);
  for (const TrueObject& object : objects) images_.push_back(object.image);
  for (const DetectedObject& detection : detections) images_.push_back(detection.image);
  std::sort(images_.begin(), images_.end());
  images_.erase(std::unique(images_.begin(), images_.end()), images_.end());
  const auto image_index = [&](std::int64_t image) {
    return static_cast<std::uint32_t>(std::lower_bound(images_.begin(), images_.end(), image) - images_.begin());
  };

  // By category, image and falling score, all in the order given among equals.
  const auto sorted_positions = [](std::size_t count, auto before) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    detail::stable_sort(order, before);
    return order;
  };
  const auto object_order = sorted_positions(objects.size(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(objects[a].category, objects[a].image) < std::pair(objects[b].category, objects[b].image);
  });
  const auto detection_order = sorted_positions(detections.size(), [&](std::uint32_t a, std::uint32_t b) {
    const DetectedObject &x = detections[a], &y = detections[b];
    return std::tuple(x.category, x.image, -x.score) < std::tuple(y.category, y.image, -y.score);
  });

  constexpr std::pair<double, double> areas[area_count] = {{0, 1e10}, {0, 1024}, {1024, 9216}, {9216, 1e10}};
  constexpr std::uint32_t limits[limit_count] = {1, 10, 100};
  FigureMean ap[area_count], ap_at[iou_count], recalls[limit_count], recalls_by_area[area_count];
  std::size_t g = 0, d = 0;
  std::vector<double> overlaps;
  PrecisionCurve curve;
  while (g < object_order.size() || d < detection_order.size()) {
    std::int64_t category = std::numeric_limits<std::int64_t>::max();
    if (g < object_order.size()) category = objects[object_order[g]].category;
    if (d < detection_order.size()) category = std::min(category, detections[detection_order[d]].category);
    std::vector<DetectionCell> cells;
    const auto cell_of = [&](std::int64_t image) -> DetectionCell& {
      const std::uint32_t index = image_index(image);
      if (cells.empty() || cells.back().image != index) cells.push_back({index, {}, {}});
      return cells.back();
    };
    for (std::int64_t image = 0;;) {  // images in ascending order
      const bool object = g < object_order.size() && objects[object_order[g]].category == category,
                 detection = d < detection_order.size() && detections[detection_order[d]].category == category;
      if (!object && !detection) break;
      image = object ? objects[object_order[g]].image : detections[detection_order[d]].image;
      if (object && detection) image = std::min(image, detections[detection_order[d]].image);
      DetectionCell& cell = cell_of(image);
      if (object && objects[object_order[g]].image == image)
        cell.objects.push_back(object_order[g++]);
      else
        cell.detections.push_back(detection_order[d++]);
    }
    Category kept;
    std::vector<SeenDetection> seen[area_count];
    std::size_t totals[area_count] = {};
    for (DetectionCell& cell : cells) {
      if (cell.detections.size() > 100) cell.detections.resize(100);
      overlaps.clear();
      for (const std::uint32_t detection : cell.detections)
        for (const std::uint32_t object : cell.objects)
          overlaps.push_back(
              intersection_over_union(detections[detection].box, objects[object].box, objects[object].crowd));
      for (std::size_t a = 0; a < area_count; ++a) {
        std::size_t to_be_found = 0;
        match_cell(cell, objects, detections, areas[a].first, areas[a].second, overlaps, seen[a], to_be_found);
        totals[a] += to_be_found;
        if (a == 0 && to_be_found > 0) kept.objects.emplace_back(cell.image, static_cast<std::uint32_t>(to_be_found));
      }
    }
    for (std::size_t a = 0; a < area_count; ++a) {
      detail::stable_sort(seen[a], [](const SeenDetection& x, const SeenDetection& y) { return x.score > y.score; });
      if (a == 0)
        for (const SeenDetection& own : seen[0]) kept.detections.push_back({own.image, own.hit, own.ignored});
      if (totals[a] == 0) continue;
      for (std::size_t limit = a == 0 ? 0 : limit_count - 1; limit < limit_count; ++limit)
        for (std::size_t t = 0; t < iou_count; ++t) {
          curve.clear();
          for (const SeenDetection& own : seen[a])
            if (own.rank < limits[limit] && (own.ignored >> t & 1) == 0)
              curve.add((own.hit >> t & 1) != 0, 1, static_cast<double>(totals[a]));
          if (a == 0) recalls[limit].add(curve.reached());
          if (limit != limit_count - 1) continue;
          if (a != 0) recalls_by_area[a].add(curve.reached());
          const double mean = curve.sum() / static_cast<double>(recall_count);
          ap[a].add(mean);
          if (a == 0) ap_at[t].add(mean);
        }
    }
    categories_.push_back(std::move(kept));
  }
  figures_ = {ap[0].value(),
              ap_at[0].value(),
              ap_at[5].value(),
              ap[1].value(),
              ap[2].value(),
              ap[3].value(),
              recalls[0].value(),
              recalls[1].value(),
              recalls[2].value(),
              recalls_by_area[1].value(),
              recalls_by_area[2].value(),
              recalls_by_area[3].value()};
}

ASSAY_DETAIL_HEADER_INLINE double DetectionEvaluation::average_precision(std::span<const std::uint32_t> weights) const {
  expect(weights.size() == images_.size(), [] { return "average_precision() needs a weight for each image"; });
  detail::FigureMean mean;
  detail::PrecisionCurve curve;
  for (const Category& category : categories_) {
    double total = 0;
    for (const auto& [image, count] : category.objects) total += static_cast<double>(weights[image]) * count;
    if (total == 0) continue;
    for (std::size_t t = 0; t < detail::iou_count; ++t) {
      curve.clear();
      for (const Matched& own : category.detections)
        if ((own.ignored >> t & 1) == 0 && weights[own.image] > 0)
          curve.add((own.hit >> t & 1) != 0, static_cast<double>(weights[own.image]), total);
      mean.add(curve.sum() / static_cast<double>(detail::recall_count));
    }
  }
  return mean.value();
}

ASSAY_DETAIL_HEADER_INLINE Score detection_score(const DetectionEvaluation& evaluation, std::size_t objects,
                                                 std::size_t detections) {
  const DetectionFigures& all = evaluation.figures();
  Score score{"map",
              all.ap,
              "1",
              true,
              "COCO boxes: IoU .50:.05:.95, 101 recalls, 100 detections, crowd and size ignored, "
              "equal scores in the order given, as pycocotools 2.0.11",
              {},
              {},
              {}};
  score.parts = {{"ap50", all.ap50, "1"},
                 {"ap75", all.ap75, "1"},
                 {"ap_small", all.ap_small, "1"},
                 {"ap_medium", all.ap_medium, "1"},
                 {"ap_large", all.ap_large, "1"},
                 {"ar_1", all.ar1, "1"},
                 {"ar_10", all.ar10, "1"},
                 {"ar_100", all.ar100, "1"},
                 {"ar_small", all.ar_small, "1"},
                 {"ar_medium", all.ar_medium, "1"},
                 {"ar_large", all.ar_large, "1"},
                 {"images", static_cast<double>(evaluation.images().size()), "samples"},
                 {"objects", static_cast<double>(objects), "objects"},
                 {"detections", static_cast<double>(detections), "detections"}};
  return score;
}

}  // namespace assay::inline v0
