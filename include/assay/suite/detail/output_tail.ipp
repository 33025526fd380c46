#pragma once

#include "assay/suite/detail/output_tail.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// The length of the UTF-8 character at the start of `text`; 0 if there is none. Overlong forms and surrogates are
/// refused.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t utf8_length(std::string_view text) {
  const auto at = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (first == 0xE0 && at(1) < 0xA0) || (first == 0xF0 && at(1) < 0x90);
  const bool beyond = (first == 0xED && at(1) > 0x9F) || (first == 0xF4 && at(1) > 0x8F);
  return overlong || beyond ? 0 : length;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> printable_lines(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte == '\n') {
      lines.push_back(std::move(line));
      line.clear();
    } else if (byte == '\t') {
      line += "  ";
    } else if (byte == '\r' && text.size() > 1 && text[1] == '\n') {
    } else if (length == 0 || byte < 0x20 || byte == 0x7F) {
      line += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE std::string_view tail_of(std::string_view output, std::size_t size) {
  if (output.size() <= size) return output;
  const bool begins_at_line = output[output.size() - size - 1] == '\n';
  output.remove_prefix(output.size() - size);
  const std::size_t newline = output.find('\n');
  if (!begins_at_line && newline != std::string_view::npos && newline + 1 < output.size())
    output.remove_prefix(newline + 1);
  return output;
}

}  // namespace assay::inline v0::detail
