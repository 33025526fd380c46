#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

/// What an envelope bounds, each from above.
inline constexpr std::array<const char*, 5> envelope_statistics{"worst_error_ratio", "relative_mean_square_error",
                                                                "bias", "misrounded_share", "max_ulp_error"};

/// What is known of one group of cases: operation, formats, class of shapes, and data.
struct EnvelopeGroup {
  std::size_t runs = 0;                  ///< that were learned from
  std::set<std::string> units;           ///< backends that they are of
  std::map<std::string, double> limits;  ///< by statistic; infinite where the runs are too few for the rate
};

/// Where runs of units that are known to be right lie: beside "refuted by the bound", which no right kernel is,
/// "outside of what is known", which a right kernel of another kind may be.
struct Envelope {
  double rate = 0.01;  ///< at most this share of further runs of the known units is outside, all statistics together
  std::map<std::string, EnvelopeGroup> groups;  ///< by operation, formats, class of shapes and data
};

/// How an outcome lies to an envelope.
struct EnvelopeJudgment {
  bool known = false;    ///< the group is, and has at least one limit
  bool outside = false;  ///< farther out than any run that is known to be right
  double excess = 0;     ///< the largest statistic / limit
  std::string finding;   ///< what is outside, or why nothing is known
};

namespace detail {

/// Each number of a shape's name as the next power of two: "m64-n64-k3000" and "m64-n64-k4096" are of one class.
[[nodiscard]] std::string shape_class(const std::string& shape);

}  // namespace detail

/// The group of a case: "softmax bf16.bf16 64x1024x1 normal".
[[nodiscard]] inline std::string envelope_group(const Outcome& outcome) {
  return outcome.label("operation") + " " + outcome.label("formats") + " " +
         detail::shape_class(outcome.label("shape")) + " " + outcome.label("data");
}

/// The ⌈(1 − rate)(n + 1)⌉-th smallest of n values; infinite if that is beyond the largest. Of n + 1 exchangeable
/// values the last exceeds it with a probability of at most `rate`, whatever their distribution: Wilks, "Determination
/// of sample sizes for setting tolerance limits", Ann. Math. Statist. 12 (1941); Vovk, Gammerman, Shafer, "Algorithmic
/// Learning in a Random World" (2005), section 2.2. Precondition: 0 < rate < 1.
[[nodiscard]] double conformal_limit(std::vector<double> values, double rate);

/// How many runs of a group a finite limit needs at least, for `learn_envelope`. Precondition: 0 < rate < 1.
[[nodiscard]] inline std::size_t envelope_runs_needed(double rate) {
  return static_cast<std::size_t>(std::ceil(static_cast<double>(envelope_statistics.size()) / rate - 1 - 1e-6));
}

/// Learns from outcomes that passed; others are left out. The rate is divided evenly between the statistics, so that a
/// run of a group is outside any of them with a probability of at most `rate`, if it is exchangeable with the group's
/// runs: of the same units, with other seeds. For units that the runs are not of, nothing is promised. A finite limit
/// needs at least statistics/rate − 1 runs of the group. O(outcomes).
[[nodiscard]] Envelope learn_envelope(const std::vector<Outcome>& outcomes, double rate = 0.01);

/// Where an outcome lies.
[[nodiscard]] EnvelopeJudgment judge(const Envelope& envelope, const Outcome& outcome);

/// Adds the measurements `outside_envelope` (0 or 1) and `envelope_excess`, and what was found to the diagnosis. A
/// verdict stays; but where `required`, a pass that lies outside or of which nothing is known becomes inconclusive.
void apply_envelope(const Envelope& envelope, bool required, Outcome& outcome);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/envelope/envelope.ipp"
#endif
