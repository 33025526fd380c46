#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/table.hpp"
#include "assay/fleet/capacity/kv_cache.hpp"
#include "assay/fleet/capacity/storage_format.hpp"
#include "assay/fleet/chips/chip.hpp"

namespace assay::inline v0 {

/// How a model is to be served.
struct InferencePlan {
  StorageFormat weights{"bf16", 2};  ///< in which all weights are kept
  KvCachePolicy cache;
  Index tensor = 1;             ///< ranks that share each layer
  Index pipeline = 1;           ///< stages of whole layers
  Index experts = 0;            ///< ranks among which routed experts are spread; 0: those of `tensor`
  Index tokens = 8192;          ///< of a sequence, prompt and answer
  double memory_share = 0.9;    ///< of a device's memory that may be used
  double overhead_bytes = 2e9;  ///< of a device: runtime, captured graphs, activations
};

/// What fits on one device of a plan.
struct ModelFit {
  std::string chip;                      ///< its name
  Index devices = 1;                     ///< that hold one copy of the model
  double memory = 0;                     ///< bytes that may be used on a device
  double weights = 0;                    ///< bytes on the most loaded device
  double overhead = 0;                   ///< bytes
  double sequence = 0;                   ///< bytes that one sequence of the plan's length keeps on a device
  double free = 0;                       ///< bytes left for sequences; negative: the weights do not fit
  Index sequences = 0;                   ///< of the plan's length at once
  Index longest = 0;                     ///< tokens of a single sequence
  bool reliable = true;                  ///< false: rests on a chip's figures of low confidence
  std::vector<std::string> assumptions;  ///< what the numbers rest on, a sentence each
};

/// Bytes of weights on the most loaded rank: layers cut by `tensor`, embedding and output by rows of the vocabulary,
/// normalization and routers copied; where there are more ranks than heads of keys and values, those are copied, too;
/// the stage with the most layers. Precondition: the plan is sound (`check`).
[[nodiscard]] double weight_bytes_per_rank(const ModelArchitecture& model, const InferencePlan& plan);

/// Error `invalid`: heads or experts that ranks do not divide, more stages than layers, shares outside (0, 1].
[[nodiscard]] Result<void> check(const ModelArchitecture& model, const InferencePlan& plan);

/// Errors: as `check`; `unsupported` where the chip's memory is not known.
[[nodiscard]] Result<ModelFit> fit_model(const ModelArchitecture& model, const InferencePlan& plan, const Chip& chip);

/// A chip a line.
[[nodiscard]] Table fit_table(const std::vector<ModelFit>& fits, Index tokens);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/fit_model.ipp"
#endif
