#pragma once

#include <charconv>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::inline v0::detail {

using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// Reads "2025-01-02T03:04:05Z", with or without a fraction and the Z; nothing if that is no time of the calendar.
[[nodiscard]] std::optional<UtcTime> utc_time(const std::convertible_to<std::string_view> auto& given) {
  using namespace std::chrono;
  const std::string_view text = given;
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
  };
  const year_month_day date{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                            day(static_cast<unsigned>(number(8, 2)))};
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;

  std::string_view rest = text.substr(form.size());
  int fraction = 0;
  if (!rest.empty() && rest[0] == '.') {
    std::size_t digits = 0;
    for (rest.remove_prefix(1); !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; rest.remove_prefix(1), ++digits)
      if (digits < 3) fraction = fraction * 10 + (rest[0] - '0');
    if (digits == 0) return std::nullopt;
    for (; digits < 3; ++digits) fraction *= 10;
  }
  if (!rest.empty() && rest != "Z") return std::nullopt;
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second) + milliseconds(fraction);
}

/// `seconds` later; durations that are not finite, negative or longer than 100 years count as none.
[[nodiscard]] inline UtcTime later(UtcTime time, double seconds) {
  return seconds > 0 && seconds < 3.2e9 ? time + std::chrono::milliseconds(std::llround(seconds * 1000)) : time;
}

/// "2025-01-02T03:04:05", without a fraction and without a zone.
template <class Duration>
[[nodiscard]] std::string second_text(std::chrono::sys_time<Duration> time) {
  using namespace std::chrono;
  const auto midnight = floor<days>(time);
  const year_month_day date(midnight);
  const auto second = duration_cast<seconds>(time - midnight).count();
  std::string text;
  const auto add = [&](long long value, std::size_t digits, const char* behind) {
    const std::string number = std::to_string(value);
    text.append(number.size() < digits ? digits - number.size() : 0, '0').append(number).append(behind);
  };
  add(int(date.year()), 4, "-");
  add(unsigned(date.month()), 2, "-");
  add(unsigned(date.day()), 2, "T");
  add(second / 3600, 2, ":");
  add(second / 60 % 60, 2, ":");
  add(second % 60, 2, "");
  return text;
}

/// "2025-01-02T03:04:05.678Z" (RFC 3339).
[[nodiscard]] inline std::string utc_text(UtcTime time) {
  using namespace std::chrono;
  const std::string fraction = std::to_string(1000 + (time - floor<seconds>(time)).count());
  return second_text(time).append(".").append(fraction.substr(1)).append("Z");
}

}  // namespace assay::inline v0::detail
