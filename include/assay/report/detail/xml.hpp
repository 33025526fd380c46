#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

enum class XmlPlace { content, attribute };

/// Text as XML 1.0 can hold it, whatever the bytes: control characters become their pictures (U+2400 and on), bytes
/// that are not UTF-8 and the two noncharacters that XML forbids become U+FFFD. Line ends survive in attributes too.
void append_xml(std::string& xml, std::string_view text, XmlPlace place);

inline void append_attribute(std::string& xml, std::string_view name, std::string_view value) {
  xml.append(" ").append(name).append("=\"");
  append_xml(xml, value, XmlPlace::attribute);
  xml += '"';
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/xml.ipp"
#endif
