#pragma once

#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/measurement/detail/sweep_buffers.hpp"
#include "assay/collectives/measurement/sweep_options.hpp"
#include "assay/collectives/measurement/sweep_result.hpp"
#include "assay/collectives/verification/collective_diagnosis.hpp"
#include "assay/statistics/moments.hpp"
#include "assay/statistics/order_statistics.hpp"

namespace assay::inline v0::detail {

/// Measures one operation at one size, together with all ranks.
class SweepPointMeasurement {
 public:
  SweepPointMeasurement(AnyCollective& collective, Coordinator& coordinator, const SweepOptions& options,
                        const CollectiveProblem& problem)
      : collective_(collective),
        coordinator_(coordinator),
        options_(options),
        problem_(problem),
        memory_(collective.memory()) {}

  /// Errors: the coordinator's, after which ranks agree on nothing. What fails in the operation itself stands in the
  /// point.
  [[nodiscard]] Result<SweepPoint> run();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Deadline patience() const { return deadline_after(options_.deadline + std::chrono::seconds(60)); }

  [[nodiscard]] double largest_exchange() const;

  /// The first error of any rank, if one has one; all ranks learn the same.
  [[nodiscard]] Result<std::optional<Error>> agree();

  void keep(const Result<void>& done) {
    if (!done && !error_) error_ = done.error();
  }

  /// Off the clock: buffers are made ready and inspected in batches of as many calls as there are outputs.
  void measure();

  /// Lets ranks begin together, as far as a barrier can; a runtime that has none begins as the coordinator lets go.
  void align() {
    CollectiveCall barrier;
    barrier.operation = CollectiveOperation::barrier;
    const auto done = collective_.run(barrier, deadline_after(options_.deadline));
    if (!done && done.error().kind != ErrorKind::unsupported) keep(done);
  }

  void inspect(SweepBuffers& buffers, std::uint64_t index);

  [[nodiscard]] std::string own_text() const;

  void combine(const std::vector<std::optional<std::string>>& told, SweepPoint& point) const;

  static void summarize(const std::vector<double>& means, std::vector<double> longest, SweepPoint& point);

  AnyCollective& collective_;
  Coordinator& coordinator_;
  const SweepOptions& options_;
  CollectiveProblem problem_;
  CollectiveMemory memory_;
  std::vector<double> seconds_;
  std::optional<Error> error_;
  std::uint64_t wrong_ = 0;
  std::uint64_t wrong_call_ = 0;
  Index changed_inputs_ = 0;
  std::optional<RankFinding> finding_;  ///< of the first call that was wrong
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/detail/sweep_point_measurement.ipp"
#endif
