#pragma once

#include "assay/report/markdown_text.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string inline_markdown(std::string_view text, std::size_t width) {
  const std::string line = clipped(visible(text), width);
  const auto word = [&](std::size_t i) {
    return i < line.size() &&
           ((line[i] >= '0' && line[i] <= '9') || ((line[i] | 0x20) >= 'a' && (line[i] | 0x20) <= 'z'));
  };
  std::string markdown;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    const bool always = std::string_view("&<>|`*~[]\\$").find(letter) != std::string_view::npos;
    const bool emphasis = letter == '_' && !(i > 0 && word(i - 1) && word(i + 1));
    const bool link = letter == ':' && line.compare(i, 3, "://") == 0;
    const bool starts_block = i == 0 && (letter == ' ' || ((letter == '-' || letter == '+') && !word(1)));
    const bool numbers_item =
        (letter == '.' || letter == ')') && !word(i + 1) && line.find_first_not_of("0123456789") == i;
    if (always || emphasis || link || starts_block || numbers_item)
      markdown.append("&#").append(std::to_string(static_cast<int>(letter))).append(";");
    else
      markdown.append(1, letter).append((letter == '@' || letter == '#') && word(i + 1) ? "<!-- -->" : "");
  }
  return markdown;
}

ASSAY_DETAIL_HEADER_INLINE std::string fenced_markdown(std::string_view text, std::size_t width) {
  std::string body;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    body.append(visible(text.substr(start, end - start))).append("\n");
    start = end + 1;
  }
  body = clipped(body, width);
  if (body.empty() || body.back() != '\n') body += '\n';
  std::size_t longest = 0, ticks = 0;
  for (const char letter : body) longest = std::max(longest, ticks = letter == '`' ? ticks + 1 : 0);
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return std::string(fence).append("\n").append(body).append(fence).append("\n");
}

}  // namespace assay::inline v0::detail
