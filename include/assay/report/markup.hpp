#pragma once

#include <string>
#include <string_view>

#include "assay/report/text.hpp"

namespace assay {

/// Text made safe between tags and inside quoted attributes of HTML and SVG. Control characters (but for tab and newline)
/// and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] inline std::string escaped_markup(std::string_view text) {
  std::string markup;
  markup.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char letter = text[0];
    const auto lead = static_cast<unsigned char>(letter);
    if (length == 0 || (lead < 0x20 && letter != '\n' && letter != '\t') || lead == 0x7F)
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

}  // namespace assay
