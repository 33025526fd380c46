#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

enum class XmlPlace { content, attribute };

/// Text as XML 1.0 can hold it, whatever the bytes: control characters become their pictures (U+2400 and on), bytes that are
/// not UTF-8 and the two noncharacters that XML forbids become U+FFFD. Line ends survive in attributes too.
inline void append_xml(std::string& xml, std::string_view text, XmlPlace place) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const std::string_view letter = text.substr(0, length == 0 ? 1 : length);
    const auto lead = static_cast<unsigned char>(letter[0]);
    if (length == 0 || letter == "\xEF\xBF\xBE" || letter == "\xEF\xBF\xBF")
      xml += "\xEF\xBF\xBD";
    else if (letter == "&")
      xml += "&amp;";
    else if (letter == "<")
      xml += "&lt;";
    else if (letter == ">")
      xml += "&gt;";
    else if (letter == "\"")
      xml += "&quot;";
    else if (letter == "\r")
      xml += "&#13;";
    else if (letter == "\n")
      xml += place == XmlPlace::attribute ? "&#10;" : "\n";
    else if (letter == "\t")
      xml += place == XmlPlace::attribute ? "&#9;" : "\t";
    else if (lead == 0x7F)
      xml += "\xE2\x90\xA1";
    else if (lead < 0x20)
      xml.append("\xE2\x90").push_back(static_cast<char>(0x80 + lead));
    else
      xml += letter;
    text.remove_prefix(letter.size());
  }
}

inline void append_attribute(std::string& xml, std::string_view name, std::string_view value) {
  xml.append(" ").append(name).append("=\"");
  append_xml(xml, value, XmlPlace::attribute);
  xml += '"';
}

}  // namespace assay::inline v0::detail
