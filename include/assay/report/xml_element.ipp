#pragma once

#include "assay/report/xml_element.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void append_character(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else {
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | code >> (6 * more));
    for (int at = more - 1; at >= 0; --at) text += static_cast<char>(0x80 | (code >> (6 * at) & 0x3F));
  }
}

/// Reads a document from its beginning to its end. Throws nothing: the first refusal stands in `wrong`.
class XmlScanner {
 public:
  explicit XmlScanner(std::string_view text) : text_(text) {}

  [[nodiscard]] Result<XmlElement> read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    XmlElement root;
    skip_between();
    if (wrong_.empty() && !(peek("<") && element(root, 0)) && wrong_.empty()) refuse("no element begins here");
    skip_between();
    if (wrong_.empty() && at_ < text_.size()) refuse("something stands behind the document's element");
    if (wrong_.empty()) return root;
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    return failure(ErrorKind::malformed, "no XML at line " + std::to_string(line) + ": " + wrong_);
  }

 private:
  static constexpr std::string_view blanks = " \t\r\n";

  bool refuse(const std::string& why) {
    if (wrong_.empty()) wrong_ = why;
    return false;
  }
  [[nodiscard]] bool peek(std::string_view part) const {
    return text_.substr(std::min(at_, text_.size())).starts_with(part);
  }
  bool take(std::string_view part) {
    if (!peek(part)) return false;
    at_ += part.size();
    return true;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }
  /// What stands before `end`, which is passed over.
  bool up_to(std::string_view end, std::string_view& found) {
    const std::size_t stop = text_.find(end, at_);
    if (stop == text_.npos) return refuse("'" + std::string(end) + "' is missing");
    found = text_.substr(at_, stop - at_);
    at_ = stop + end.size();
    return true;
  }
  bool skip_remark() {
    std::string_view ignored;
    if (take("<!--")) return up_to("-->", ignored);
    if (take("<?")) return up_to("?>", ignored);
    return false;
  }
  void skip_between() {
    do skip_blanks();
    while (wrong_.empty() && skip_remark());
    if (peek("<!DOCTYPE")) refuse("a document type definition, which is not read");
  }
  std::string name() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n/>=<\"'&", at_), text_.size());
    std::string found(text_.substr(at_, end - at_));
    at_ = end;
    if (found.empty()) refuse("a name is missing");
    return found;
  }
  bool decode(std::string_view raw, std::string& text) {
    while (!raw.empty()) {
      const std::size_t sign = std::min(raw.find('&'), raw.size());
      text.append(raw.substr(0, sign));
      raw.remove_prefix(sign);
      if (raw.empty()) break;
      const std::size_t end = raw.find(';');
      if (end == raw.npos || end > 12) return refuse("'&' begins no entity");
      if (!entity(raw.substr(1, end - 1), text)) return false;
      raw.remove_prefix(end + 1);
    }
    return true;
  }
  bool entity(std::string_view word, std::string& text) {
    static constexpr std::pair<std::string_view, char> known[]{
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [spelling, character] : known)
      if (word == spelling) return text += character, true;
    if (!word.starts_with('#')) return refuse("the entity '" + std::string(word) + "' is none of XML's own");
    word.remove_prefix(1);
    const bool hexadecimal = word.starts_with('x');
    if (hexadecimal) word.remove_prefix(1);
    std::uint32_t code = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), code, hexadecimal ? 16 : 10);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size() || code == 0 || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000))
      return refuse("'" + std::string(word) + "' is the number of no character");
    append_character(text, code);
    return true;
  }
  bool attributes(XmlElement& element) {
    while (true) {
      skip_blanks();
      if (at_ >= text_.size()) return refuse("the document ends within a tag");
      if (peek(">") || peek("/>")) return true;
      const std::string key = name();
      skip_blanks();
      if (!wrong_.empty() || !take("=")) return refuse("'=' is missing behind the attribute '" + key + "'");
      skip_blanks();
      const std::string_view quote = peek("\"") ? "\"" : "'";
      std::string_view raw;
      if (!take(quote)) return refuse("the value of the attribute '" + key + "' stands in no quotes");
      if (!up_to(quote, raw)) return false;
      element.attributes.emplace_back(key, std::string());
      if (!decode(raw, element.attributes.back().second)) return false;
    }
  }
  bool element(XmlElement& element, int depth) {
    if (depth > 64) return refuse("elements are nested deeper than 64");
    take("<");
    element.name = name();
    if (!wrong_.empty() || !attributes(element)) return false;
    if (take("/>")) return true;
    take(">");
    while (wrong_.empty()) {
      std::string_view raw;
      if (at_ >= text_.size()) return refuse("'" + element.name + "' is opened and never closed");
      if (take("</")) {
        const std::string closed = name();
        skip_blanks();
        if (closed != element.name || !take(">")) return refuse("'" + element.name + "' is closed as '" + closed + "'");
        return true;
      }
      if (take("<![CDATA[")) {
        if (!up_to("]]>", raw)) return false;
        element.text.append(raw);
      } else if (peek("<!--") || peek("<?")) {
        skip_remark();
      } else if (peek("<!")) {
        return refuse("a declaration within an element");
      } else if (peek("<")) {
        element.children.emplace_back();
        if (!this->element(element.children.back(), depth + 1)) return false;
      } else {
        const std::size_t end = std::min(text_.find('<', at_), text_.size());
        raw = text_.substr(at_, end - at_);
        at_ = end;
        if (!decode(raw, element.text)) return false;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string wrong_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<XmlElement> parse_xml(std::string_view text) {
  return detail::XmlScanner(text).read();
}

}  // namespace assay::inline v0
