#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A day of the calendar, in UTC.
using CalendarDate = std::chrono::sys_days;

/// Reads "2026-01-31". Errors: `malformed`, also for days that the calendar does not have.
[[nodiscard]] Result<CalendarDate> parse_calendar_date(std::string_view text);

/// "2026-01-31".
[[nodiscard]] std::string date_text(CalendarDate day);

/// The day that the system's clock shows.
[[nodiscard]] inline CalendarDate current_date() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/calendar_date.ipp"
#endif
