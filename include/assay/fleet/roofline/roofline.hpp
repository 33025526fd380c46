#pragma once

#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/fleet/chips/chip.hpp"
#include "assay/fleet/roofline/operation_work.hpp"

namespace assay::inline v0 {

/// A way by which operands come: no more bytes a second than this.
struct BandwidthCeiling {
  std::string name;             ///< "memory", "L2", "link"
  double bytes_per_second = 0;  ///< at most, above 0
};

/// A machine as its roofline sees it (Williams, Waterman, Patterson, "Roofline", 2009): P = min(peak, intensity · B).
struct RooflineMachine {
  std::string name;                        ///< for reports: the chip's
  std::string format;                      ///< whose peak it is
  double peak = 0;                         ///< operations a second
  std::vector<BandwidthCeiling> ceilings;  ///< any order
  bool reliable = true;                    ///< false: the figures are of low confidence, and gate nothing

  /// The intensity from which on arithmetic limits, by a ceiling's name. Precondition: there is one of that name.
  [[nodiscard]] double ridge(const std::string& ceiling) const;
};

/// A chip by a format's peak; its memory is the ceiling "memory", its links, one direction, "link". Error
/// `unsupported`: the chip does not state that peak, or no bandwidth of its memory.
[[nodiscard]] Result<RooflineMachine> machine_of(const Chip& chip, const std::string& format);

/// What limits a problem on a machine.
struct RooflineBound {
  double operations_per_second = 0;  ///< at most; of work without arithmetic 0
  double seconds = 0;                ///< at least
  std::string by;                    ///< "arithmetic", or a ceiling's name
};

/// By the ceiling of that name. Misuse: there is none.
[[nodiscard]] RooflineBound roofline_bound(const OperationWork& work, const RooflineMachine& machine,
                                           const std::string& ceiling = "memory");

/// Holds a measured time against the roofline: the share of what could be reached, and by what it is bound. `fail`
/// where it is quicker than the machine can be by more than 2 % and no faster ceiling explains it (then it measured
/// something else, such as a kernel that was never run), or the share is below `minimum_share`; `inconclusive` where
/// the machine's figures are unreliable; `error` for a time that is no positive number. The id is
/// `roofline/MACHINE/FORMAT/PROBLEM`.
[[nodiscard]] Outcome judge_roofline(const std::string& problem, const OperationWork& work, double seconds,
                                     const RooflineMachine& machine, double minimum_share = 0);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/roofline/roofline.ipp"
#endif
