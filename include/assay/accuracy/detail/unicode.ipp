#pragma once

#include "assay/accuracy/detail/unicode.hpp"

#include <algorithm>
#include <iterator>

#include "assay/accuracy/detail/unicode_tables.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// A code point and how many bytes it takes; 0xFFFFFFFF and one byte where there is none.
struct DecodedPoint {
  char32_t point = 0xFFFFFFFF;
  std::size_t bytes = 1;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE DecodedPoint decode_point(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first >= 0xF5 || at + bytes > text.size()) return {};
  char32_t point = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    point = point << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < least[bytes] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return {};
  return {point, bytes};
}

ASSAY_DETAIL_HEADER_INLINE std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint decoded = decode_point(text, at);
    points += decoded.point == 0xFFFFFFFF ? U'\xFFFD' : decoded.point;
    at += decoded.bytes;
  }
  return points;
}

ASSAY_DETAIL_HEADER_INLINE void append_utf8(std::string& text, char32_t point) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80u | ((point >> shift) & 0x3Fu)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0u | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0u | point >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0u | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string utf8(std::u32string_view text) {
  std::string bytes;
  for (const char32_t point : text) append_utf8(bytes, point);
  return bytes;
}

ASSAY_DETAIL_HEADER_INLINE std::size_t first_not_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint decoded = decode_point(text, at);
    if (decoded.point == 0xFFFFFFFF) return at;
    at += decoded.bytes;
  }
  return std::string_view::npos;
}

ASSAY_DETAIL_HEADER_INLINE bool is_punctuation(char32_t point) noexcept {
  return is_in(punctuation_ranges, point);
}
ASSAY_DETAIL_HEADER_INLINE bool is_number(char32_t point) noexcept {
  return is_unicode_number(point);
}
ASSAY_DETAIL_HEADER_INLINE bool is_symbol(char32_t point) noexcept {
  return is_in(symbol_ranges, point);
}

ASSAY_DETAIL_HEADER_INLINE char32_t lowercase(char32_t point) noexcept {
  if (point < 0x80) return point >= 'A' && point <= 'Z' ? point + 32 : point;
  const auto next = std::upper_bound(std::begin(lowercase_runs), std::end(lowercase_runs), point,
                                     [](char32_t value, const LowercaseRun& run) { return value < run.first; });
  if (next == std::begin(lowercase_runs)) return point;
  const LowercaseRun& run = *std::prev(next);
  if (point > run.last || (point - run.first) % run.step != 0) return point;
  return static_cast<char32_t>(static_cast<std::int64_t>(point) + run.distance);
}

ASSAY_DETAIL_HEADER_INLINE std::string lowercase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint decoded = decode_point(text, at);
    if (decoded.point == 0xFFFFFFFF)
      lower += text[at];
    else
      append_utf8(lower, lowercase(decoded.point));
    at += decoded.bytes;
  }
  return lower;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string_view> split_at_spaces(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  const auto end_part = [&](std::size_t end) {
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
  };
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint decoded = decode_point(text, at);
    if (is_space(decoded.point)) {
      end_part(at);
      begin = at + decoded.bytes;
    }
    at += decoded.bytes;
  }
  end_part(text.size());
  return parts;
}

ASSAY_DETAIL_HEADER_INLINE std::string_view stripped_at_end(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint decoded = decode_point(text, at);
    at += decoded.bytes;
    if (!is_space(decoded.point)) end = at;
  }
  return text.substr(0, end);
}

ASSAY_DETAIL_HEADER_INLINE std::string_view stripped(std::string_view text) {
  while (!text.empty()) {
    const DecodedPoint decoded = decode_point(text, 0);
    if (!is_space(decoded.point)) break;
    text.remove_prefix(decoded.bytes);
  }
  return stripped_at_end(text);
}

}  // namespace assay::inline v0::detail
