#pragma once

#include "assay/performance/clock_state.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::string> first_word(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string word;
  return file >> word ? std::optional(word) : std::nullopt;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> whole_number(const std::filesystem::path& path) {
  const auto word = first_word(path);
  std::uint64_t value = 0;
  if (!word) return std::nullopt;
  const auto parsed = std::from_chars(word->data(), word->data() + word->size(), value);
  return parsed.ec == std::errc() && parsed.ptr == word->data() + word->size() ? std::optional(value) : std::nullopt;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE CpuClockState read_cpu_clock_state(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  CpuClockState state;
  std::map<std::string, bool> governors;
  std::error_code code;
  fs::directory_iterator entry(root, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (name.size() < 4 || name.substr(0, 3) != "cpu" || name.find_first_not_of("0123456789", 3) != std::string::npos)
      continue;
    if (const auto now = detail::whole_number(entry->path() / "cpufreq" / "scaling_cur_freq")) {  // in kHz
      const double hertz = static_cast<double>(*now) * 1e3;
      state.lowest_hertz = std::min(state.lowest_hertz.value_or(hertz), hertz);
      state.highest_hertz = std::max(state.highest_hertz.value_or(hertz), hertz);
    }
    if (const auto most = detail::whole_number(entry->path() / "cpufreq" / "scaling_max_freq"))
      state.limit_hertz = std::max(state.limit_hertz.value_or(0), static_cast<double>(*most) * 1e3);
    if (const auto governor = detail::first_word(entry->path() / "cpufreq" / "scaling_governor"))
      governors[*governor] = true;
    for (const char* counter : {"core_throttle_count", "package_throttle_count"})
      if (const auto events = detail::whole_number(entry->path() / "thermal_throttle" / counter))
        state.throttle_events = state.throttle_events.value_or(0) + *events;
  }
  for (const auto& [governor, there] : governors) state.governor += (state.governor.empty() ? "" : ",") + governor;
  if (const auto boost = detail::whole_number(root / "cpufreq" / "boost"))
    state.boost = *boost != 0;
  else if (const auto no_turbo = detail::whole_number(root / "intel_pstate" / "no_turbo"))
    state.boost = *no_turbo == 0;
  return state;
}

ASSAY_DETAIL_HEADER_INLINE std::map<std::string, std::string> clock_summary(const CpuClockState& before,
                                                                            const CpuClockState& after) {
  const auto range = [](const CpuClockState& state) {
    if (!state.lowest_hertz) return std::string("unknown");
    const std::string low = number_text(*state.lowest_hertz / 1e6, 4),
                      high = number_text(*state.highest_hertz / 1e6, 4);
    return low == high ? low : low + ".." + high;
  };
  std::map<std::string, std::string> summary{{"mhz_before", range(before)}, {"mhz_after", range(after)}};
  summary["mhz_limit"] = after.limit_hertz ? number_text(*after.limit_hertz / 1e6, 4) : "unknown";
  summary["governor"] = before.governor == after.governor ? (after.governor.empty() ? "unknown" : after.governor)
                                                          : before.governor + " then " + after.governor;
  summary["boost"] = after.boost ? (*after.boost ? "on" : "off") : "unknown";
  const bool counted =
      before.throttle_events && after.throttle_events && *after.throttle_events >= *before.throttle_events;
  summary["throttle_events"] = counted ? std::to_string(*after.throttle_events - *before.throttle_events) : "unknown";
  return summary;
}

}  // namespace assay::inline v0
