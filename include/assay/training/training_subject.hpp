#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/training/data_parallel_trainer.hpp"
#include "assay/training/detail/gather_records.hpp"

namespace assay::inline v0 {

/// Whoever trains: with the options given on all ranks, and gives what each recorded, in the order of ranks. One's own
/// trainer of the language model is such a function; it may ignore `options.fault`.
struct TrainingSubject {
  std::string name;  ///< short and stable, a part of ids of cases
  int ranks = 1;
  std::function<Result<std::vector<TrainingTrace>>(const TrainingOptions& options)>
      train;  ///< errors are those of its environment
};

/// Trains on this rank of a collective and gives every rank the traces of all, so that all judge alike. Every rank
/// makes one and calls it in the same order. `collective` and `coordinator` must outlive it. Errors: the collective's;
/// `timed_out`, naming the ranks whose traces did not come.
[[nodiscard]] inline TrainingSubject collective_training(AnyCollective& collective, Coordinator& coordinator) {
  return {collective.name(), collective.size(),
          [&collective, &coordinator](const TrainingOptions& options) -> Result<std::vector<TrainingTrace>> {
            return detail::gather_records(coordinator, train(collective, options), deadline_after(options.deadline));
          }};
}

/// In which order the gradients of ranks are added up by `serial_training`.
enum class GradientOrder {
  ascending,  ///< ((g₀ + g₁) + g₂) + …
  ring  ///< element q of p nearly equal pieces: ((g_{q+1} + g_{q+2}) + …) + g_q, as a ring's reduce-scatter has it
};

namespace detail {

/// to[i] = Σ parts[r][begin + i], added up in the order given. Precondition: there are parts.
template <class Real>
void sum_in_order(const std::vector<std::vector<Real>>& parts, GradientOrder order, std::size_t begin,
                  std::size_t count, Real* to) {
  const std::size_t ranks = parts.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t last = ranks - 1;
    if (order == GradientOrder::ring) {
      const std::size_t each = count / ranks, longer = count % ranks;
      last = i < longer * (each + 1) ? i / (each + 1) : longer + (i - longer * (each + 1)) / each;
    }
    Real sum = parts[(last + 1) % ranks][begin + i];
    for (std::size_t k = 2; k <= ranks; ++k) sum += parts[(last + k) % ranks][begin + i];
    to[i] = sum;
  }
}

/// Training in one process: the gradients of `ranks` ranks, one after the other, added up in the order given, in
/// float32, a bucket at a time.
class SerialTrainer {
 public:
  SerialTrainer(const TrainingOptions& options, int ranks, GradientOrder order);

  TrainingState state;

  /// The mean loss before the step. `gradient` receives what the optimizer was given.
  double step(std::vector<float>& gradient);

 private:
  TrainingOptions options_;
  GradientOrder order_;
  std::vector<std::vector<float>> parts_;
  std::vector<std::vector<double>> totals_;
};

}  // namespace detail

/// Without a collective, on one process. Options of gradient type, sharding and fault do not touch it: it is the
/// reference. It gives one trace.
[[nodiscard]] TrainingSubject serial_training(int ranks = 1, GradientOrder order = GradientOrder::ascending);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/training_subject.ipp"
#endif
