#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/report/run_reader.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// Reads documents that people write: a member that is not known is an error with the nearest name, never skipped. Of
/// any JSON library with the interface of nlohmann::json. The first refusal stands in `error`; what is read after it is
/// of no account.
template <class Json>
class FormReader {
 public:
  std::string error;

  void refuse(const std::string& what) {
    if (error.empty()) error = "at '" + visible(pointer_) + "': " + clipped(visible(what), 600);
  }
  template <class Value>
  [[nodiscard]] Value accepted(Result<Value> result, Value otherwise) {
    if (result) return std::move(result).value();
    refuse(result.error().message);
    return otherwise;
  }

  /// Whether it is an object all of whose members are known and of which none of `required` is missing.
  [[nodiscard]] bool object(const Json& json, const std::vector<std::string>& known,
                            const std::vector<std::string>& required = {}) {
    if (!expect_kind(json.is_object(), json, "an object")) return false;
    for (const auto& [name, member] : json.items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        return refuse(unknown_name("member", clipped(name, 60), known)), false;
    for (const std::string& name : required)
      if (json.find(name) == json.end()) return refuse("expected a member \"" + name + "\", found none"), false;
    return error.empty();
  }
  [[nodiscard]] bool has(const Json& json, const char* name) const { return json.find(name) != json.end(); }

  /// Calls `read(member)` if it is there.
  template <class Read>
  void member(const Json& json, const char* name, Read read) {
    const auto found = json.find(name);
    if (found != json.end()) inside(name, [&] { read(*found); });
  }
  template <class Action>
  void inside(const std::string& token, Action action) {
    if (!error.empty()) return;
    const std::size_t length = pointer_.size();
    pointer_ += pointer_token(token);
    action();
    pointer_.resize(length);
  }
  template <class Read>
  void each(const Json& list, Read read) {
    if (!expect_kind(list.is_array(), list, "a list")) return;
    for (std::size_t i = 0; i < list.size() && error.empty(); ++i) inside(std::to_string(i), [&] { read(list[i]); });
  }
  template <class Read>
  void each_member(const Json& json, Read read) {
    if (!expect_kind(json.is_object(), json, "an object")) return;
    for (const auto& [name, value] : json.items()) inside(name, [&, &key = name, &entry = value] { read(key, entry); });
  }

  [[nodiscard]] std::string text(const Json& json) {
    return expect_kind(json.is_string(), json, "a string") ? json.template get<std::string>() : std::string();
  }
  void text(const Json& json, const char* name, std::string& value) {
    member(json, name, [&](const Json& entry) { value = text(entry); });
  }
  /// One string, or a list of at least one.
  [[nodiscard]] std::vector<std::string> texts(const Json& json) {
    if (json.is_string()) return {text(json)};
    std::vector<std::string> values;
    if (!expect_kind(json.is_array() && !json.empty(), json, "a string, or a list of strings that is not empty"))
      return values;
    each(json, [&](const Json& entry) { values.push_back(text(entry)); });
    return values;
  }
  void texts(const Json& json, const char* name, std::vector<std::string>& values) {
    member(json, name, [&](const Json& entry) { values = texts(entry); });
  }
  void whole(const Json& json, const char* name, std::size_t& value) {
    member(json, name, [&](const Json& entry) {
      if (expect_kind(entry.is_number_unsigned(), entry, "a whole number of 0 or more"))
        value = entry.template get<std::size_t>();
    });
  }
  void number(const Json& json, const char* name, double& value) {
    member(json, name, [&](const Json& entry) {
      if (expect_kind(entry.is_number(), entry, "a number")) value = entry.template get<double>();
    });
  }
  void flag(const Json& json, const char* name, bool& value) {
    member(json, name, [&](const Json& entry) {
      if (expect_kind(entry.is_boolean(), entry, "true or false")) value = entry.template get<bool>();
    });
  }
  /// One of several words.
  template <class Value>
  void word(const Json& json, const char* name, const std::vector<std::pair<std::string, Value>>& words, Value& value) {
    member(json, name, [&](const Json& entry) {
      const std::string given = text(entry);
      std::vector<std::string> known;
      for (const auto& [spelling, meaning] : words) {
        known.push_back(spelling);
        if (spelling == given) value = meaning;
      }
      if (error.empty() && std::find(known.begin(), known.end(), given) == known.end())
        refuse(unknown_name("word", clipped(given, 60), known));
    });
  }
  /// The member "schema".
  void schema(const Json& json, std::string_view expected) {
    member(json, "schema", [&](const Json& entry) {
      if (const std::string given = text(entry); error.empty() && given != expected)
        refuse("expected \"" + std::string(expected) + "\", the form that this version reads, found \"" +
               clipped(given, 60) + "\"");
    });
  }

 private:
  bool expect_kind(bool condition, const Json& found, const char* expected) {
    if (!condition)
      refuse("expected " + std::string(expected) + ", found " +
             (found.is_structured() ? std::string("an ") + found.type_name()
                                    : clipped(found.dump(-1, ' ', false, Json::error_handler_t::replace), 80)));
    return condition;
  }

  std::string pointer_;
};

}  // namespace assay::inline v0::detail
