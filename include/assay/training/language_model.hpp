#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/core/misuse.hpp"
#include "assay/tensor/random_values.hpp"

namespace assay::inline v0 {

/// A small language model that learns within seconds: embeddings of tokens and places; `layers` blocks of causal
/// attention and a two-layer perceptron (SiLU, dropout), each behind a root-mean-square norm and beside a residual
/// connection; a last norm, logits, cross entropy. Computed in float32 by plain loops, a sample at a time, so that the
/// bits of a sample's gradient do not depend on how work is split.
struct LanguageModel {
  Index vocabulary = 32;  ///< number of tokens
  Index width = 16;       ///< of the embeddings
  Index heads = 2;        ///< divides `width`
  Index context = 16;     ///< tokens that a sample predicts at most
  Index hidden = 32;      ///< width of the perceptron
  Index layers = 2;
  double dropout = 0.1;  ///< share of the perceptron's outputs that is left out, in [0, 1)
};

/// Misuse: extents below 1 (a vocabulary below 2), heads that do not divide the width, a dropout outside [0, 1).
void expect_valid(const LanguageModel& model);

/// Where the parameters lie in the one array that holds all of them; those of a block count from its begin.
struct LanguageModelLayout {
  /// Where the parameters of a block stand, counted from its begin.
  struct Block {
    /// First parameters.
    Index attention_gain = 0, queries_keys_values = 0, projection = 0, perceptron_gain = 0, up = 0, up_bias = 0;
    Index down = 0, down_bias = 0;  ///< of the second half of the perceptron
    Index count = 0;                ///< parameters of a block
  };
  Block block;
  /// First parameters; `count`: all of them.
  Index token_embedding = 0, place_embedding = 0, blocks = 0, last_gain = 0, logits = 0, count = 0;

  /// Where the parameters of this model stand.
  explicit LanguageModelLayout(const LanguageModel& model);

  /// The first parameter of that block.
  [[nodiscard]] Index block_at(Index layer) const { return blocks + layer * block.count; }
};

/// Normal with deviation 1/√fan-in; gains 1, biases 0. The same bits everywhere. O(parameters).
[[nodiscard]] std::vector<float> initial_weights(const LanguageModel& model, std::uint64_t seed);

/// The name of the parameter at a position, as "block 1, up[17]".
[[nodiscard]] std::string parameter_name(const LanguageModel& model, Index position);

/// Text to predict: token i + 1 from tokens 0 to i, for i from 0 to `predictions()` − 1.
struct TextSample {
  std::uint64_t number = 0;  ///< its place in the data
  std::vector<Index> tokens;

  [[nodiscard]] Index predictions() const { return static_cast<Index>(tokens.size()) - 1; }
};

/// The sample of that number of an endless text made up from `seed`: after most tokens comes one that depends on the
/// last, after some the last but one again, after the rest any. Samples predict between half the context and all of it,
/// so that ranks have unequal numbers of tokens.
[[nodiscard]] TextSample text_sample(const LanguageModel& model, std::uint64_t seed, std::uint64_t number);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/language_model.ipp"
#endif
