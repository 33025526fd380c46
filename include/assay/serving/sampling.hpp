#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// How the next token is drawn. Steps apply in this order: logit bias, penalties, temperature, top-k, top-p, min-p: that
/// of vLLM and transformers. llama.cpp applies temperature last unless told otherwise, which is another distribution.
struct SamplingParameters {
  double temperature = 1;         ///< 0: greedy, the first of the largest
  std::size_t top_k = 0;          ///< keep so many of the likeliest, and what ties with the last; 0: all
  double top_p = 1;               ///< keep the likeliest until their sum reaches this; the one that reaches it stays
  double min_p = 0;               ///< keep what has this share of the likeliest's probability at least
  double repetition_penalty = 1;  ///< divides positive, multiplies negative logits of tokens seen in prompt or output
  double presence_penalty = 0;    ///< subtracted once from tokens seen in the output
  double frequency_penalty = 0;   ///< subtracted as often as a token stands in the output
  std::map<std::size_t, double> logit_bias = {};  ///< added, by token
};

/// The probabilities from which the next token is drawn. O(V log V). Misuse: no logits, logits that are NaN or +∞ or all
/// −∞, tokens outside the vocabulary, parameters outside their ranges (temperature ≥ 0, 0 < top_p ≤ 1, 0 ≤ min_p ≤ 1,
/// repetition penalty > 0).
[[nodiscard]] std::vector<double> sampling_distribution(std::span<const double> logits,
                                                        const SamplingParameters& parameters,
                                                        std::span<const std::size_t> prompt = {},
                                                        std::span<const std::size_t> output = {});

/// The token at `uniform` of [0, 1) in the cumulated distribution. O(V). Precondition: probabilities sum to 1.
[[nodiscard]] std::size_t draw_token(std::span<const double> distribution, double uniform) noexcept;

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/sampling.ipp"
#endif
