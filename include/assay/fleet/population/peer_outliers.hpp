#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// Measurements of one kind, of things that ought to be equal: one metric of one chip's model, or of one class of
/// links. Subjects are numbers, for 10⁶ of them; names stand with whoever has them.
struct PeerGroup {
  std::string name;                     ///< for reports
  bool higher_is_better = true;         ///< false: of values such as times, the lower is better
  std::vector<std::uint32_t> subjects;  ///< one a value; several values of a subject are one by their median
  std::vector<double> values;           ///< of magnitude `largest_sample` / 2 at most; others are left out, and counted
};

/// When a subject is accused.
struct PeerOptions {
  double false_accusations = 0.01;  ///< expected in the whole group where all are equal and normal
  double minimum_effect = 0.03;     ///< relative distance from the median that matters to anybody
  std::size_t fewest_peers = 8;     ///< fewer decide nothing
};

/// A subject that its peers leave behind.
struct PeerOutlier {
  std::uint32_t subject = 0;
  double value = 0;      ///< its median
  double deviation = 0;  ///< from the group's median, in robust standard deviations, below 0 where it is worse
  double effect = 0;     ///< relative distance from the group's median, below 0 where it is worse
};

/// What a group says of itself.
struct PeerVerdict {
  bool decided = false;             ///< false: too few peers
  double median = 0;                ///< of the subjects' values; 0 where there is none
  double deviation = 0;             ///< robust standard deviation: 1.4826 · median absolute deviation
  double threshold = 0;             ///< robust standard deviations beyond which a subject is accused
  std::size_t subjects = 0;         ///< that have a value that counts
  std::size_t left_out = 0;         ///< values that are no finite numbers, or too large ones
  std::vector<PeerOutlier> worse;   ///< worst first
  std::vector<PeerOutlier> better;  ///< too good: perhaps not measured at all
};

/// Who differs from peers: robust deviations (median, median absolute deviation) beyond the quantile that the number of
/// comparisons and of peers asks for (Student's t by Cornish and Fisher, since deviations of few peers are uncertain),
/// and by `minimum_effect` at least. Half of a group that is ill alike is the norm: absolute limits are for others. O(n
/// log n). Misuse: `subjects` and `values` of different sizes, options outside their ranges.
[[nodiscard]] PeerVerdict compare_peers(const PeerGroup& group, const PeerOptions& options = {});

namespace detail {

/// Whether a value is compared: distances between two of them are samples.
[[nodiscard]] inline bool is_peer_value(double value) noexcept {
  return std::abs(value) <= largest_sample / 2;
}

}  // namespace detail

/// What a swap of a suspected part with that of a good neighbor shows.
enum class SwapVerdict {
  part,         ///< slow went with the part
  place,        ///< slow stayed where it was: slot, cable, cooling
  contact,      ///< neither is slow any more: reseating mended it
  inconclusive  ///< nothing was slow before, or both are now
};
/// As reports name it.
[[nodiscard]] const char* name_of(SwapVerdict verdict) noexcept;

/// Slow is below (`higher_is_better`) or above `limit`. `place_after` is the suspect's place with the neighbor's part,
/// `part_after` the suspected part in the neighbor's place.
[[nodiscard]] SwapVerdict judge_swap(double before, double place_after, double part_after, double limit,
                                     bool higher_is_better = true);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/population/peer_outliers.ipp"
#endif
