#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0::detail {

/// The code points of a text; each byte that is no UTF-8 becomes U+FFFD. O(n).
[[nodiscard]] std::u32string code_points(std::string_view text);
/// UTF-8. O(n).
[[nodiscard]] std::string utf8(std::u32string_view text);
void append_utf8(std::string& text, char32_t point);

/// Where the first byte stands that is no UTF-8 (overlong, surrogate, cut off); npos if all is. O(n).
[[nodiscard]] std::size_t first_not_utf8(std::string_view text) noexcept;

/// White space as Python's str.split takes it: category Zs, separators, tab to carriage return, 1C to 1F, 85.
[[nodiscard]] constexpr bool is_space(char32_t point) noexcept {
  return point == 0x20 || (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x1F) || point == 0x85 ||
         point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}
[[nodiscard]] bool is_punctuation(char32_t point) noexcept;
[[nodiscard]] bool is_number(char32_t point) noexcept;
[[nodiscard]] bool is_symbol(char32_t point) noexcept;
/// One code point to one.
[[nodiscard]] char32_t lowercase(char32_t point) noexcept;
/// All of a text, by code point. O(n).
[[nodiscard]] std::string lowercase(std::string_view text);

/// The parts between white space, which is never part of one: views into `text`. O(n).
[[nodiscard]] std::vector<std::string_view> split_at_spaces(std::string_view text);
/// Without the white space at its ends.
[[nodiscard]] std::string_view stripped(std::string_view text);
[[nodiscard]] std::string_view stripped_at_end(std::string_view text);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/detail/unicode.ipp"
#endif
