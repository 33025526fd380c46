#pragma once

#include "assay/fleet/capacity/training_memory.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"

namespace assay::inline v0 {

namespace detail {

struct ShardingFacts {
  std::string_view name, formula;
  double whole, sharded, of_largest;  ///< bytes a parameter: kept by all, shared, of the largest layer
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const ShardingFacts& facts_of(StatePartitioning sharding) noexcept {
  static constexpr ShardingFacts facts[] = {{"replicated", "16N", 16, 0, 0},
                                            {"zero1", "4N + 12N/D", 4, 12, 0},
                                            {"zero2", "2N + 14N/D", 2, 14, 0},
                                            {"zero2_documented", "4N + 16N/D", 4, 16, 0},
                                            {"zero2_deepspeed", "2N + 18N/D", 2, 18, 0},
                                            {"zero3", "16N/D", 0, 16, 0},
                                            {"zero3_deepspeed", "18N/D + 4 largest layer", 0, 18, 4},
                                            {"fsdp", "16N/D + 6 largest unit", 0, 16, 6},
                                            {"megatron", "18N", 18, 0, 0},
                                            {"megatron_distributed", "6N + 12N/D", 6, 12, 0}};
  return facts[static_cast<std::size_t>(sharding)];
}

/// What 18 + 4·(width of the feed-forward network)/h is in Megatron-LM's formula.
[[nodiscard]] inline double linear_factor(const ModelArchitecture& model) {
  const Index width = model.experts > 0
                          ? model.expert_intermediate * model.experts_per_token + model.shared_intermediate
                          : model.intermediate;
  return 18 + (model.gated ? 6 : 4) * static_cast<double>(width) / static_cast<double>(model.hidden);
}

ASSAY_DETAIL_HEADER_INLINE void expect_plan(const ActivationPlan& plan) {
  expect(plan.sequence >= 1 && plan.micro_batch >= 1 && plan.micro_batches >= 1 && plan.tensor >= 1 &&
             plan.pipeline >= 1 && plan.context >= 1,
         [] { return std::string("activations: sequence, batches and ranks are 1 or more"); });
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(StatePartitioning sharding) noexcept {
  return detail::facts_of(sharding).name;
}
ASSAY_DETAIL_HEADER_INLINE std::string_view formula_of(StatePartitioning sharding) noexcept {
  return detail::facts_of(sharding).formula;
}
ASSAY_DETAIL_HEADER_INLINE Result<StatePartitioning> state_partitioning_named(std::string_view name) {
  std::vector<std::string> names;
  for (const StatePartitioning sharding : all_state_partitionings) {
    if (name_of(sharding) == name) return sharding;
    names.emplace_back(name_of(sharding));
  }
  return failure(ErrorKind::not_found, unknown_name("sharding", name, names));
}

ASSAY_DETAIL_HEADER_INLINE double state_bytes(StatePartitioning sharding, double parameters, Index data_parallel,
                                              double largest) {
  expect(parameters >= 0 && largest >= 0 && data_parallel >= 1,
         [] { return std::string("state_bytes: counts are 0 or more, ranks 1 or more"); });
  const detail::ShardingFacts& facts = detail::facts_of(sharding);
  return facts.whole * parameters + std::floor(facts.sharded * parameters / static_cast<double>(data_parallel)) +
         facts.of_largest * largest;
}

ASSAY_DETAIL_HEADER_INLINE double zero3_host_bytes(double parameters, double largest, const Zero3Offload& offload) {
  expect(offload.devices_per_node >= 1 && offload.nodes >= 1 && parameters >= 0 && largest >= 0,
         [] { return std::string("zero3_host_bytes: counts are 0 or more, devices and nodes 1 or more"); });
  const auto devices = static_cast<double>(offload.devices_per_node), nodes = static_cast<double>(offload.nodes);
  if (!offload.optimizer) return (offload.zero_init ? largest : parameters) * 4 * devices * offload.buffer;
  const double kept = (offload.parameters ? 18 : 16) / nodes;
  return parameters * (offload.zero_init ? kept : std::max(4 * devices, kept)) * offload.buffer;
}

ASSAY_DETAIL_HEADER_INLINE double layer_activation_bytes(const ModelArchitecture& model, const ActivationPlan& plan) {
  detail::expect_plan(plan);
  const auto s = static_cast<double>(plan.sequence) / static_cast<double>(plan.context),
             b = static_cast<double>(plan.micro_batch), h = static_cast<double>(model.hidden),
             heads = static_cast<double>(model.heads), t = static_cast<double>(plan.tensor);
  if (plan.recomputation == Recomputation::full) return 2 * s * b * h / (plan.sequence_parallel ? t : 1);
  // Scores are of the whole sequence against a rank's part of it.
  const double scores =
      plan.recomputation == Recomputation::none ? 5 * heads * static_cast<double>(plan.sequence) / h : 0;
  const double linear = detail::linear_factor(model);
  if (plan.sequence_parallel) return s * b * h * (linear + scores) / t;
  return s * b * h * (10 + (linear - 10 + scores) / t);
}

ASSAY_DETAIL_HEADER_INLINE double activation_bytes(const ModelArchitecture& model, const ActivationPlan& plan) {
  const auto s = static_cast<double>(plan.sequence) / static_cast<double>(plan.context),
             b = static_cast<double>(plan.micro_batch), h = static_cast<double>(model.hidden),
             p = static_cast<double>(plan.pipeline), t = static_cast<double>(plan.tensor);
  double bytes = layer_activation_bytes(model, plan) * static_cast<double>(model.layers) * t;
  bytes += 8 * s * b * p + s * b * h * p;  // inputs and dropout of the embedding, a micro-batch a stage
  if (plan.pipeline == 1)
    bytes += 4 * s * b * h * (1 + static_cast<double>(model.vocabulary) / h);  // the output layer and the loss
  else
    bytes *= std::min(1.0, static_cast<double>(plan.micro_batches) / p);
  return bytes / t;
}

}  // namespace assay::inline v0
