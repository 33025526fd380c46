#pragma once

#include "assay/report/detail/xml.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void append_xml(std::string& xml, std::string_view text, XmlPlace place) {
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

}  // namespace assay::inline v0::detail
