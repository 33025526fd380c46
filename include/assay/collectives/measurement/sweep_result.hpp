#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/measurement/bandwidth.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What one operation took at one size.
///
/// A rank's time of a call is from its entry to its return. `seconds` is the mean of all ranks' times of all calls, as
/// nccl-tests has it by default, from which its bandwidths come; the other times are of the slowest rank of each call.
struct SweepPoint {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  ElementType type = ElementType::float32;
  ReductionOperator reduction = ReductionOperator::sum;
  int root = 0;  ///< of operations that have one
  int ranks = 1;
  Index count = 0;             ///< elements of one block
  double bytes = 0;            ///< as of `size_bytes`
  bool in_place = false;       ///< whether input and output were one buffer
  std::optional<Error> error;  ///< it was not measured; `unsupported` where the runtime lacks it

  double seconds = 0;
  CollectiveBandwidth bandwidth;
  /// Of the slowest rank of each call.
  double least_seconds = 0, median_seconds = 0, p99_seconds = 0, most_seconds = 0;
  double variation = 0;               ///< standard deviation over mean; 0 for one call
  std::vector<double> call_seconds;   ///< of each call
  bool verified = false;              ///< the outputs of all calls that were timed
  std::uint64_t wrong = 0;            ///< elements, over all ranks and timed calls
  std::vector<std::string> findings;  ///< where, a line a rank
};

/// What a sweep measured, alike on all ranks.
struct SweepResult {
  std::string runtime;  ///< its name
  int ranks = 1;
  /// Calls before and within the measurement.
  unsigned warm_up = 0, iterations = 0;
  double seconds = 0;  ///< that all of it took
  std::vector<SweepPoint> points;

  /// Elements that were wrong, at all points together.
  [[nodiscard]] std::uint64_t wrong() const {
    std::uint64_t sum = 0;
    for (const SweepPoint& point : points) sum += point.wrong;
    return sum;
  }
  /// The mean of the points' busbw in bytes a second, as nccl-tests sums up; 0 if nothing was measured.
  [[nodiscard]] double mean_bus_bandwidth() const {
    double sum = 0;
    std::size_t measured = 0;
    for (const SweepPoint& point : points)
      if (!point.error) sum += point.bandwidth.bus, ++measured;
    return measured == 0 ? 0 : sum / static_cast<double>(measured);
  }
};

}  // namespace assay::inline v0
