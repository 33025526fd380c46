#pragma once

#include <array>
#include <string_view>

namespace assay::inline v0 {

/// What MLPerf Inference demands of a language model's Server scenario: 99th percentiles, in seconds.
struct LatencyLimits {
  std::string_view model;
  bool interactive = false;  ///< the tighter scenario
  double first_token = 0;    ///< TTFT, seconds
  double per_token = 0;      ///< TPOT, seconds
  std::string_view source;   ///< with its date, since rules change
  std::string_view note;     ///< where sources differ
};

/// All that is known here.
inline constexpr std::array<LatencyLimits, 10> mlperf_latency_limits{{
    {"llama2-70b", false, 2.0, 0.200, "MLPerf Inference rules, July 2026", ""},
    {"llama2-70b", true, 0.45, 0.040, "MLPerf Inference rules, July 2026", ""},
    {"llama3.1-8b", false, 2.0, 0.100, "MLPerf Inference rules, July 2026", ""},
    {"llama3.1-8b", true, 0.5, 0.030, "MLPerf Inference rules, July 2026", ""},
    {"llama3.1-405b", false, 6.0, 0.175, "MLPerf Inference rules, July 2026", ""},
    {"llama3.1-405b", true, 4.5, 0.080, "MLPerf Inference rules, July 2026", ""},
    {"deepseek-r1", false, 2.0, 0.080, "MLPerf Inference rules, July 2026", ""},
    {"deepseek-r1", true, 1.5, 0.015, "MLPerf Inference rules, July 2026", ""},
    {"gpt-oss-120b", false, 3.0, 0.080, "MLPerf Inference rules, July 2026", ""},
    {"gpt-oss-120b", true, 2.0, 0.020, "MLPerf Inference rules, July 2026", "mlperf.conf of August 2026 has 0.015"},
}};

/// The limits of that model, or nothing.
[[nodiscard]] constexpr const LatencyLimits* find_latency_limits(std::string_view model, bool interactive) noexcept {
  for (const LatencyLimits& limits : mlperf_latency_limits)
    if (limits.model == model && limits.interactive == interactive) return &limits;
  return nullptr;
}

}  // namespace assay::inline v0
