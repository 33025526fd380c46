#pragma once

#include "assay/training/pipeline_parallel.hpp"

#include <bit>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<PipelineRecord> run_pipeline(AnyCollective& collective,
                                                               const TrainingOptions& options, PipelineFault fault,
                                                               int faulty_rank) {
  expect_valid(options);
  const int rank = collective.rank(), size = collective.size();
  const TrainingState state = initial_state(options, 0, 1);  // one process has the whole of what ranks share
  detail::PipelineStage stage(options, state, rank, size, rank == faulty_rank % size ? fault : PipelineFault::none);
  detail::Exchange exchange(collective, options.deadline);
  const auto move = [&](Index microbatch, int source, int destination, std::vector<float>& data) -> Result<void> {
    if (source < 0 && destination < 0) return {};
    CollectiveCall call;
    call.operation = CollectiveOperation::send_receive;
    call.count = stage.activations_of(microbatch);
    call.source = source;
    call.destination = destination;
    if (source >= 0) data.assign(static_cast<std::size_t>(call.count), 0.0f);
    return exchange.run(call, data.data(), data.data());
  };
  const int before = rank - 1, after = rank + 1 < size ? rank + 1 : -1;
  for (const bool forward : {true, false})
    for (Index microbatch = 0; microbatch < options.global_batch; ++microbatch) {
      std::vector<float> data;
      if (auto received = move(microbatch, forward ? before : after, -1, data); !received) return received.propagate();
      data = forward ? stage.forward(microbatch, std::move(data)) : stage.backward(microbatch, std::move(data));
      if (auto sent = move(microbatch, -1, forward ? after : before, data); !sent) return sent.propagate();
    }
  return PipelineRecord{rank, size, std::move(stage.gradient), stage.loss};
}

namespace detail {

/// The records that a pipeline with that fault would have given.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<PipelineRecord> simulated_pipeline(const TrainingOptions& options,
                                                                                        const TrainingState& state,
                                                                                        int stages, PipelineFault fault,
                                                                                        int faulty_rank) {
  std::vector<PipelineStage> line;
  for (int rank = 0; rank < stages; ++rank)
    line.emplace_back(options, state, rank, stages, rank == faulty_rank ? fault : PipelineFault::none);
  for (Index microbatch = 0; microbatch < options.global_batch; ++microbatch) {
    std::vector<float> x;
    for (PipelineStage& stage : line) x = stage.forward(microbatch, std::move(x));
  }
  for (Index microbatch = 0; microbatch < options.global_batch; ++microbatch) {
    std::vector<float> dx;
    for (std::size_t rank = line.size(); rank-- > 0;) dx = line[rank].backward(microbatch, std::move(dx));
  }
  std::vector<PipelineRecord> records;
  for (int rank = 0; rank < stages; ++rank)
    records.push_back(
        {rank, stages, line[static_cast<std::size_t>(rank)].gradient, line[static_cast<std::size_t>(rank)].loss});
  return records;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome check_pipeline(const std::string& name, const TrainingOptions& options,
                                                  std::span<const PipelineRecord> records) {
  expect_valid(options);
  Outcome outcome;
  const int stages = static_cast<int>(records.size());
  const std::string shape =
      std::to_string(options.model.layers) + "layers-" + std::to_string(options.global_batch) + "microbatches";
  outcome.id = "training/pipeline_parallel/" + name + "/f32/" + shape + "/ranks-" + std::to_string(stages);
  outcome.labels = {{"operation", "pipeline_parallel"}, {"backend", name}, {"formats", "f32"}, {"shape", shape}};
  outcome.seed = options.seed;
  const TrainingState state = initial_state(options, 0, 1);  // one process has the whole of what ranks share
  bool fit = !records.empty();
  for (int rank = 0; rank < stages; ++rank)
    fit = fit && records[static_cast<std::size_t>(rank)].rank == rank &&
          records[static_cast<std::size_t>(rank)].size == stages &&
          records[static_cast<std::size_t>(rank)].gradient.size() == state.weights.size();
  if (!fit) {
    outcome.verdict = Verdict::error;
    outcome.reason = "the records are not those of all ranks, in their order, of this model";
    return outcome;
  }
  const detail::BatchGradient batch = detail::batch_gradient(options, state);
  std::vector<int> owners;
  for (std::size_t i = 0; i < batch.sum.size(); ++i)
    owners.push_back(detail::stage_of(options.model, static_cast<Index>(i), stages));
  const auto value = [&](std::size_t i) {
    return static_cast<double>(records[static_cast<std::size_t>(owners[i])].gradient[i]);
  };
  const auto allowed = [&](std::size_t i) { return batch.allowed(i, 1, false) * batch.all_tokens; };
  double worst = 0;
  std::size_t worst_element = 0;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < batch.sum.size(); ++i) {
    const double error = std::fabs(value(i) - batch.sum[i]), ratio = error <= allowed(i) ? error / allowed(i)
                                                                     : std::isfinite(value(i))
                                                                         ? error / allowed(i)
                                                                         : std::numeric_limits<double>::infinity();
    if (ratio > worst) worst = ratio, worst_element = i;
    if (!(ratio <= 1)) wrong.push_back(i);
  }
  const std::vector<float> whole = detail::local_gradient(options, state, {0, options.global_batch}).sum;
  bool bitwise = true;
  for (std::size_t i = 0; i < whole.size(); ++i)
    bitwise = bitwise && std::bit_cast<std::uint32_t>(records[static_cast<std::size_t>(owners[i])].gradient[i]) ==
                             std::bit_cast<std::uint32_t>(whole[i]);
  outcome.labels["parity"] = bitwise ? "bitwise" : "bounded";
  outcome.measure(measurement::worst_error_ratio, worst);
  outcome.measure(measurement::violations, static_cast<double>(wrong.size()), "elements");
  outcome.derivation.push_back("γ_{B+3}(2⁻²⁴)·Σ|g| over B = " + std::to_string(options.global_batch) +
                               " microbatches, in any order");
  const double loss = records.back().loss;
  if (!(std::fabs(loss - batch.all_losses) <= 1e-12 * std::fabs(batch.all_losses)))
    outcome.diagnosis.push_back("the last stage's loss is " + number_text(loss, 17) + "; the whole model's is " +
                                number_text(batch.all_losses, 17));
  if (!wrong.empty()) {
    std::string cause;
    PipelineFault fault = PipelineFault::none;
    for (int stage = 0; stage < stages && fault == PipelineFault::none; ++stage) {
      for (std::size_t m = 0; m < batch.samples.size() && fault == PipelineFault::none; ++m)
        for (const bool lost : {true, false}) {
          const bool explains = std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
            return owners[i] == stage &&
                   std::fabs(value(i) - batch.sum[i] + (lost ? 1 : -1) * static_cast<double>(batch.samples[m][i])) <=
                       3 * allowed(i);
          });
          if (!explains) continue;
          fault = lost ? PipelineFault::lost_microbatch : PipelineFault::repeated_microbatch;
          cause = "stage " + std::to_string(stage) +
                  (lost ? " has not added up the gradients of microbatch "
                        : " has added up twice the gradients of microbatch ") +
                  std::to_string(m);
          break;
        }
      for (const PipelineFault other : {PipelineFault::stale_activations, PipelineFault::skipped_layer}) {
        if (fault != PipelineFault::none) break;
        const std::vector<PipelineRecord> simulated = detail::simulated_pipeline(options, state, stages, other, stage);
        const bool explains = std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
          const double expected = static_cast<double>(simulated[static_cast<std::size_t>(owners[i])].gradient[i]);
          return std::fabs(value(i) - expected) <= 3 * allowed(i) + 1e-5 * std::fabs(expected);
        });
        if (!explains) continue;
        fault = other;
        cause = "stage " + std::to_string(stage) +
                (other == PipelineFault::stale_activations
                     ? " takes the activations of the microbatch before"
                     : " leaves out its first layer: the boundary between stages is off by one");
      }
    }
    if (fault != PipelineFault::none) outcome.labels["named"] = name_of(fault);
    outcome.diagnosis.insert(outcome.diagnosis.begin(),
                             (cause.empty() ? "gradients are wrong in no way that is known here" : cause) + " (" +
                                 std::to_string(wrong.size()) + " parameters; the worst, " +
                                 parameter_name(options.model, static_cast<Index>(worst_element)) + " of stage " +
                                 std::to_string(owners[worst_element]) + ", is off by " + number_text(worst) +
                                 " times what rounding allows)");
  }
  outcome.verdict = outcome.diagnosis.empty() ? Verdict::pass : Verdict::fail;
  if (!outcome.diagnosis.empty()) outcome.reason = outcome.diagnosis.front();
  return outcome;
}

}  // namespace assay::inline v0
