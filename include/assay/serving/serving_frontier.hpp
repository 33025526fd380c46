#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/serving/load_summary.hpp"

/// What a server gives each user against what it gives all of them: InferenceMAX's frontier and MLPerf Endpoints'
/// curve.
namespace assay::inline v0 {

/// One load on a server.
struct FrontierPoint {
  std::size_t users = 0;     ///< at the same time
  double interactivity = 0;  ///< output tokens a second of a user: 1/TPOT
  double throughput = 0;     ///< tokens a second: of an accelerator, input and output, or of the system, output alone
  std::optional<double> first_token;  ///< TTFT, seconds
  bool served = false;                ///< all requests were
  double seconds = 0;                 ///< of the steady window
  bool valid = true;                  ///< false: the run is void, for the client and not the server was measured
};

/// InferenceMAX (2026): 1/median TPOT, and input with output tokens a second by accelerator. Input counts by the
/// server's word; without it, it counts nothing. Misuse: no accelerator.
[[nodiscard]] FrontierPoint inference_max_point(const LoadSummary& summary, std::size_t users,
                                                std::size_t accelerators);
/// MLPerf Endpoints (draft 1.0): 1/TPOT at its 90th percentile, output tokens a second of the system, TTFT at its 90th.
[[nodiscard]] FrontierPoint endpoints_point(const LoadSummary& summary, std::size_t users);

/// The points that no other beats: none is at least as good in both respects and better in one. By ascending
/// interactivity; of equal ones the first. O(n log n).
[[nodiscard]] std::vector<FrontierPoint> pareto_frontier(std::span<const FrontierPoint> points);

/// All loads with the frontier, as `serving/<id>`: `fail`: a load was not served; `inconclusive`: a void run, or fewer
/// than two points.
/// `measure`: throughput of an accelerator at the highest and at the lowest interactivity of the frontier.
[[nodiscard]] Outcome frontier_outcome(std::span<const FrontierPoint> points, std::size_t accelerators,
                                       const std::string& id);

/// What MLPerf Endpoints' draft 1.0 asks of a curve.
struct EndpointsRules {
  std::size_t least_points = 7, most_points = 32;  ///< of a curve
  std::size_t low_users = 32;                      ///< one point at so many users at most
  double least_seconds_low = 600;                  ///< of a point at so many
  double least_seconds = 1200;                     ///< of the others
};
/// Ends of the two lower of three regions of users between the fewest and the most of a curve: fewest + 2^I and
/// fewest + 2^2I, I = log2(most − fewest)/3, truncated, as three known values are; the draft's text speaks of rounding,
/// by which one of them would be larger by a user. Misuse: most ≤ fewest, or none.
[[nodiscard]] std::pair<std::size_t, std::size_t> endpoints_regions(std::size_t fewest, std::size_t most);

/// Whether the points are a curve by the rules, as `serving/<id>`, with the curve as steps: between two points that
/// one holds whose users are faster, which delivers less. `fail`: a rule is broken, by name.
[[nodiscard]] Outcome endpoints_outcome(std::span<const FrontierPoint> points, const EndpointsRules& rules,
                                        const std::string& id);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/serving_frontier.ipp"
#endif
