#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/training/detail/batch_gradient.hpp"
#include "assay/training/detail/exchange_buffer.hpp"
#include "assay/training/detail/gather_records.hpp"
#include "assay/training/detail/pipeline_stage.hpp"
#include "assay/training/detail/rank_agreement.hpp"

namespace assay::inline v0 {

/// What one stage computed: sums over microbatches of gradients of its parameters (0 elsewhere), and of losses, which
/// the last stage has.
struct PipelineRecord {
  /// The stage, and how many there are.
  int rank = 0, size = 1;
  std::vector<float> gradient;  ///< one a parameter of the model
  double loss = 0;              ///< in nats

  /// Gives all members to an archive, in the order of the file.
  template <class Archive>
  void members(Archive& archive) {
    archive(rank, size, gradient, loss);
  }
};

/// Runs this rank's stage of the language model: layers in a row, activations to the next rank by send_receive,
/// gradients back; every sample of `options.global_batch` is a microbatch, all of them forward and then all backward
/// (GPipe: Huang et al., NeurIPS 2019). Every rank calls it with equal options. Errors: the collective's.
/// O(microbatches · layers/size).
[[nodiscard]] Result<PipelineRecord> run_pipeline(AnyCollective& collective, const TrainingOptions& options,
                                                  PipelineFault fault = PipelineFault::none, int faulty_rank = 1);

/// Every rank's record, on every rank.
[[nodiscard]] inline Result<std::vector<PipelineRecord>> gather_pipeline(Coordinator& coordinator,
                                                                         const Result<PipelineRecord>& mine,
                                                                         Deadline deadline) {
  return detail::gather_records(coordinator, mine, deadline);
}

/// Whether the pipeline is the whole model: each parameter's gradient lies within γ_B·Σ|g| of the exact sum over the B
/// microbatches, in any order of them, and the loss is that of the whole to 10⁻¹². Where microbatches are added up in
/// their order, gradients are the whole's bit for bit (label `parity`). A violation is held against each fault on each
/// stage. `records` are those of all ranks, in their order.
[[nodiscard]] Outcome check_pipeline(const std::string& name, const TrainingOptions& options,
                                     std::span<const PipelineRecord> records);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/pipeline_parallel.ipp"
#endif
