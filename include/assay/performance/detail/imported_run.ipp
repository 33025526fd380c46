#pragma once

#include "assay/performance/detail/imported_run.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/performance/unit.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void ImportedRun::measured_at(const std::string& time) {
  if (time.empty()) return;
  std::string text = time;
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  const auto read = parse_utc_time(text);
  if (!read) return note("'" + clipped(visible(time), 40) + "' is no time that can be read");
  origin().time = *read;
  imported_.has_time = true;
}

ASSAY_DETAIL_HEADER_INLINE void ImportedRun::add(const HistoryPoint& subject, const std::string& metric,
                                                 const std::string& unit, double sample, const std::string& note) {
  const auto direction = direction_of(options_, metric, unit);
  if (!direction) return this->note(unknown_direction(metric, unit));
  const auto seconds = seconds_per(unit);
  if (seconds) sample *= *seconds;
  const std::string kept_unit = seconds ? "s" : unit;
  if (!are_samples({&sample, 1}))
    return this->note("'" + visible(subject.name) + "': a sample of " + visible(metric) + " is " + number_text(sample) +
                      " and left out");
  std::vector<HistoryPoint>& points = imported_.runs.front().points;
  const auto [found, added] = points_.emplace(series_key(subject.name, subject.configuration, metric), points.size());
  if (added) points.push_back({subject.name, subject.configuration, {metric, kept_unit, *direction, {}, note}});
  Metric& there = points[found->second].metric;
  const auto ratio = unit_ratio(kept_unit, there.unit);
  if (!ratio)
    return this->note("'" + visible(subject.name) + "': " + visible(metric) + " is in '" + visible(kept_unit) +
                      "' and in '" + visible(there.unit) + "'; the former is left out");
  there.samples.push_back(sample * *ratio);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> words_of_line(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(blanks); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE std::string_view without_blanks(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace assay::inline v0::detail
