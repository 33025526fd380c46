#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace assay::inline v0::detail {

/// What printf makes of a number by %g, %f (`fixed`) or %e (`scientific`) with that precision, 17 at most. A decimal
/// point is a point whatever locale was set: a library that is tested may set one for the whole process.
[[nodiscard]] inline std::string printed_number(double value, int precision = 6,
                                                std::chars_format format = std::chars_format::general) {
  char text[336];  // the largest double has 309 digits before its point
  return {text, std::to_chars(text, text + sizeof text, value, format, precision).ptr};
}

/// The number that the whole text is, in whatever locale; nothing if it is none, or none that a double can hold.
[[nodiscard]] inline std::optional<double> read_number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace assay::inline v0::detail
