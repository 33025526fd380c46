#pragma once

#include "assay/fleet/capacity/fit_model.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/fleet/capacity/weight_count.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double weight_bytes_per_rank(const ModelArchitecture& model, const InferencePlan& plan) {
  const WeightCount count = count_weights(model);
  const auto tensor = static_cast<double>(plan.tensor), layers = static_cast<double>(model.layers),
             experts = static_cast<double>(plan.experts > 0 ? plan.experts : plan.tensor);
  const double share = static_cast<double>((model.layers + plan.pipeline - 1) / plan.pipeline) / layers;
  double attention = count.attention / tensor;
  if (model.latent == 0 && plan.tensor > model.kv_heads) {
    const double keys_and_values = 2 * static_cast<double>(model.hidden) * static_cast<double>(model.head_size) *
                                   (layers - static_cast<double>(model.layers_with(TokenMixer::recurrent)));
    attention += keys_and_values * (1 - static_cast<double>(model.kv_heads) / tensor);
  }
  const double ends = plan.pipeline == 1 ? count.embedding + count.output
                                         : std::max(count.embedding, model.tied ? count.embedding : count.output);
  const double parameters = ends / tensor + share * (attention + count.feed_forward / tensor + count.experts / experts +
                                                     count.router + count.normalization);
  return parameters * plan.weights.bytes;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ModelArchitecture& model, const InferencePlan& plan) {
  const auto refused = [](const std::string& what) { return failure(ErrorKind::invalid, what); };
  if (plan.tensor < 1 || plan.pipeline < 1 || plan.experts < 0 || plan.tokens < 1)
    return refused("ranks, stages and tokens are 1 or more");
  if (plan.tokens > most_cached_tokens) return refused("a sequence has 2^40 tokens at most");
  KvCachePolicy policy = plan.cache;
  policy.tensor_parallel = plan.tensor;
  if (auto sound = check(model, policy); !sound) return sound;
  if (plan.pipeline > model.layers)
    return refused(std::to_string(plan.pipeline) + " stages for " + std::to_string(model.layers) + " layers");
  if (plan.experts > 0 && (model.experts == 0 || model.experts % plan.experts != 0))
    return refused(std::to_string(model.experts) + " experts cannot be spread over " + std::to_string(plan.experts) +
                   " ranks; choose a divisor");
  if (!(plan.memory_share > 0 && plan.memory_share <= 1))
    return refused("the share of memory that may be used lies above 0 and is 1 at most");
  if (!(plan.overhead_bytes >= 0 && plan.overhead_bytes < 1e15)) return refused("the overhead is 0 bytes or more");
  if (!(plan.weights.bytes > 0)) return refused("a weight takes more than 0 bytes");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<ModelFit> fit_model(const ModelArchitecture& model, const InferencePlan& plan,
                                                      const Chip& chip) {
  if (auto sound = check(model, plan); !sound) return sound.propagate();
  if (!chip.memory_bytes)
    return failure(ErrorKind::unsupported,
                   "the memory of '" + chip.name + "' is not known; add the chip with memory_gb");
  ModelFit fit;
  fit.chip = chip.name;
  fit.reliable = chip.may_gate();
  fit.devices = std::max(plan.tensor, plan.experts) * plan.pipeline;
  fit.memory = *chip.memory_bytes * plan.memory_share;
  fit.weights = weight_bytes_per_rank(model, plan);
  fit.overhead = plan.overhead_bytes;
  fit.free = fit.memory - fit.weights - fit.overhead;
  KvCachePolicy policy = plan.cache;
  policy.tensor_parallel = plan.tensor;
  const auto stages = static_cast<double>(plan.pipeline);
  fit.sequence = kv_cache(model, 1, plan.tokens, policy).total() / stages;
  if (fit.free > 0) {
    fit.sequences = kv_sequences_within(model, fit.free * stages, plan.tokens, policy);
    fit.longest = kv_tokens_within(model, fit.free * stages, policy);
  }
  fit.assumptions = {
      "memory as the data sheet states it, of which " + number_text(plan.memory_share * 100) + " % may be used",
      number_text(plan.overhead_bytes / 1e9) + " GB a device for runtime, graphs and activations",
      "weights in " + std::string(plan.weights.name) + ", " + number_text(plan.weights.bytes, 4) +
          " B each, all of them",
      "keys in " + number_text(policy.key_bytes, 4) + " B, values in " + number_text(policy.value_bytes, 4) +
          " B an element, pages of " + std::to_string(policy.block) + " tokens"};
  if (plan.pipeline > 1) fit.assumptions.emplace_back("stages keep equal parts of each sequence");
  if (!fit.reliable) fit.assumptions.emplace_back("the chip's figures are of low confidence: " + chip.source);
  return fit;
}

ASSAY_DETAIL_HEADER_INLINE Table fit_table(const std::vector<ModelFit>& fits, Index tokens) {
  Table table{"What fits",
              {"chip", "devices", "usable GB", "weights GB", "free GB", "sequence GB",
               "sequences of " + std::to_string(tokens), "longest", "confidence"},
              {}};
  const auto gigabytes = [](double bytes) { return number_text(bytes / 1e9, 4); };
  for (const ModelFit& fit : fits)
    table.rows.push_back({fit.chip, std::to_string(fit.devices), gigabytes(fit.memory), gigabytes(fit.weights),
                          gigabytes(fit.free), gigabytes(fit.sequence), std::to_string(fit.sequences),
                          std::to_string(fit.longest), fit.reliable ? "-" : "low"});
  return table;
}

}  // namespace assay::inline v0
