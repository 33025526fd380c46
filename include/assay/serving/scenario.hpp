#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// The scenarios of MLPerf Inference. Interactive is Server with tighter limits.
enum class Scenario : std::uint8_t {
  single_stream,  ///< one query after the other; judged by the 90th percentile's bound
  multi_stream,   ///< one query of several samples after the other; the 99th percentile's bound
  server,         ///< Poisson arrivals, a latency that the 99th percentile keeps
  offline         ///< all at once; samples a second
};
/// In the order of `Scenario`, as LoadGen spells them.
inline constexpr std::array<std::string_view, 4> scenario_names{"SingleStream", "MultiStream", "Server", "Offline"};
/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(Scenario scenario) noexcept {
  return scenario_names[static_cast<std::size_t>(scenario)];
}

/// What a run must be to count.
struct ScenarioRules {
  Scenario scenario = Scenario::server;
  double percentile = 0.99;                ///< of SingleStream 0.9
  std::optional<double> most_latency;      ///< seconds: of Server without token limits
  std::optional<double> most_first_token;  ///< TTFT, seconds: of Server over tokens
  std::optional<double> most_per_token;    ///< TPOT, seconds
  double least_seconds = 600;              ///< of the run
  std::uint64_t least_queries = 100;       ///< of the run
  std::uint64_t least_samples = 24'576;    ///< of Offline
  double confidence = 0.99;                ///< of early stopping
};

/// The rules of the scenario as MLPerf Inference has them, without limits of latency.
[[nodiscard]] ScenarioRules rules_of(Scenario scenario);

/// What ran. Latencies in seconds, from the scheduled time; of language models those of the whole answer.
struct ScenarioRun {
  double seconds = 0;
  std::uint64_t samples = 0;         ///< of Offline and MultiStream; else queries
  std::vector<double> latencies;     ///< one a query, in any order
  std::vector<double> first_tokens;  ///< TTFT, one a query, where the rules limit it
  std::vector<double> per_token;     ///< TPOT; queries of one token have none, and are left out
  std::uint64_t failed = 0;          ///< queries without a right answer: any makes the run invalid
};

/// What came of it, rule by rule.
struct ScenarioVerdict {
  bool valid = false;                        ///< all rules are kept
  bool duration = false;                     ///< long enough
  bool queries = false;                      ///< enough queries, or samples
  bool performance = false;                  ///< percentiles within their limits; true where there are none
  bool early_stopping = false;               ///< shown with confidence
  std::optional<double> percentile_latency;  ///< of the queries as they were
  std::optional<double> estimate;            ///< SingleStream, MultiStream: the latency that counts
  double metric = 0;                 ///< Server: queries a second; Offline: samples a second; else `estimate`, seconds
  std::vector<std::string> reasons;  ///< why it is invalid, with what to do
};

/// Judges a run by the rules of its scenario. O(n log n). Misuse: latencies that are not finite.
[[nodiscard]] ScenarioVerdict judge_scenario(const ScenarioRun& run, const ScenarioRules& rules);

/// As an outcome `serving/<scenario>/<id>`: `pass` for valid, `fail` for invalid.
[[nodiscard]] Outcome scenario_outcome(const ScenarioVerdict& verdict, const ScenarioRules& rules,
                                       const std::string& id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/scenario.ipp"
#endif
