#pragma once

#include "assay/frameworks/cases/known_failures.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::string trimmed_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// YYYY-MM-DD with a month of 1 to 12 and a day of 1 to 31: such texts are ordered as days are.
[[nodiscard]] inline bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9')) return false;
  const std::string_view month = text.substr(5, 2), day = text.substr(8, 2);
  return month >= "01" && month <= "12" && day >= "01" && day <= "31";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<KnownFailure>> read_known_failures(std::string_view text) {
  std::vector<KnownFailure> list;
  int number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = detail::trimmed_text(text.substr(start, end - start));
    start = end + 1;
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= line.size();) {
      const std::size_t to = parts.size() == 3 ? line.size() : std::min(line.find('|', from), line.size());
      parts.push_back(detail::trimmed_text(std::string_view(line).substr(from, to - from)));
      from = to + 1;
    }
    const bool whole =
        parts.size() == 4 && std::none_of(parts.begin(), parts.end(), [](const auto& p) { return p.empty(); });
    if (!whole || !detail::is_day(parts[2]))
      return failure(ErrorKind::malformed, "line " + std::to_string(number) + " is '" + line +
                                               "'; a line is 'glob | owner | YYYY-MM-DD | reason'");
    list.push_back({parts[0], parts[1], parts[2], parts[3], number});
  }
  return list;
}

ASSAY_DETAIL_HEADER_INLINE JudgedFailures judge_by_known_failures(const std::vector<Outcome>& outcomes,
                                                                  const std::vector<KnownFailure>& list,
                                                                  std::string_view today) {
  JudgedFailures judged;
  std::vector<bool> hit(list.size(), false);
  for (const Outcome& outcome : outcomes) {
    if (outcome.verdict != Verdict::fail && outcome.verdict != Verdict::error) continue;
    const std::string last = outcome.id.substr(outcome.id.rfind('/') + 1);
    bool known = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!glob_matches(list[i].glob, outcome.id) && !glob_matches(list[i].glob, last)) continue;
      hit[i] = true;
      known |= today <= list[i].expires;
    }
    (known ? judged.known : judged.unknown).push_back(outcome.id);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string who = "line " + std::to_string(list[i].line) + ", " + list[i].glob + " (" + list[i].owner + ")";
    if (today > list[i].expires)
      judged.stale.push_back(who + " expired on " + list[i].expires);
    else if (!hit[i])
      judged.stale.push_back(who + " hits no failure: take it out");
  }
  return judged;
}

}  // namespace assay::inline v0
