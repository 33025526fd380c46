#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/findings.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/run_reader.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"

/// A run as JSON, written and read back. The form is `run.schema.json` beside this header; README.md explains it.
namespace assay::inline v0 {

namespace detail {

using OrderedJson = nlohmann::ordered_json;

[[nodiscard]] inline OrderedJson json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

[[nodiscard]] inline std::string json_line(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Lists that are empty are left out, but for those that readers always ask for.
[[nodiscard]] OrderedJson json_of(const Outcome& outcome);

[[nodiscard]] OrderedJson json_of(const Environment& environment);

[[nodiscard]] OrderedJson json_of(const Finding& finding, const Run& run);

/// Builds a document from text and knows at every moment where in it it is, so that every refusal names the place.
/// Refuses what the format allows but no writer of ours does: a member twice, and nesting deeper than any run has.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Json = nlohmann::json;

  Json root;
  std::string error;
  /// Takes each outcome of a run as soon as it is whole; a discarded value stays in its place. The document of a large
  /// run is then never whole in memory, which costs as much as reading it.
  std::function<void(const Json&)> take_outcome;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary data, which JSON text cannot hold"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const auto [position, added] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
    keys_.back() = name;
    member_ = &position->second;
    return added || refuse("a second member of this name; a member may stand once");
  }
  bool parse_error(std::size_t byte, const std::string& token, const nlohmann::detail::exception& cause) override {
    std::string text = cause.what();
    if (const std::size_t end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
    return refuse("no valid JSON at byte " + std::to_string(byte) +
                  (token.empty() ? "" : " ('" + clipped(visible(token), 40) + "')") + ": " + visible(text));
  }

 private:
  static constexpr std::size_t most_levels = 32;

  [[nodiscard]] std::string pointer() const;
  bool refuse(const std::string& found) {
    error = "at '" + visible(pointer()) + "': found " + found;
    return false;
  }
  Json* place(Json value) {
    if (open_.empty()) return &(root = std::move(value));
    if (open_.back()->is_object()) return &(*member_ = std::move(value));
    open_.back()->push_back(std::move(value));
    return &open_.back()->back();
  }
  bool add(Json value) { return place(std::move(value)) != nullptr; }
  bool open(Json value);
  bool close();

  std::vector<Json*> open_;        ///< parents of what comes next; addresses stay valid while their parents do not grow
  std::vector<std::string> keys_;  ///< the latest key of each of them
  Json* member_ = nullptr;
};

}  // namespace detail

/// The run as a JSON document, an outcome a line; "findings" are made of the outcomes, and readers skip them. Bytes that are not UTF-8 become U+FFFD; a table row or heat map that
/// breaks its own shape is brought into form, so that what is written can always be read.
[[nodiscard]] std::string json_text(const Run& run);

/// Reads a run from a JSON document. Errors: `malformed`, with the place (a JSON pointer), what was expected there and
/// what was found.
[[nodiscard]] Result<Run> run_from_json(std::string_view text);

/// Writes the run to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_json(const Run& run, const std::filesystem::path& path) {
  return write_file(path, json_text(run));
}

/// Reads a run from a file. Errors: `not_found`, `io`, `malformed`; the message names the file.
[[nodiscard]] Result<Run> read_json(const std::filesystem::path& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/json.ipp"
#endif
