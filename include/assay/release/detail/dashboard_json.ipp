#pragma once

#include "assay/release/detail/dashboard_json.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string json_string(std::string_view text) {
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

ASSAY_DETAIL_HEADER_INLINE std::size_t TextPool::place(std::string_view text) {
  const auto found = places_.find(text);
  if (found != places_.end()) return found->second;
  bytes_ += text.size();
  texts_.emplace_back(text);
  return places_.emplace(std::string(text), texts_.size() - 1).first->second;
}

}  // namespace assay::inline v0::detail
