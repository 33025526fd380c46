#pragma once

#include "assay/accuracy/detection_file.hpp"

#include <cmath>
#include <set>

#include "assay/core/config.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why an entry is refused.
struct RefusedEntry {
  std::string why;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const nlohmann::json& detection_member(const nlohmann::json& entry,
                                                                                const char* name, bool whole) {
  const auto found = entry.find(name);
  if (found == entry.end()) throw RefusedEntry{"\"" + std::string(name) + "\" is missing"};
  if (whole ? !found->is_number_integer() : !found->is_number())
    throw RefusedEntry{"\"" + std::string(name) + "\" is " + clipped(visible(found->dump()), 40) +
                       (whole ? ", no whole number" : ", no number")};
  return *found;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Box detection_box(const nlohmann::json& entry) {
  const auto found = entry.find("bbox");
  if (found == entry.end() || !found->is_array() || found->size() != 4)
    throw RefusedEntry{"\"bbox\" is no list of x, y, width, height"};
  double sides[4];
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(*found)[i].is_number()) throw RefusedEntry{"\"bbox\" has " + clipped(visible((*found)[i].dump()), 40)};
    sides[i] = (*found)[i].get<double>();
  }
  if (sides[2] < 0 || sides[3] < 0) throw RefusedEntry{"\"bbox\" has a negative side"};
  return {sides[0], sides[1], sides[2], sides[3]};
}

/// Reads each entry of a list, or of the member `annotations` of an object.
template <class Item, class Read>
[[nodiscard]] Result<std::vector<Item>> read_detection_list(std::string_view text, const std::string& name, Read read) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto refused = [&](const std::string& why) { return failure(ErrorKind::malformed, "'" + name + "': " + why); };
  if (json.is_discarded()) return refused("this is no JSON (NaN is none, either)");
  const nlohmann::json* list = &json;
  if (json.is_object()) {
    if (!json.contains("annotations")) return refused("the member \"annotations\" is missing");
    list = &json["annotations"];
  }
  if (!list->is_array()) return refused("a list of objects was expected");
  std::vector<Item> items;
  items.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) try {
      if (!(*list)[i].is_object()) throw RefusedEntry{"this is no object"};
      items.push_back(read((*list)[i]));
    } catch (const RefusedEntry& entry) {
      return refused("entry " + std::to_string(i) + ": " + entry.why);
    }
  return items;
}

ASSAY_DETAIL_HEADER_INLINE Result<DetectedObject> detected_object_of(const nlohmann::json& entry, bool all) {
  if (!entry.is_object()) return failure(ErrorKind::malformed, "this is no object");
  const auto wanted = [&](const char* name) { return all || entry.contains(name); };
  try {
    DetectedObject object;
    if (wanted("image_id")) object.image = detection_member(entry, "image_id", true).get<std::int64_t>();
    if (wanted("category_id")) object.category = detection_member(entry, "category_id", true).get<std::int64_t>();
    object.box = detection_box(entry);
    if (wanted("score")) object.score = detection_member(entry, "score", false).get<double>();
    return object;
  } catch (const RefusedEntry& refused) {
    return failure(ErrorKind::malformed, refused.why);
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<TrueObject>> parse_true_objects(std::string_view text,
                                                                              const std::string& name) {
  return detail::read_detection_list<TrueObject>(text, name, [](const nlohmann::json& entry) {
    TrueObject object;
    object.image = detail::detection_member(entry, "image_id", true).get<std::int64_t>();
    object.category = detail::detection_member(entry, "category_id", true).get<std::int64_t>();
    object.box = detail::detection_box(entry);
    object.area = entry.contains("area") ? detail::detection_member(entry, "area", false).get<double>()
                                         : object.box.width * object.box.height;
    const auto crowd = entry.find("iscrowd");
    object.crowd = crowd != entry.end() && (*crowd == 1 || *crowd == true);
    return object;
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<DetectedObject>> parse_detected_objects(std::string_view text,
                                                                                      const std::string& name) {
  return detail::read_detection_list<DetectedObject>(text, name, [](const nlohmann::json& entry) {
    const auto object = detail::detected_object_of(entry, true);
    if (!object) throw detail::RefusedEntry{object.error().message};
    return object.value();
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<TrueObject>> read_true_objects(const std::filesystem::path& path) {
  const auto text = read_file(path, "a file of COCO's form for instances");
  if (!text) return text.propagate();
  return parse_true_objects(text.value(), path.string());
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<DetectedObject>> read_detected_objects(
    const std::filesystem::path& path) {
  const auto text = read_file(path, "a file of COCO's form for results");
  if (!text) return text.propagate();
  return parse_detected_objects(text.value(), path.string());
}

ASSAY_DETAIL_HEADER_INLINE std::size_t detections_elsewhere(const std::vector<TrueObject>& objects,
                                                            const std::vector<DetectedObject>& detections) {
  std::set<std::int64_t> images;
  for (const TrueObject& object : objects) images.insert(object.image);
  std::size_t elsewhere = 0;
  for (const DetectedObject& detection : detections) elsewhere += images.count(detection.image) == 0 ? 1 : 0;
  return elsewhere;
}

}  // namespace assay::inline v0
