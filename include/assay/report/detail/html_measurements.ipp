#pragma once

#include "assay/report/detail/html_measurements.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// The name of a measurement in words.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string worded(std::string name) {
  if (name == measurement::worst_error_ratio) return "worst error / allowed";
  const std::size_t seconds = name.rfind("_seconds");
  if (seconds != std::string::npos && seconds + 8 == name.size()) name.replace(seconds, 8, " time");
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// A measurement as a number and a unit that fits it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, std::string> number_and_unit(const Measurement& entry) {
  if (entry.unit != "s") return {number_text(entry.value), entry.unit == "1" ? "" : entry.unit};
  const std::string text = duration_text(entry.value);
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

ASSAY_DETAIL_HEADER_INLINE std::string measurements_markup(const std::vector<Measurement>& measurements) {
  const auto rank = [](const Measurement& entry) {
    if (entry.name == measurement::worst_error_ratio) return 0;
    if (entry.name == measurement::violations) return 1;
    if (entry.name == measurement::elements) return 2;
    return entry.unit == "s" ? 4 : 3;
  };
  std::vector<const Measurement*> sorted;
  for (int wanted = 0; wanted <= 4; ++wanted)
    for (const Measurement& entry : measurements)
      if (rank(entry) == wanted) sorted.push_back(&entry);
  std::string markup = "<div class=\"scroll\"><table class=\"measurements\"><tbody>";
  for (const Measurement* entry : sorted) {
    const auto [number, unit] = number_and_unit(*entry);
    markup += "<tr><th scope=\"row\">" + escaped_markup(worded(entry->name)) + "</th><td class=\"n\">" +
              escaped_markup(number) + "</td><td class=\"unit\">" + escaped_markup(unit) + "</td></tr>";
  }
  return markup + "</tbody></table></div>";
}

}  // namespace assay::inline v0::detail
