#pragma once

#include "assay/report/markup.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Whether the UTF-8 sequence that the text starts with is a character that HTML refuses: U+0080–U+009F, and the code
/// points that Unicode calls noncharacters.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool refused_by_html(std::string_view text, std::size_t length) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (length == 3)
    return byte(0) == 0xEF &&
           ((byte(1) == 0xB7 && byte(2) >= 0x90 && byte(2) < 0xB0) || (byte(1) == 0xBF && byte(2) >= 0xBE));
  return length == 4 && (byte(1) & 0x0F) == 0x0F && byte(2) == 0xBF && byte(3) >= 0xBE;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string escaped_markup(std::string_view text) {
  std::string markup;
  markup.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char letter = text[0];
    const auto lead = static_cast<unsigned char>(letter);
    if (length == 0 || (lead < 0x20 && letter != '\n' && letter != '\t') || lead == 0x7F ||
        detail::refused_by_html(text, length))
      markup += "\xEF\xBF\xBD";
    else if (letter == '&')
      markup += "&amp;";
    else if (letter == '<')
      markup += "&lt;";
    else if (letter == '>')
      markup += "&gt;";
    else if (letter == '"')
      markup += "&quot;";
    else if (letter == '\'')
      markup += "&#39;";
    else
      markup += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return markup;
}

}  // namespace assay::inline v0
