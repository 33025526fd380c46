#pragma once

#include "assay/training/training_subject.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE SerialTrainer::SerialTrainer(const TrainingOptions& options, int ranks, GradientOrder order)
    : options_(options), order_(order), parts_(static_cast<std::size_t>(ranks)), totals_(parts_.size()) {
  options_.sharding = StateSharding::none;
  options_.gradient_type = ElementType::float32;
  expect_valid(options_);
  state = initial_state(options_, 0, 1);
}

ASSAY_DETAIL_HEADER_INLINE double SerialTrainer::step(std::vector<float>& gradient) {
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

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE TrainingSubject serial_training(int ranks, GradientOrder order) {
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
