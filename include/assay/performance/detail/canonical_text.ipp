#pragma once

#include "assay/performance/detail/canonical_text.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string escaped(std::string_view text, std::string_view special) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7F || character == '%' || special.find(character) != std::string_view::npos) {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += character;
    }
  }
  return out;
}

/// The inverse; nothing if a '%' is followed by anything but two hexadecimal digits.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::string> unescaped(std::string_view text) {
  const auto digit = [](char character) -> int {
    if (character >= '0' && character <= '9') return character - '0';
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
  };
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 1 < text.size() ? digit(text[i + 1]) : -1, low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<TextMap> parse_canonical_text(std::string_view text) {
  TextMap map;
  while (!text.empty()) {
    const std::size_t comma = text.find(','), end = comma == std::string_view::npos ? text.size() : comma;
    const std::string_view entry = text.substr(0, end);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || end + 1 == text.size()) return std::nullopt;
    auto key = unescaped(entry.substr(0, equals)), value = unescaped(entry.substr(equals + 1));
    if (!key || !value || !map.emplace(std::move(*key), std::move(*value)).second) return std::nullopt;
    text.remove_prefix(end == text.size() ? end : end + 1);
  }
  return map;
}

}  // namespace assay::inline v0::detail
