#pragma once

#include "assay/report/text.hpp"

#include <charconv>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::size_t utf8_sequence_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0)) return 0;
  if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90)) return 0;
  return length;
}

ASSAY_DETAIL_HEADER_INLINE std::string visible(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    const bool control =
        length == 0 || lead < 0x20 || lead == 0x7F || (lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0);
    if (!control) {
      shown += text.substr(0, length);
    } else if (lead == '\n' || lead == '\t') {
      shown += lead == '\n' ? "\\n" : "\\t";
    } else {
      for (const char byte : text.substr(0, length == 0 ? 1 : length)) {
        const auto value = static_cast<unsigned char>(byte);
        shown += {'\\', 'x', digits[value >> 4], digits[value & 15]};
      }
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shown;
}

ASSAY_DETAIL_HEADER_INLINE std::string clipped(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t position = 0;
  for (std::size_t kept = 0; kept + 1 < width; ++kept) do
      ++position;
    while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80);
  return std::string(text.substr(0, position)) + "…";
}

ASSAY_DETAIL_HEADER_INLINE std::string ascii_text(std::string_view text) {
  struct Spelling {
    std::string_view letter, typed;
  };
  static constexpr Spelling spellings[] = {{"×", "x"}, {"·", "*"},  {"…", "..."}, {"–", "-"}, {"—", "-"},
                                           {"─", "-"}, {"≤", "<="}, {"≥", ">="},  {"≈", "~"}, {"±", "+-"},
                                           {"−", "-"}, {"’", "'"},  {"∞", "inf"}, {"→", "->"}};
  std::string typed;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const std::string_view letter = text.substr(0, length == 0 ? 1 : length);
    std::string_view spelling = length == 1 ? letter : std::string_view("?");
    for (const Spelling& known : spellings)
      if (letter == known.letter) spelling = known.typed;
    typed += spelling;
    text.remove_prefix(letter.size());
  }
  return typed;
}

ASSAY_DETAIL_HEADER_INLINE std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  const double size = std::fabs(value);
  char buffer[64];
  const auto text = [&](std::to_chars_result end) { return std::string(buffer, end.ptr); };
  if (size < 1e15 && value == std::trunc(value))
    return text(std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value)));
  if (size < 1e-3 || size >= 1e6)
    return text(std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, digits - 1));
  const int before_point = static_cast<int>(std::floor(std::log10(size))) + 1;
  return text(std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed,
                            digits > before_point ? digits - before_point : 0));
}

ASSAY_DETAIL_HEADER_INLINE std::string duration_text(double seconds) {
  if (!(std::fabs(seconds) < 1e12)) return number_text(seconds) + " s";
  if (seconds == 0) return "0 s";
  const double size = std::fabs(seconds);
  if (size < 1e-6) return number_text(seconds * 1e9) + " ns";
  if (size < 1e-3) return number_text(seconds * 1e6) + " µs";
  if (size < 1) return number_text(seconds * 1e3) + " ms";
  if (size < 120) return number_text(seconds) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (size < 7200) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace assay::inline v0
