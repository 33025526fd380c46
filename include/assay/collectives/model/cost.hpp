#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/model/cost_model.hpp"
#include "assay/collectives/model/topology.hpp"

namespace assay::inline v0 {

/// What one phase of an algorithm does, as seen on its longest path. Its time is linear in the latencies; of the links,
/// the slower one counts, since chunks pass both at once.
struct CostPhase {
  double messages_inside = 0;   ///< one after another, inside of a node
  double messages_between = 0;  ///< the same, between nodes
  double bytes_inside = 0;      ///< that a device sends inside of its node
  double bytes_between = 0;     ///< that a node sends to others
  double bytes_reduced = 0;     ///< that a device reduces
  double efficiency = 1;        ///< share of the links' bandwidth that the algorithm reaches
  double switch_seconds = 0;    ///< spent in switches that reduce
};

/// Phases one after another: at most three.
struct Cost {
  std::array<CostPhase, 3> phases{};
  std::size_t count = 0;  ///< of the phases that are set

  /// Precondition: fewer than three phases are set.
  void add(const CostPhase& phase) { phases[count++] = phase; }
};

/// The seconds that phases take on a topology. O(1).
[[nodiscard]] double seconds_of(const Cost& cost, const Topology& topology);

namespace detail {

/// What of an all-reduce an operation is, in units of a reduce-scatter and an all-gather; each of them moves S(n−1)/n.
struct OperationShare {
  double halves = 2;
  bool reduced = true;
};

[[nodiscard]] constexpr OperationShare share_of(CollectiveOperation operation) noexcept {
  return {operation == CollectiveOperation::all_reduce || operation == CollectiveOperation::barrier ? 2.0 : 1.0,
          reduces(operation)};
}

/// The numbers of a topology that formulas take.
struct CostShape {
  double nodes, devices, ranks;
  bool spread;  ///< over more than one node
  explicit CostShape(const Topology& topology)
      : nodes(static_cast<double>(topology.nodes)),
        devices(static_cast<double>(topology.devices)),
        ranks(nodes * devices),
        spread(topology.nodes > 1) {}
};

}  // namespace detail

/// What an algorithm costs for an operation on `bytes`: the size that sweeps tell, which is the whole vector, n blocks
/// where there are blocks. Nothing where the algorithm does not exist: trees do not scatter, switches do not exchange,
/// one node needs no hierarchy. On one rank nothing is sent. O(1). Preconditions: bytes ≥ 0; the topology passes
/// `check`.
[[nodiscard]] std::optional<Cost> cost_of(CostModel model, CollectiveOperation operation, double bytes,
                                          const Topology& topology);

/// The seconds that it takes; nothing as of `cost_of`. O(1).
[[nodiscard]] inline std::optional<double> modeled_seconds(CostModel model, CollectiveOperation operation, double bytes,
                                                           const Topology& topology) {
  const auto cost = cost_of(model, operation, bytes, topology);
  return cost ? std::optional<double>(seconds_of(*cost, topology)) : std::nullopt;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/model/cost.ipp"
#endif
