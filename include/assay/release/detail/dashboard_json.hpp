#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/report/text.hpp"

/// JSON for a page: within <script>, where nothing may look like the end of it.
namespace assay::inline v0::detail {

/// A JSON string. Bytes that are not UTF-8 become U+FFFD, and '<' never shows as itself.
[[nodiscard]] inline std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string json = "\"";
  json.reserve(text.size() + 2);
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    if (length == 0)
      json += "\xEF\xBF\xBD";
    else if (text[0] == '"' || text[0] == '\\')
      json += {'\\', text[0]};
    else if (lead < 0x20 || lead == 0x7F || lead == '<' || lead == '&')
      json += {'\\', 'u', '0', '0', digits[lead >> 4], digits[lead & 15]};
    else
      json += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return json + "\"";
}

/// A number to so many significant digits; null where it is none.
[[nodiscard]] inline std::string json_number(double value, int digits) {
  if (std::isnan(value)) return "null";
  if (std::isinf(value)) return value > 0 ? "1e999" : "-1e999";
  return printed_number(value, digits);
}

/// Texts, each once, and referred to by number.
class TextPool {
 public:
  std::size_t place(std::string_view text) {
    const auto found = places_.find(text);
    if (found != places_.end()) return found->second;
    bytes_ += text.size();
    texts_.emplace_back(text);
    return places_.emplace(std::string(text), texts_.size() - 1).first->second;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::string> texts_;
  std::size_t bytes_ = 0;
};

/// Elements joined by commas, in brackets.
template <class List, class Text>
[[nodiscard]] std::string json_array(const List& list, Text&& text) {
  std::string json = "[";
  bool first = true;
  for (const auto& entry : list) {
    if (!first) json += ',';
    first = false;
    json += text(entry);
  }
  return json + "]";
}

}  // namespace assay::inline v0::detail
