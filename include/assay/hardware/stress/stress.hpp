#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/hardware/counter_reading.hpp"
#include "assay/hardware/stress/stress_result.hpp"

namespace assay::inline v0 {

/// Load that comes and goes on all processors at once, for what power supplies make of steps.
struct StressPulses {
  double hertz = 0;   ///< 0: steady
  double duty = 0.5;  ///< the share of a period under load
};

/// A fault that the stress commits when it is told to, so that the check is checked.
struct StressFault {
  int processor = -1;               ///< on which
  std::size_t tile = 0;             ///< which is damaged
  int bit = 0;                      ///< of the first accumulator
  std::uint64_t first_product = 0;  ///< counted from 0, of that processor
  std::uint64_t products = 1;       ///< how many are damaged, re-runs included
  bool of_operand = false;          ///< a bit of A in memory instead
};

/// How a stress runs.
struct StressOptions {
  std::vector<int> processors;  ///< empty: all that the process may use
  double seconds = 10;          ///< how long
  std::size_t depth = 256;      ///< K of the products; 1024 at most
  bool checked = true;          ///< false: the rate without checks, which proves nothing
  StressPulses pulses;
  std::optional<double> peak;        ///< operations a second that the specification gives for all processors
  std::optional<double> least_rate;  ///< less fails
  unsigned reruns = 3;               ///< of a wrong tile's product
  std::size_t most_defects = 64;     ///< that are told of; all are counted
  std::uint64_t seed = 1;            ///< of the operands
  ReadCounters counters;             ///< ECC counts before and after; may be empty
  std::optional<StressFault> fault;
  std::function<bool()> stop;  ///< asked now and then; true ends the stress. May be empty.
};

/// Formats in which this processor can be stressed: f64, f32 and i32 always; bf16 (pairs summed in float32) where it
/// has AVX-512 BF16, and i8 (quadruples summed in 32 bits) where it has AVX-512 VNNI. Units for float16 and tiles of
/// AMX are not stressed.
[[nodiscard]] const std::vector<std::string>& stress_formats();

/// Products of small integers on every processor, one pinned thread each: every partial sum is exact in the format, so
/// that any order of sums gives the same bits, and golden results come from 64-bit integers. Every tile's signature is
/// held against the golden one in registers, while it is there. Error `unsupported`: a format without a kernel, or one
/// that the processor lacks; then `invalid`: a depth of 0 or above 1024, a time or pulses that are no positive numbers.
[[nodiscard]] Result<StressResult> run_stress(const std::string& format, const StressOptions& options = {});

/// `hardware/stress/<format>`, of a device `hardware/stress/<backend>/<format>`. Fails: a wrong tile, a rate of 0, a
/// rate above the peak or above what any such processor could do (then work was not done), or below the least asked
/// for. Inconclusive: processors of the machine without proof that they took part, or a thread that did not stay on its
/// own. Without checks never a pass.
[[nodiscard]] Outcome judge_stress(const Result<StressResult>& result, const std::string& format,
                                   const StressOptions& options);

/// Runs and judges.
[[nodiscard]] Outcome check_stress(const std::string& format, const StressOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/stress/stress.ipp"
#endif
