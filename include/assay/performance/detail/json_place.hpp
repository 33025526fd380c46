#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/printed_number.hpp"
#include "assay/report/json.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// Why a document is refused. Thrown by `JsonPlace`, caught by the importers.
struct MalformedJson {
  std::string message;
};

/// NaN, Infinity and -Infinity, which Python and Google Benchmark write and JSON lacks, as texts.
[[nodiscard]] std::string with_quoted_infinities(std::string_view text);

/// A value of a document, with the way to it, so that every refusal names its place.
class JsonPlace {
 public:
  using Json = nlohmann::json;

  JsonPlace(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] const Json& value() const noexcept { return *value_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  [[noreturn]] void refuse(const std::string& why) const {
    throw MalformedJson{(path_.empty() ? "the document" : path_) + ": " + why};
  }
  [[noreturn]] void expected(const std::string& wanted) const {
    refuse("expected " + wanted + ", found " +
           clipped(visible(value_->dump(-1, ' ', false, Json::error_handler_t::replace)), 60));
  }

  /// A member that may be absent or null.
  [[nodiscard]] std::optional<JsonPlace> find(const std::string& name) const {
    if (!value_->is_object()) expected("an object");
    const auto found = value_->find(name);
    if (found == value_->end() || found->is_null()) return std::nullopt;
    return JsonPlace(*found, path_ + (path_.empty() ? "" : ".") + name);
  }
  [[nodiscard]] JsonPlace at(const std::string& name) const {
    if (auto found = find(name)) return *found;
    refuse("the member \"" + name + "\" is missing");
  }
  [[nodiscard]] std::vector<JsonPlace> elements() const {
    if (!value_->is_array()) expected("a list");
    std::vector<JsonPlace> all;
    for (const Json& element : *value_) all.emplace_back(element, path_ + "[" + std::to_string(all.size()) + "]");
    return all;
  }
  /// Names and values of an object.
  [[nodiscard]] std::vector<std::pair<std::string, JsonPlace>> members() const;
  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) expected("a text");
    return value_->get<std::string>();
  }
  /// Also a text that is a number, NaN or an infinity.
  [[nodiscard]] double number() const;
  [[nodiscard]] bool is_true() const { return value_->is_boolean() && value_->get<bool>(); }
  /// A text, number or truth value as text; empty for others.
  [[nodiscard]] std::string scalar_text() const {
    if (value_->is_string()) return value_->get<std::string>();
    return value_->is_number() || value_->is_boolean() ? value_->dump() : std::string();
  }
  [[nodiscard]] std::string text_of(const std::string& name) const {
    const auto found = find(name);
    return found ? found->scalar_text() : std::string();
  }

 private:
  const Json* value_;
  std::string path_;
};

/// Parses `text` and gives it to `read`, which may throw `MalformedJson`. `what` names the form, for messages.
template <class Read>
[[nodiscard]] auto read_json_document(std::string_view text, const std::string& what, Read read)
    -> Result<decltype(read(std::declval<JsonPlace>()))> {
  JsonBuilder builder;
  const std::string quoted = with_quoted_infinities(text);
  nlohmann::json::sax_parse(quoted.begin(), quoted.end(), &builder);
  if (!builder.error.empty()) return failure(ErrorKind::malformed, "not " + what + ": " + builder.error);
  try {
    return read(JsonPlace(builder.root, ""));
  } catch (const MalformedJson& refusal) {
    return failure(ErrorKind::malformed, "not " + what + ": " + refusal.message);
  }
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/json_place.ipp"
#endif
