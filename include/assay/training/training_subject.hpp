#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/training/data_parallel_trainer.hpp"
#include "assay/training/detail/gather_records.hpp"

namespace assay::inline v0 {

/// Whoever trains: with the options given on all ranks, and gives what each recorded, in the order of ranks. One's own trainer of the language model
/// is such a function; it may ignore `options.fault`.
struct TrainingSubject {
  std::string name;  ///< short and stable, a part of ids of cases
  int ranks = 1;
  std::function<Result<std::vector<TrainingTrace>>(const TrainingOptions& options)> train;  ///< errors are those of its environment
};

/// Trains on this rank of a collective and gives every rank the traces of all, so that all judge alike. Every rank makes one and calls it in the
/// same order. `collective` and `coordinator` must outlive it. Errors: the collective's; `timed_out`, naming the ranks whose traces did not come.
[[nodiscard]] inline TrainingSubject collective_training(AnyCollective& collective, Coordinator& coordinator) {
  return {collective.name(), collective.size(),
          [&collective, &coordinator](const TrainingOptions& options) -> Result<std::vector<TrainingTrace>> {
            return detail::gather_records(coordinator, train(collective, options), deadline_after(options.deadline));
          }};
}

/// In which order the gradients of ranks are added up by `serial_training`.
enum class GradientOrder {
  ascending,  ///< ((g₀ + g₁) + g₂) + …
  ring        ///< element q of p nearly equal pieces: ((g_{q+1} + g_{q+2}) + …) + g_q, as a ring's reduce-scatter has it
};

namespace detail {

/// to[i] = Σ parts[r][begin + i], added up in the order given. Precondition: there are parts.
template <class Real>
void sum_in_order(const std::vector<std::vector<Real>>& parts, GradientOrder order, std::size_t begin, std::size_t count, Real* to) {
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

/// Training in one process: the gradients of `ranks` ranks, one after the other, added up in the order given, in float32, a bucket at a time.
class SerialTrainer {
 public:
  SerialTrainer(const TrainingOptions& options, int ranks, GradientOrder order)
      : options_(options), order_(order), parts_(static_cast<std::size_t>(ranks)), totals_(parts_.size()) {
    options_.sharding = StateSharding::none;
    options_.gradient_type = ElementType::float32;
    expect_valid(options_);
    state = initial_state(options_, 0, 1);
  }

  TrainingState state;

  /// The mean loss before the step. `gradient` receives what the optimizer was given.
  double step(std::vector<float>& gradient) {
    const int ranks = static_cast<int>(parts_.size());
    for (int rank = 0; rank < ranks; ++rank) {
      LocalGradient local = local_gradient(options_, state, samples_of(options_.global_batch, rank, ranks));
      parts_[static_cast<std::size_t>(rank)] = std::move(local.sum);
      totals_[static_cast<std::size_t>(rank)] = {local.loss, local.tokens};
    }
    double all[2];
    sum_in_order(totals_, order_, 0, 2, all);
    gradient.resize(state.weights.size());
    const auto bucket = static_cast<std::size_t>(options_.bucket_elements);
    for (std::size_t begin = 0; begin < gradient.size(); begin += bucket)
      sum_in_order(parts_, order_, begin, std::min(gradient.size() - begin, bucket), gradient.data() + begin);
    divide_by_tokens(gradient, all[1]);
    adamw_step(options_.optimizer, state.steps_done + 1, gradient, state.weights, state.first, state.second);
    advance(state, options_);
    return all[0] / all[1];
  }

 private:
  TrainingOptions options_;
  GradientOrder order_;
  std::vector<std::vector<float>> parts_;
  std::vector<std::vector<double>> totals_;
};

}  // namespace detail

/// Without a collective, on one process. Options of gradient type, sharding and fault do not touch it: it is the reference. It gives one trace.
[[nodiscard]] inline TrainingSubject serial_training(int ranks = 1, GradientOrder order = GradientOrder::ascending) {
  expect(ranks >= 1, [] { return "serial_training() needs a rank at least"; });
  return {"serial", ranks, [ranks, order](const TrainingOptions& options) -> Result<std::vector<TrainingTrace>> {
            detail::SerialTrainer trainer(options, ranks, order);
            TrainingTrace trace;
            while (trainer.state.steps_done < options.steps) {
              const bool audited = options.audits(trainer.state.steps_done + 1);
              AuditedStep record;
              if (audited) record.before = trainer.state;
              trace.checksums.push_back(bits_checksum(trainer.state.weights));
              trace.losses.push_back(trainer.step(record.gradient));
              if (!audited) continue;
              record.step = trainer.state.steps_done;
              record.after = trainer.state;
              trace.audited.push_back(std::move(record));
            }
            trace.last = std::move(trainer.state);
            return std::vector<TrainingTrace>{std::move(trace)};
          }};
}

}  // namespace assay::inline v0
