#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "assay/report/text.hpp"

/// Text made safe in GitHub Flavored Markdown.
namespace assay::inline v0::detail {

/// One line that reads as it was given, in a paragraph, a cell of a table and between HTML tags alike: what Markdown or
/// HTML could take for markup is a character reference, control characters are made visible, and an empty comment keeps
/// @names and #numbers from becoming notifications and links. At most `width` code points of the given text, the last
/// one "…" if more was there.
[[nodiscard]] std::string inline_markdown(std::string_view text, std::size_t width);

/// The same in a fixed-width font.
[[nodiscard]] inline std::string code_markdown(std::string_view text, std::size_t width) {
  return std::string("<code>").append(inline_markdown(text, width)).append("</code>");
}

/// A block that shows the text as it is, line by line. The fence is longer than any that stands in the text.
[[nodiscard]] std::string fenced_markdown(std::string_view text, std::size_t width);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/markdown_text.ipp"
#endif
