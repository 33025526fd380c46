#pragma once

#include <cstddef>
#include <string_view>

namespace assay::inline v0 {

/// Whether `text` holds a wildcard, `*` or `?`.
[[nodiscard]] constexpr bool is_glob(std::string_view text) noexcept {
  return text.find_first_of("*?") != std::string_view::npos;
}

/// Whether `pattern` describes the whole of `text`: `*` stands for any run of characters, '/' included, `?` for exactly
/// one, everything else for itself. There is no escape: ids hold no wildcards. O(|pattern|·|text|) at worst, no memory.
[[nodiscard]] constexpr bool glob_matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t in_pattern = 0, in_text = 0;
  std::size_t after_star = std::string_view::npos, resumed_at = 0;
  while (in_text < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      resumed_at = in_text;
    } else if (in_pattern < pattern.size() && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[in_text])) {
      ++in_pattern;
      ++in_text;
    } else if (after_star != std::string_view::npos) {
      in_pattern = after_star;
      in_text = ++resumed_at;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}

}  // namespace assay::inline v0
