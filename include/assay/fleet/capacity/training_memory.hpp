#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/core/result.hpp"
#include "assay/fleet/capacity/model_architecture.hpp"

namespace assay::inline v0 {

/// Who keeps which of parameters, gradients and Adam's states while training in mixed precision. N: parameters of a
/// rank before data-parallel sharding, D: data-parallel ranks.
enum class StatePartitioning {
  replicated,           ///< 16N: 16-bit parameters and gradients, 32-bit parameters and two moments
  zero1,                ///< 4N + 12N/D (Rajbhandari et al., "ZeRO", 2020)
  zero2,                ///< 2N + 14N/D (the same)
  zero2_documented,     ///< 4N + 16N/D: what DeepSpeed's documents print, 32-bit gradients
  zero2_deepspeed,      ///< 2N + 18N/D: what DeepSpeed's estimator computes
  zero3,                ///< 16N/D (Rajbhandari et al.)
  zero3_deepspeed,      ///< 18N/D and 4 bytes for each parameter of the largest layer: DeepSpeed's estimator
  fsdp,                 ///< 16N/D and, of the largest unit, 16-bit parameters twice (prefetch) and gradients once
  megatron,             ///< 18N: 32-bit gradients
  megatron_distributed  ///< 6N + 12N/D: Megatron's distributed optimizer
};
/// All of them, in their order.
inline constexpr std::array<StatePartitioning, 10> all_state_partitionings{
    StatePartitioning::replicated,      StatePartitioning::zero1,
    StatePartitioning::zero2,           StatePartitioning::zero2_documented,
    StatePartitioning::zero2_deepspeed, StatePartitioning::zero3,
    StatePartitioning::zero3_deepspeed, StatePartitioning::fsdp,
    StatePartitioning::megatron,        StatePartitioning::megatron_distributed};

/// As users type it.
[[nodiscard]] std::string_view name_of(StatePartitioning sharding) noexcept;
/// The bytes in words: "4N + 12N/D".
[[nodiscard]] std::string_view formula_of(StatePartitioning sharding) noexcept;
/// Error `not_found`, with the nearest name.
[[nodiscard]] Result<StatePartitioning> state_partitioning_named(std::string_view name);

/// Bytes of parameters, gradients and optimizer's states on one device. `largest` counts the parameters of the largest
/// layer or unit. Misuse: a negative count, fewer than 1 rank.
[[nodiscard]] double state_bytes(StatePartitioning sharding, double parameters, Index data_parallel,
                                 double largest = 0);

/// What DeepSpeed's estimator says of ZeRO-3 in host memory: with or without offload of optimizer and parameters, and
/// whether the model is made in parts (`zero_init`). Bytes a node. `buffer` multiplies all (1.5 there).
struct Zero3Offload {
  bool optimizer = false, parameters = false, zero_init = false;
  Index devices_per_node = 1;  ///< at least 1
  Index nodes = 1;             ///< among which states are shared, at least 1
  double buffer = 1.5;
};
/// Bytes of host memory on one node for a model of so many parameters, of which `largest` are in the largest layer.
/// Misuse: a negative count, fewer than 1 device or node.
[[nodiscard]] double zero3_host_bytes(double parameters, double largest, const Zero3Offload& offload);

/// What is kept from forward to backward.
enum class Recomputation {
  none,       ///< sbh(34 + 5as/h) a layer (Korthikanti et al., "Reducing activation recomputation", 2022)
  selective,  ///< attention's scores again, or never stored (FlashAttention): 34sbh
  full        ///< inputs of layers only: 2sbh
};

/// What is trained at once on one rank.
struct ActivationPlan {
  Index sequence = 0;              ///< tokens
  Index micro_batch = 1;           ///< sequences
  Index micro_batches = 1;         ///< a step
  Index tensor = 1, pipeline = 1;  ///< ranks that share each layer; stages of whole layers
  Index context = 1;               ///< ranks that share a sequence
  bool sequence_parallel = true;   ///< what tensor parallelism copies is shared, too
  Recomputation recomputation = Recomputation::selective;
};

/// Bytes of one layer's activations in 16 bits on one rank. The formula's 34 assumes a feed-forward width of 4h without
/// gate; other widths w count 18 + 4w/h (gated ones 18 + 6w/h, an estimate of ours). Misuse: an extent below 1.
[[nodiscard]] double layer_activation_bytes(const ModelArchitecture& model, const ActivationPlan& plan);

/// Bytes of all activations on the most loaded rank, the first stage, after Megatron-LM's theoretical memory: as many
/// micro-batches are in flight as there are stages.
[[nodiscard]] double activation_bytes(const ModelArchitecture& model, const ActivationPlan& plan);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/training_memory.ipp"
#endif
