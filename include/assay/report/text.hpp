#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::inline v0 {

/// Bytes of the UTF-8 sequence that `text` starts with; 0 if it starts with none (overlong forms and surrogates are
/// none).
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text) noexcept;

/// The text with everything that could steer a terminal made visible: control characters and bytes that are not UTF-8
/// become `\n`, `\t`, `\x1b`, …, so that the result is one line.
[[nodiscard]] std::string visible(std::string_view text);

/// Code points in valid UTF-8: the columns on a terminal for the scripts that reports are written in.
[[nodiscard]] inline std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  for (const char byte : text) width += (static_cast<unsigned char>(byte) & 0xC0) != 0x80 ? 1 : 0;
  return width;
}

/// At most `width` code points of valid UTF-8, the last one "…" if something was left off.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t width);

/// The same in ASCII: rules, dashes, dots, signs of multiplication and comparison become what is typed for them, other
/// letters beyond ASCII a question mark each.
[[nodiscard]] std::string ascii_text(std::string_view text);

/// A number for people: whole numbers below 10¹⁵ in full, others to `digits` significant digits, "inf", "-inf", "NaN",
/// and "-0" for the zero with a sign.
/// Independent of the locale.
[[nodiscard]] std::string number_text(double value, int digits = 3);

/// A duration for people: "1.25 ms", "12.5 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string duration_text(double seconds);

/// A measurement for people: the number alone for unit "1", durations in a fitting unit, else number and unit.
[[nodiscard]] inline std::string quantity_text(double value, std::string_view unit) {
  if (unit == "s") return duration_text(value);
  return unit == "1" || unit.empty() ? number_text(value) : number_text(value) + " " + std::string(unit);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/text.ipp"
#endif
