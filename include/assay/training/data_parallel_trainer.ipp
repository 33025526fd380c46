#pragma once

#include "assay/training/data_parallel_trainer.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE DataParallelTrainer::DataParallelTrainer(AnyCollective& collective,
                                                                    const TrainingOptions& options)
    : options_(options), exchange_(collective, options.deadline), rank_(collective.rank()), size_(collective.size()) {
  expect_valid(options_);
  trace_.rank = rank_;
  trace_.size = size_;
  state_ = initial_state(options_, rank_, size_);
  if (has(TrainingFault::other_seed)) state_.weights = initial_weights(options_.model, options_.seed + 1);
  if (has(TrainingFault::unsynchronized_moments)) {
    std::fill(state_.first.begin(), state_.first.end(), 0.01f);
    std::fill(state_.second.begin(), state_.second.end(), 0.0001f);
  }
  forget_others(state_);
}

ASSAY_DETAIL_HEADER_INLINE void DataParallelTrainer::restore(TrainingState state) {
  expect(
      state.weights.size() == state_.weights.size() && state.first.size() == state_.first.size() &&
          state.second.size() == state_.second.size(),
      [] { return "DataParallelTrainer::restore() was given a state of another model, number of ranks or sharding"; });
  state_ = std::move(state);
  trace_.first_step = state_.steps_done + 1;
  trace_.losses.clear();
  trace_.checksums.clear();
  trace_.audited.clear();
}

ASSAY_DETAIL_HEADER_INLINE Result<void> DataParallelTrainer::step() {
  if (options_.sharding == StateSharding::weights)
    if (auto gathered = gather_weights(); !gathered) return gathered;
  const bool audited = options_.audits(state_.steps_done + 1);
  AuditedStep record;
  if (audited) record.before = state_;
  trace_.checksums.push_back(bits_checksum(state_.weights));

  RankShare samples = samples_of(options_.global_batch, rank_, size_);
  detail::LocalGradient local = detail::local_gradient(options_, state_, samples);
  if (has(TrainingFault::lost_microbatch) && samples.count() > 0)
    local.sum = detail::local_gradient(options_, state_, {samples.begin, samples.end - 1}).sum;
  double mine[2] = {local.loss, local.tokens}, all[2];
  CollectiveCall call;
  call.type = ElementType::float64;
  call.count = 2;
  if (auto summed = exchange_.run(call, mine, all); !summed) return summed;
  trace_.losses.push_back(all[0] / all[1]);

  if (auto summed = sum_gradients(local); !summed) return summed;
  detail::divide_by_tokens(gradient_, has(TrainingFault::mean_of_means) ? static_cast<double>(size_) : all[1]);
  update_own_weights();
  if (options_.sharding == StateSharding::optimizer_state || options_.sharding == StateSharding::gradients)
    if (auto gathered = gather_weights(); !gathered) return gathered;
  forget_others(state_);
  advance(state_, options_);
  if (audited) {
    record.step = state_.steps_done;
    record.after = state_;
    record.gradient_begin = sums_shards() ? own().begin : 0;
    record.gradient = gradient_;
    trace_.audited.push_back(std::move(record));
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE bool DataParallelTrainer::has(TrainingFault fault) const {
  if (options_.fault != fault) return false;
  switch (fault) {
    case TrainingFault::average_for_sum:
    case TrainingFault::mean_of_means:
    case TrainingFault::stale_gradients:
    case TrainingFault::narrow_accumulation:
    case TrainingFault::skipped_bucket:
    case TrainingFault::no_bias_correction: return true;
    default: return rank_ == options_.faulty_rank % size_;
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<void> DataParallelTrainer::sum_gradients(detail::LocalGradient& local) {
  if (has(TrainingFault::dropped_rank)) std::fill(local.sum.begin(), local.sum.end(), 0.0f);
  if (has(TrainingFault::doubled_rank)) local.add(local.sum);
  if (has(TrainingFault::mean_of_means) && local.tokens > 0) detail::divide_by_tokens(local.sum, local.tokens);
  std::vector<float> sum(local.sum.size());
  if (sums_shards()) {
    const Index each = weights_of(total(), 0, size_).count();
    local.sum.resize(static_cast<std::size_t>(each * size_), 0.0f);
    sum.resize(static_cast<std::size_t>(each));
    if (auto done = sum_range(CollectiveOperation::reduce_scatter, local.sum.data(), sum.data(), each); !done)
      return done;
    sum.resize(static_cast<std::size_t>(own().count()));
  } else {
    for (Index begin = 0; begin < total(); begin += options_.bucket_elements) {
      const Index count = std::min(options_.bucket_elements, total() - begin);
      if (has(TrainingFault::skipped_bucket) && begin + count == total())
        std::copy_n(local.sum.begin() + begin, count, sum.begin() + begin);
      else if (auto done =
                   sum_range(CollectiveOperation::all_reduce, local.sum.data() + begin, sum.data() + begin, count);
               !done)
        return done;
    }
  }
  if (has(TrainingFault::stale_gradients)) {
    stale_.resize(sum.size(), 0.0f);
    std::swap(stale_, sum);
  }
  gradient_ = std::move(sum);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> DataParallelTrainer::sum_range(CollectiveOperation operation, const float* from,
                                                                       float* to, Index count) {
  CollectiveCall call;
  call.operation = operation;
  call.count = count;
  call.reduction = has(TrainingFault::average_for_sum) ? ReductionOperator::average : ReductionOperator::sum;
  call.type = has(TrainingFault::narrow_accumulation) ? ElementType::bfloat16 : options_.gradient_type;
  if (call.type == ElementType::float32) return exchange_.run(call, from, to);
  const std::size_t sent = static_cast<std::size_t>(send_extent(call, rank_, size_));
  std::vector<bfloat16> narrow(sent), received(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < sent; ++i) narrow[i] = bfloat16(static_cast<double>(from[i]));
  if (auto done = exchange_.run(call, narrow.data(), received.data()); !done) return done;
  for (std::size_t i = 0; i < received.size(); ++i) to[i] = static_cast<float>(static_cast<double>(received[i]));
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void DataParallelTrainer::update_own_weights() {
  const bool sharded = options_.sharding != StateSharding::none;
  const RankShare shard = sharded ? own() : RankShare{0, total()};
  const auto begin = static_cast<std::size_t>(shard.begin);
  auto count = static_cast<std::size_t>(shard.count());
  if (has(TrainingFault::shard_off_by_one) && count > 0) --count;
  AdamW optimizer = options_.optimizer;
  if (has(TrainingFault::no_bias_correction)) optimizer.bias_correction = false;
  const std::span<const float> gradient = std::span<const float>(gradient_).subspan(sums_shards() ? 0 : begin, count);
  adamw_step(optimizer, state_.steps_done + 1, gradient, std::span<float>(state_.weights).subspan(begin, count),
             std::span<float>(state_.first).first(count), std::span<float>(state_.second).first(count));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> DataParallelTrainer::gather_weights() {
  const Index each = weights_of(total(), 0, size_).count();
  std::vector<float> mine(static_cast<std::size_t>(each), 0.0f), all(static_cast<std::size_t>(each * size_));
  std::copy(state_.weights.begin() + own().begin, state_.weights.begin() + own().end, mine.begin());
  CollectiveCall call;
  call.operation = CollectiveOperation::all_gather;
  call.count = each;
  if (auto done = exchange_.run(call, mine.data(), all.data()); !done) return done;
  if (has(TrainingFault::missing_all_gather)) {
    if (options_.sharding == StateSharding::weights && last_gathered_.empty()) last_gathered_ = all;
    if (options_.sharding != StateSharding::weights) return {};
    std::copy(mine.begin(), mine.begin() + own().count(), last_gathered_.begin() + own().begin);
    all = last_gathered_;
  }
  std::copy_n(all.begin(), total(), state_.weights.begin());
  return {};
}

}  // namespace assay::inline v0
