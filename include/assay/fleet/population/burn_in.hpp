#pragma once

#include <cstdint>
#include <string>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/statistics/rate_interval.hpp"

namespace assay::inline v0 {

/// Accepting a unit by a sequential probability ratio test of its rate of failures (Wald, "Sequential analysis", 1947),
/// failures being Poisson. Rates are failures an hour.
struct BurnInPlan {
  double good_rate = 0;              ///< as good as is needed; such a unit is rejected with probability `alpha` at most
  double bad_rate = 0;               ///< too bad; such a unit is accepted with probability `beta` at most
  double alpha = 0.05, beta = 0.05;  ///< probabilities of the two wrong answers, each between 0 and 0.5
};

/// Where a test stands.
enum class BurnInVerdict { accept, reject, go_on };
/// As reports name it.
[[nodiscard]] const char* name_of(BurnInVerdict verdict) noexcept;

/// Error `invalid`: rates that are not 0 < good < bad, probabilities outside (0, 0.5).
[[nodiscard]] Result<void> check(const BurnInPlan& plan);

/// Where it stands after so many hours and failures. Precondition: `check(plan)`; hours are 0 or more. O(1).
[[nodiscard]] BurnInVerdict judge_burn_in(const BurnInPlan& plan, double hours, std::uint64_t failures) noexcept;

/// The same of a unit: accepted passes, rejected fails, what goes on is `inconclusive`, and says for how long yet. The
/// id is `burn_in/SUBJECT`. Preconditions: as of `judge_burn_in`.
[[nodiscard]] Outcome burn_in_outcome(const BurnInPlan& plan, const std::string& subject, double hours,
                                      std::uint64_t failures);

/// Hours after which a unit that failed so often may be accepted, if it fails no more.
[[nodiscard]] double hours_to_accept(const BurnInPlan& plan, std::uint64_t failures = 0) noexcept;

/// Hours without a failure that show, with this confidence, a mean time between failures of `hours` at least: −ln(1 −
/// confidence) · hours. Misuse: a confidence outside (0, 1).
[[nodiscard]] double failure_free_hours(double hours, double confidence);

/// How often a unit fails that fails sometimes.
struct IntermittentRate {
  std::string subject;                       ///< which unit: "node" or "node/unit"
  std::uint64_t failures = 0, attempts = 0;  ///< attempts count failures, too
  double rate = 0;                           ///< failures an attempt; 0 without attempts
  RateInterval interval;                     ///< 95 percent, Wilson
  double attempts_to_repeat = 0;  ///< after which it failed again with probability 0.95; infinity where it never failed
};

/// Misuse: more failures than attempts.
[[nodiscard]] IntermittentRate intermittent_rate(std::string subject, std::uint64_t failures, std::uint64_t attempts);

/// A unit that failed once failed: `fail` with its rate, never averaged with others; `inconclusive` without attempts;
/// `pass` says up to which rate it was shown. The id is `fleet/SUBJECT`.
[[nodiscard]] Outcome rate_outcome(const IntermittentRate& rate);

/// Screening for silent corruption in rotation.
struct ScreeningPlan {
  std::uint64_t nodes = 0;  ///< of the fleet; period and exposure of one node do not depend on it
  double minutes = 0;       ///< of one screen
  double share = 0;         ///< of the fleet's time that is spent on it
  double detection = 1;     ///< probability that one screen finds a bad node
};
/// Hours from screen to screen of one node: minutes / 60 / share, whatever the number of nodes. Misuse: a share or a
/// detection outside (0, 1], minutes not above 0.
[[nodiscard]] double screening_period_hours(const ScreeningPlan& plan);
/// Hours that a node computes wrongly before it is found, on average: period · (1 / detection − 1/2).
[[nodiscard]] double screening_exposure_hours(const ScreeningPlan& plan);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/population/burn_in.ipp"
#endif
