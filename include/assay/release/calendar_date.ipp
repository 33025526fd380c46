#pragma once

#include "assay/release/calendar_date.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<CalendarDate> parse_calendar_date(std::string_view text) {
  const auto refused = [&](const char* why) {
    return failure(ErrorKind::malformed,
                   "'" + std::string(text.substr(0, 40)) + "' is no date: " + why + "; give something like 2026-01-31");
  };
  constexpr std::string_view form = "dddd-dd-dd";
  if (text.size() != form.size()) return refused("it does not have the form YYYY-MM-DD");
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-')
      return refused("it does not have the form YYYY-MM-DD");
  const auto number = [&](std::size_t from, std::size_t digits) {
    unsigned value = 0;
    for (const char digit : text.substr(from, digits)) value = 10 * value + static_cast<unsigned>(digit - '0');
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(number(0, 4))),
                                         std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2))};
  if (!date.ok()) return refused("the calendar does not have it");
  return CalendarDate(date);
}

ASSAY_DETAIL_HEADER_INLINE std::string date_text(CalendarDate day) {
  const std::chrono::year_month_day date(day);
  const auto padded = [](unsigned number, std::size_t digits) {
    const std::string text = std::to_string(number);
    return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
  };
  return padded(static_cast<unsigned>(static_cast<int>(date.year())), 4) + "-" +
         padded(static_cast<unsigned>(date.month()), 2) + "-" + padded(static_cast<unsigned>(date.day()), 2);
}

}  // namespace assay::inline v0
