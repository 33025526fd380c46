#pragma once

#include "assay/performance/detail/json_place.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string with_quoted_infinities(std::string_view text) {
  std::string quoted;
  quoted.reserve(text.size());
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') inside = !inside;
    if (inside && text[i] == '\\' && i + 1 < text.size()) quoted += text[i++];
    std::string_view word;
    if (!inside)
      for (const std::string_view candidate : {"NaN", "-NaN", "Infinity", "-Infinity"})
        if (text.substr(i, candidate.size()) == candidate) word = candidate;
    if (word.empty()) {
      quoted += text[i];
    } else {
      quoted.append("\"").append(word).append("\"");
      i += word.size() - 1;
    }
  }
  return quoted;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object()) expected("an object");
  std::vector<std::pair<std::string, JsonPlace>> all;
  for (const auto& [name, value] : value_->items())
    all.emplace_back(name, JsonPlace(value, path_ + (path_.empty() ? "" : ".") + clipped(visible(name), 40)));
  return all;
}

ASSAY_DETAIL_HEADER_INLINE double JsonPlace::number() const {
  if (value_->is_number()) return value_->get<double>();
  if (!value_->is_string()) expected("a number");
  const auto& text = value_->get_ref<const std::string&>();
  const auto number = read_number(text);
  if (!number) expected("a number");
  return *number;
}

}  // namespace assay::inline v0::detail
