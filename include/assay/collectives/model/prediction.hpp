#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "assay/collectives/measurement/bandwidth.hpp"
#include "assay/collectives/model/cost.hpp"
#include "assay/collectives/model/cost_fit.hpp"

namespace assay::inline v0 {

/// What a model was held against: beyond it, a prediction is extrapolated.
struct FittedRange {
  Index most_ranks = 0;  ///< of the measurements
  /// Of the measurements.
  double least_bytes = 0, most_bytes = 0;

  /// Whether a prediction for these is no extrapolation.
  [[nodiscard]] constexpr bool holds(Index ranks, double bytes) const noexcept {
    return ranks <= most_ranks && bytes >= least_bytes && bytes <= most_bytes;
  }
};

/// What the fit was made from.
[[nodiscard]] constexpr FittedRange range_of(const CostFit& fit) noexcept {
  return {fit.most_ranks, fit.least_bytes, fit.most_bytes};
}

/// What an operation is expected to take.
struct Prediction {
  CostModel model = CostModel::ring;
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  Index ranks = 1;     ///< that take part
  double bytes = 0;    ///< of the operation
  double seconds = 0;  ///< expected to be taken
  CollectiveBandwidth bandwidth;
  bool extrapolated = true;  ///< beyond what was fitted; of a topology from a description always
};

/// Nothing where the algorithm does not exist, as of `cost_of`. O(1).
[[nodiscard]] std::optional<Prediction> predict(CostModel model, CollectiveOperation operation, double bytes,
                                                const Topology& topology, const FittedRange& fitted = {});

/// The fastest of all algorithms that the topology has: what a library that chooses well reaches. O(1).
[[nodiscard]] Prediction expected_collective(CollectiveOperation operation, double bytes, const Topology& topology,
                                             const FittedRange& fitted = {});

/// All algorithms × operations × sizes × numbers of ranks, on topologies of the same nodes. O(number of predictions).
[[nodiscard]] std::vector<Prediction> predict_sweep(std::span<const CollectiveOperation> operations,
                                                    std::span<const double> sizes, std::span<const Index> ranks,
                                                    const Topology& topology, const FittedRange& fitted = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/model/prediction.ipp"
#endif
