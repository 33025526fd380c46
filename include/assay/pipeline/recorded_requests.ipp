#pragma once

#include "assay/pipeline/recorded_requests.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/pipeline/recorded_stages.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// Reads members of one object, and keeps the first thing that is wrong with it.
class RecordedObject {
 public:
  explicit RecordedObject(const nlohmann::json& json) : json_(json) {
    if (!json.is_object()) trouble_ = "this is no JSON object: " + clipped(visible(json.dump()), 60);
  }

  /// The member, if it is there and `is` what is wanted.
  const nlohmann::json* member(const char* name, bool wanted, const char* what,
                               const std::function<bool(const nlohmann::json&)>& is) {
    known_.push_back(name);
    if (!trouble_.empty()) return nullptr;
    const auto found = json_.find(name);
    if (found == json_.end()) {
      if (wanted) trouble_ = "\"" + std::string(name) + "\" is missing: " + what + " was expected";
      return nullptr;
    }
    if (is(*found)) return &*found;
    trouble_ =
        "\"" + std::string(name) + "\" is " + clipped(visible(found->dump()), 40) + "; " + what + " was expected";
    return nullptr;
  }

  void number(const char* name, double& value, bool wanted = false) {
    if (const auto* found = member(name, wanted, "a number", [](const auto& json) { return json.is_number(); }))
      value = found->template get<double>();
  }
  void flag(const char* name, bool& value) {
    if (const auto* found = member(name, false, "true or false", [](const auto& json) { return json.is_boolean(); }))
      value = found->template get<bool>();
  }
  void text(const char* name, std::string& value) {
    if (const auto* found = member(name, true, "a text", [](const auto& json) { return json.is_string(); }))
      value = found->template get<std::string>();
  }
  template <class Element>
  void list(const char* name, std::vector<Element>& values, bool wanted, const char* what,
            bool (*is)(const nlohmann::json&)) {
    const auto all = [&](const nlohmann::json& json) {
      return json.is_array() && std::all_of(json.begin(), json.end(), is);
    };
    if (const auto* found = member(name, wanted, what, all)) values = found->template get<std::vector<Element>>();
  }
  void numbers_by_name(const char* name, std::map<std::string, double>& values) {
    const auto* found = member(name, false, "an object of numbers", [](const nlohmann::json& json) {
      return json.is_object() && std::all_of(json.begin(), json.end(), [](const auto& own) { return own.is_number(); });
    });
    if (found != nullptr) values = found->template get<std::map<std::string, double>>();
  }

  void refuse(std::string why) {
    if (trouble_.empty()) trouble_ = std::move(why);
  }

  /// What is wrong, members that nobody asked for included; empty if nothing is.
  [[nodiscard]] std::string trouble() const {
    if (!trouble_.empty()) return trouble_;
    for (const auto& [name, value] : json_.items())
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) return unknown_name("member", name, known_);
    return {};
  }

 private:
  const nlohmann::json& json_;
  std::vector<std::string> known_;
  std::string trouble_;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_whole_number(const nlohmann::json& json) {
  return json.is_number_integer() && !(json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_checksum(const nlohmann::json& json) {
  return json.is_number_unsigned();
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_text(const nlohmann::json& json) {
  return json.is_string();
}

/// An answer: ids, numbers or texts; nothing where it is none of these.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<StageValue> answer_of_json(nlohmann::json json) {
  if (!json.is_array()) json = nlohmann::json::array({std::move(json)});
  const auto all = [&](const auto& is) { return std::all_of(json.begin(), json.end(), is); };
  if (all(is_whole_number)) return StageIds{json.get<std::vector<std::int64_t>>()};
  if (all(is_text)) return StageTexts{json.get<std::vector<std::string>>()};
  if (!all([](const nlohmann::json& own) { return own.is_number(); })) return std::nullopt;
  return StageTensor{{static_cast<std::int64_t>(json.size())}, json.get<std::vector<double>>()};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string read_split_request(const nlohmann::json& json,
                                                                        SplitRequest& request) {
  RecordedObject object(json);
  object.text("id", request.id);
  object.number("begin", request.begin, true);
  object.number("end", request.end, true);
  object.flag("cut", request.cut);
  object.flag("fell_back", request.fell_back);
  const auto is_answer = [](const nlohmann::json& own) { return answer_of_json(own).has_value(); };
  for (const auto& [name, place] : {std::pair{"answer", &request.answer}, {"reference", &request.reference}})
    if (const auto* found = object.member(name, false, "ids, numbers or texts", is_answer))
      *place = answer_of_json(*found);
  const auto is_list = [](const nlohmann::json& own) { return own.is_array(); };
  if (const auto* spans = object.member("spans", true, "a list of objects", is_list))
    for (std::size_t i = 0; i < spans->size(); ++i) {
      RecordedObject span((*spans)[i]);
      StageSpan own;
      span.text("stage", own.stage);
      span.text("place", own.place);
      span.number("begin", own.begin, true);
      span.number("end", own.end, true);
      if (const std::string trouble = span.trouble(); !trouble.empty())
        object.refuse("span " + std::to_string(i) + ": " + trouble);
      request.spans.push_back(std::move(own));
    }
  return object.trouble();
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string read_loaded_epoch(const nlohmann::json& json, LoadedEpoch& epoch) {
  RecordedObject object(json);
  object.list("samples", epoch.samples, true, "a list of whole numbers", is_whole_number);
  object.list("checksums", epoch.checksums, false, "a list of whole numbers of 0 or more", is_checksum);
  object.number("seconds", epoch.seconds);
  object.number("stalled_seconds", epoch.stalled_seconds);
  if (!epoch.checksums.empty() && epoch.checksums.size() != epoch.samples.size())
    object.refuse("there are " + std::to_string(epoch.checksums.size()) + " checksums of " +
                  std::to_string(epoch.samples.size()) + " samples");
  if (!(epoch.seconds >= 0) || !(epoch.stalled_seconds >= 0)) object.refuse("seconds are below 0");
  return object.trouble();
}

/// A value a line, each read by `read`, which tells what is wrong.
template <class Value>
[[nodiscard]] Result<std::vector<Value>> parse_recorded_lines(std::string_view text, const std::string& name,
                                                              std::string (*read)(const nlohmann::json&, Value&)) {
  std::vector<Value> values;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    Value value;
    const std::string trouble =
        json.is_discarded() ? "this is no JSON: " + clipped(visible(std::string(line)), 60) : read(json, value);
    if (!trouble.empty())
      return failure(ErrorKind::malformed, "'" + name + "', line " + std::to_string(number) + ": " + trouble);
    values.push_back(std::move(value));
  }
  if (values.empty()) return failure(ErrorKind::malformed, "'" + name + "' has no line");
  return values;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<SplitRequest>> parse_split_requests(std::string_view text,
                                                                                  const std::string& name) {
  return detail::parse_recorded_lines<SplitRequest>(text, name, detail::read_split_request);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<LoadedEpoch>> parse_loaded_epochs(std::string_view text,
                                                                                const std::string& name) {
  return detail::parse_recorded_lines<LoadedEpoch>(text, name, detail::read_loaded_epoch);
}

ASSAY_DETAIL_HEADER_INLINE Result<SplitPromise> parse_split_promise(std::string_view text, const std::string& name) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  SplitPromise promise;
  detail::RecordedObject object(json);
  object.list("stages", promise.stages, true, "a list of texts", detail::is_text);
  object.list("fallback", promise.fallback, false, "a list of texts", detail::is_text);
  object.number("deadline", promise.deadline, true);
  object.number("late_share", promise.late_share);
  object.numbers_by_name("stage_deadlines", promise.stage_deadlines);
  object.numbers_by_name("cost_per_second", promise.cost_per_second);
  const auto is_object = [](const nlohmann::json& own) { return own.is_object(); };
  for (const auto& [bound, place] :
       {std::pair{"answers", &promise.answers}, {"fallback_answers", &promise.fallback_answers}})
    if (const auto* found = object.member(bound, false, "an object, as of a stage's bound", is_object)) {
      const nlohmann::json alone{{bound, *found}};
      const auto read = parse_stage_bounds(alone.dump(), name, {bound}, {});
      if (!read) return read.propagate();
      *place = read.value().front();
    }
  for (const auto& [stage, seconds] : promise.stage_deadlines)
    if (std::count(promise.stages.begin(), promise.stages.end(), stage) == 0 &&
        std::count(promise.fallback.begin(), promise.fallback.end(), stage) == 0) {
      std::vector<std::string> stages = promise.stages;
      stages.insert(stages.end(), promise.fallback.begin(), promise.fallback.end());
      object.refuse("\"stage_deadlines\": " + unknown_name("stage", stage, stages));
    }
  if (promise.stages.empty()) object.refuse("\"stages\" is empty");
  if (!(promise.deadline > 0)) object.refuse("\"deadline\" is not above 0");
  if (!(promise.late_share >= 0 && promise.late_share < 1)) object.refuse("\"late_share\" is not from 0 to below 1");
  if (const std::string trouble = object.trouble(); !trouble.empty())
    return failure(ErrorKind::malformed, "'" + name + "': " + trouble);
  return promise;
}

ASSAY_DETAIL_HEADER_INLINE Result<LoaderPromise> parse_loader_promise(std::string_view text, const std::string& name) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  LoaderPromise promise;
  detail::RecordedObject object(json);
  constexpr std::uint64_t most = 100000000;
  const auto is_dataset = [](const nlohmann::json& own) {
    return (own.is_array() && std::all_of(own.begin(), own.end(), detail::is_whole_number)) ||
           (own.is_number_unsigned() && own.get<std::uint64_t>() <= most);
  };
  if (const auto* found = object.member("dataset", true, "a list of ids, or a count up to 100000000", is_dataset)) {
    if (found->is_array()) {
      promise.dataset = found->get<std::vector<std::int64_t>>();
    } else {
      promise.dataset.resize(found->get<std::size_t>());
      std::iota(promise.dataset.begin(), promise.dataset.end(), std::int64_t{0});
    }
  }
  const auto is_batch = [](const nlohmann::json& own) {
    return own.is_number_unsigned() && own.get<std::size_t>() > 0;
  };
  if (const auto* found = object.member("batch", false, "a whole number above 0", is_batch))
    promise.batch = found->get<std::size_t>();
  object.flag("in_order", promise.in_order);
  object.flag("drops_last", promise.drops_last);
  object.flag("deterministic", promise.deterministic);
  if (const std::string trouble = object.trouble(); !trouble.empty())
    return failure(ErrorKind::malformed, "'" + name + "': " + trouble);
  return promise;
}

}  // namespace assay::inline v0
