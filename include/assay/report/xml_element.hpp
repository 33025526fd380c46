#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// An element of an XML document, as a tree.
struct XmlElement {
  std::string name;                                             ///< with its prefix, if it has one
  std::vector<std::pair<std::string, std::string>> attributes;  ///< in the order of the document
  std::string text;                                             ///< all text directly within, joined
  std::vector<XmlElement> children;                             ///< in the order of the document

  /// The value of an attribute; empty where there is none.
  [[nodiscard]] std::string attribute(std::string_view wanted) const {
    for (const auto& [key, value] : attributes)
      if (key == wanted) return value;
    return {};
  }
  /// The first child of that name; null where there is none.
  [[nodiscard]] const XmlElement* child(std::string_view wanted) const noexcept {
    for (const XmlElement& element : children)
      if (element.name == wanted) return &element;
    return nullptr;
  }
};

namespace detail {

/// A character by its number as UTF-8. Precondition: at most 0x10FFFF, and no half of a pair.
void append_character(std::string& text, std::uint32_t code);

}  // namespace detail

/// Reads an XML 1.0 document in UTF-8: elements, attributes, text, CDATA, the five entities of XML and characters by
/// number; comments and processing instructions are skipped. A document type definition is refused, so that no entity
/// is ever expanded. Errors: `malformed`, with the line. Depth is limited to 64. O(size).
[[nodiscard]] Result<XmlElement> parse_xml(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/xml_element.ipp"
#endif
