#pragma once

#include "assay/collectives/model/prediction.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::optional<Prediction> predict(CostModel model, CollectiveOperation operation,
                                                             double bytes, const Topology& topology,
                                                             const FittedRange& fitted) {
  const auto seconds = modeled_seconds(model, operation, bytes, topology);
  if (!seconds) return std::nullopt;
  const auto ranks = static_cast<double>(topology.ranks());
  return Prediction{model,
                    operation,
                    topology.ranks(),
                    bytes,
                    *seconds,
                    bandwidth_of(operation, bytes, ranks, *seconds),
                    !fitted.holds(topology.ranks(), bytes)};
}

ASSAY_DETAIL_HEADER_INLINE Prediction expected_collective(CollectiveOperation operation, double bytes,
                                                          const Topology& topology, const FittedRange& fitted) {
  std::optional<Prediction> fastest;
  for (const CostModel model : all_cost_models)
    if (const auto one = predict(model, operation, bytes, topology, fitted);
        one && (!fastest || one->seconds < fastest->seconds))
      fastest = one;
  return *fastest;  // a ring has every operation
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Prediction> predict_sweep(std::span<const CollectiveOperation> operations,
                                                                 std::span<const double> sizes,
                                                                 std::span<const Index> ranks, const Topology& topology,
                                                                 const FittedRange& fitted) {
  std::vector<Prediction> predictions;
  predictions.reserve(operations.size() * sizes.size() * ranks.size() * all_cost_models.size());
  for (const CollectiveOperation operation : operations)
    for (const Index count : ranks) {
      const Topology grown = topology.with_ranks(count);
      for (const double bytes : sizes)
        for (const CostModel model : all_cost_models)
          if (const auto one = predict(model, operation, bytes, grown, fitted)) predictions.push_back(*one);
    }
  return predictions;
}

}  // namespace assay::inline v0
