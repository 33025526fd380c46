#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/accuracy/score.hpp"

namespace assay::inline v0 {

/// A rectangle in pixels.
struct Box {
  double x = 0;       ///< left edge
  double y = 0;       ///< upper edge
  double width = 0;   ///< 0 or more
  double height = 0;  ///< 0 or more
};

/// Intersection over union; 0 where both are empty. With `crowd`, over the area of `box` alone: a region of many
/// objects, of which a detection may have any.
[[nodiscard]] double intersection_over_union(const Box& box, const Box& truth, bool crowd = false) noexcept;

/// An object that is there.
struct TrueObject {
  std::int64_t image = 0;     ///< its id
  std::int64_t category = 0;  ///< its id
  Box box;
  double area = 0;     ///< in square pixels, of its mask where there is one, for the classes of size
  bool crowd = false;  ///< a region of many: detections in it are neither right nor wrong
};

/// An object that was found.
struct DetectedObject {
  std::int64_t image = 0;     ///< the id of the image
  std::int64_t category = 0;  ///< the id of the class
  Box box;
  double score = 0;  ///< larger: surer
};

/// COCO's twelve figures; −1 where there is nothing to find.
struct DetectionFigures {
  double ap = -1;                                       ///< mean over IoU .5, .55, …, .95
  double ap50 = -1, ap75 = -1;                          ///< at one IoU
  double ap_small = -1, ap_medium = -1, ap_large = -1;  ///< objects up to 32², 96², beyond
  double ar1 = -1, ar10 = -1, ar100 = -1;               ///< recall with so many detections an image
  double ar_small = -1, ar_medium = -1, ar_large = -1;  ///< by size of the object, as AP is; -1: there is none
};

/// What the average of precisions at 101 recalls needs, so that resamples of images cost no new matching.
class DetectionEvaluation {
 public:
  /// Matches detections to objects: by falling score, equal scores in the order given, the 100 surest of an image and
  /// category; each takes the free object of largest IoU, the later of equals, and one that is to be ignored (crowd, or
  /// outside the class of size) only where no other fits. Source: COCO's evaluation (Lin et al., 2014), as pycocotools
  /// 2.0.11 with annotation ids from 1; of its ids, an object with id 0 counts there as never found. O(n log n + Σ n·m)
  /// with n, m those of an image and category. `images`: those that belong to it although nothing is on them. Misuse: a score that is NaN, a box with a negative or NaN side.
  DetectionEvaluation(std::span<const TrueObject> objects, std::span<const DetectedObject> detections,
                      std::vector<std::int64_t> images = {});

  /// COCO's figures of all images.
  [[nodiscard]] const DetectionFigures& figures() const noexcept { return figures_; }
  /// Ids of the images that were named, or have objects or detections, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& images() const noexcept { return images_; }
  /// AP where image i of `images()` is there `weights[i]` times. O(detections).
  [[nodiscard]] double average_precision(std::span<const std::uint32_t> weights) const;

 private:
  struct Matched {
    std::uint32_t image = 0;
    std::uint16_t hit = 0, ignored = 0;  ///< a bit an IoU
  };
  struct Category {
    std::vector<Matched> detections;                               ///< by falling score
    std::vector<std::pair<std::uint32_t, std::uint32_t>> objects;  ///< image, objects to be found in it
  };

  DetectionFigures figures_;
  std::vector<std::int64_t> images_;
  std::vector<Category> categories_;
};

/// AP over IoU .5 to .95, with COCO's other figures and the counts as parts.
[[nodiscard]] Score detection_score(const DetectionEvaluation& evaluation, std::size_t objects, std::size_t detections);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/detection.ipp"
#endif
