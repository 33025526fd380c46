#pragma once

#include "assay/pipeline/recorded_stages.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "assay/accuracy/detection_file.hpp"
#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/io/npy.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// The number that a name begins with, 0 if none, and the name.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<double, std::string> stage_order(const std::string& name) {
  double number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') break;
    number = 10 * number + (c - '0');
  }
  return {number, name};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<StageValue> stage_of_json(std::string_view text,
                                                                          const std::string& name) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto refused = [&](const std::string& why) { return failure(ErrorKind::malformed, "'" + name + "': " + why); };
  if (!json.is_array()) return refused("a JSON list of ids, texts or boxes was expected");
  const auto all = [&](auto is) { return std::all_of(json.begin(), json.end(), is); };
  if (all([](const nlohmann::json& item) { return item.is_number_integer(); }))
    return StageValue(StageIds{json.get<std::vector<std::int64_t>>()});
  if (all([](const nlohmann::json& item) { return item.is_string(); }))
    return StageValue(StageTexts{json.get<std::vector<std::string>>()});
  StageBoxes boxes;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto box = detected_object_of(json[i], false);
    if (!box)
      return refused("entry " + std::to_string(i) + " is " + clipped(visible(json[i].dump()), 40) + ": " +
                     box.error().message +
                     "; a list has whole numbers, texts, or objects with \"bbox\" as x, y, width, height");
    boxes.boxes.push_back(box.value());
  }
  return StageValue(std::move(boxes));
}

/// Sets what an object says of a bound; what it says wrongly otherwise.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string read_bound(const nlohmann::json& json, StageBound& bound) {
  const std::map<std::string, double*> members{{"absolute", &bound.absolute},
                                               {"relative", &bound.relative},
                                               {"wrong_share", &bound.wrong_share},
                                               {"box_overlap", &bound.box_overlap},
                                               {"box_score", &bound.box_score}};
  if (!json.is_object()) return "is no object";
  for (const auto& [name, value] : json.items()) {
    const auto found = members.find(name);
    if (name == "origin" && value.is_string()) {
      bound.origin = value.get<std::string>();
    } else if (name == "edits" && value.is_number_unsigned()) {
      bound.edits = value.get<std::size_t>();
    } else if (found == members.end()) {
      std::vector<std::string> names{"edits", "origin"};
      for (const auto& [known, place] : members) names.push_back(known);
      return unknown_name("member", name, names);
    } else if (!value.is_number() || !(value.get<double>() >= 0)) {
      return "\"" + name + "\" is " + value.dump() + "; give a number of 0 or more";
    } else {
      *found->second = value.get<double>();
    }
  }
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> recorded_stage_names(const std::filesystem::path& folder) {
  std::error_code code;
  if (!std::filesystem::exists(folder, code))
    return failure(ErrorKind::not_found, "'" + folder.string() + "': no such folder");
  std::vector<std::string> names;
  std::filesystem::directory_iterator entries(folder, code);
  if (code) return failure(ErrorKind::io, "'" + folder.string() + "' cannot be listed: " + code.message());
  for (const auto& entry : entries)
    if (entry.path().extension() == ".npy" || entry.path().extension() == ".json")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end(),
            [](const std::string& a, const std::string& b) { return detail::stage_order(a) < detail::stage_order(b); });
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    return failure(ErrorKind::malformed,
                   "'" + folder.string() + "' has the stage '" + *twice + "' as .npy and as .json");
  if (names.empty())
    return failure(ErrorKind::malformed, "'" + folder.string() + "' has no stage: no .npy and no .json");
  return names;
}

ASSAY_DETAIL_HEADER_INLINE Result<StageValue> read_recorded_stage(const std::filesystem::path& folder,
                                                                  const std::string& stage) {
  std::error_code code;
  const std::filesystem::path array = folder / (stage + ".npy"), list = folder / (stage + ".json");
  if (std::filesystem::exists(array, code)) {
    const auto read = read_npy(array.string());
    if (!read) return read.propagate();
    const NpyArray& numbers = read.value();
    StageTensor tensor;
    tensor.shape.assign(numbers.shape.begin(), numbers.shape.end());
    auto values = numbers.type.kind == NpyKind::raw
                      ? Result<std::vector<double>>(failure(
                            ErrorKind::unsupported,
                            "'" + array.string() + "' has raw elements; convert them with .astype before saving"))
                      : numbers.values<float64>();
    if (!values) return values.propagate();
    tensor.values = std::move(values).value();
    return StageValue(std::move(tensor));
  }
  if (!std::filesystem::exists(list, code))
    return failure(ErrorKind::not_found,
                   "'" + folder.string() + "' has neither " + stage + ".npy nor " + stage + ".json");
  const auto text = read_file(list, "a stage's output");
  if (!text) return text.propagate();
  return detail::stage_of_json(text.value(), list.string());
}

ASSAY_DETAIL_HEADER_INLINE std::vector<StageOutput> read_recorded_stages(const std::filesystem::path& folder,
                                                                         const std::vector<std::string>& stages) {
  std::vector<StageOutput> outputs;
  for (const std::string& stage : stages) outputs.push_back({stage, read_recorded_stage(folder, stage)});
  return outputs;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<StageBound>> parse_stage_bounds(std::string_view text,
                                                                              const std::string& name,
                                                                              const std::vector<std::string>& stages,
                                                                              const StageBound& otherwise) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto refused = [&](const std::string& why) { return failure(ErrorKind::malformed, "'" + name + "': " + why); };
  if (!json.is_object()) return refused("a JSON object of bounds by stage was expected");
  StageBound rest = otherwise;
  if (json.contains("*"))
    if (const std::string wrong = detail::read_bound(json["*"], rest); !wrong.empty())
      return refused("\"*\": " + wrong);
  std::vector<StageBound> bounds(stages.size(), rest);
  for (const auto& [stage, bound] : json.items()) {
    if (stage == "*") continue;
    const auto found = std::find(stages.begin(), stages.end(), stage);
    if (found == stages.end()) return refused(unknown_name("stage", stage, stages));
    StageBound& own = bounds[static_cast<std::size_t>(found - stages.begin())];
    own = otherwise;
    if (const std::string wrong = detail::read_bound(bound, own); !wrong.empty())
      return refused("\"" + stage + "\": " + wrong);
  }
  return bounds;
}

}  // namespace assay::inline v0
