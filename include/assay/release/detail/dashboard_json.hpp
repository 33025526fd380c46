#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/report/text.hpp"

/// JSON for a page: within <script>, where nothing may look like the end of it.
namespace assay::inline v0::detail {

/// A JSON string. Bytes that are not UTF-8 become U+FFFD, and '<' never shows as itself.
[[nodiscard]] std::string json_string(std::string_view text);

/// A number to so many significant digits; null where it is none.
[[nodiscard]] inline std::string json_number(double value, int digits) {
  if (std::isnan(value)) return "null";
  if (std::isinf(value)) return value > 0 ? "1e999" : "-1e999";
  return printed_number(value, digits);
}

/// Texts, each once, and referred to by number.
class TextPool {
 public:
  std::size_t place(std::string_view text);
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

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_json.ipp"
#endif
