#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/detection.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Objects that are there, of COCO's instances file: an object with `annotations` (`image_id`, `category_id`, `bbox` as
/// [x, y, width, height], `area`, without which the box's counts, `iscrowd`), or the list alone. Errors: `not_found`,
/// `io`; `malformed`: no such JSON, with the number of the annotation.
[[nodiscard]] Result<std::vector<TrueObject>> read_true_objects(const std::filesystem::path& path);
/// The same of a text in memory; `name` stands for it in messages.
[[nodiscard]] Result<std::vector<TrueObject>> parse_true_objects(std::string_view text, const std::string& name);

/// Objects that were found, of COCO's results file: a list of `image_id`, `category_id`, `bbox`, `score`. Errors: as
/// above; NaN scores and boxes, and negative sides, are `malformed`.
[[nodiscard]] Result<std::vector<DetectedObject>> read_detected_objects(const std::filesystem::path& path);
/// The same of a text in memory; `name` stands for it in messages.
[[nodiscard]] Result<std::vector<DetectedObject>> parse_detected_objects(std::string_view text,
                                                                         const std::string& name);

namespace detail {

/// The object that an entry of a list is: `bbox`, and `image_id`, `category_id`, `score`, which are 0 where they are
/// left out, unless `all` are to be there. Error: `malformed`, what is missing or of another kind, or a negative side.
[[nodiscard]] Result<DetectedObject> detected_object_of(const nlohmann::json& entry, bool all);

}  // namespace detail

/// Detections on images that have no object and are in no list of images: they count as wrong where their category
/// occurs. How many there are, for a note. O(n log n).
[[nodiscard]] std::size_t detections_elsewhere(const std::vector<TrueObject>& objects,
                                               const std::vector<DetectedObject>& detections);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/detection_file.ipp"
#endif
