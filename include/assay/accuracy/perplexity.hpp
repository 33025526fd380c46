#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/accuracy/score.hpp"

namespace assay::inline v0 {

/// −ln of the probability that a row of logits gives to a token: ln Σ exp(z_i − z_max) + z_max − z_token, summed in
/// double. NaN where a logit is NaN or +∞; ∞ where the token's is −∞. O(logits). Misuse: a token that has no logit.
[[nodiscard]] double negative_log_likelihood(std::span<const float> logits, std::size_t token);

/// How losses of tokens become one figure. They differ, so the name says which.
enum class PerplexityMean {
  corpus,          ///< exp(Σ loss / Σ tokens): what papers report
  sequences,       ///< mean over sequences of their perplexities
  sequence_losses  ///< exp(mean over sequences of their mean losses)
};

/// Losses of one sequence, in nats, of the tokens that count: padding, and tokens that a window has seen as context
/// alone, are not among them.
using TokenLosses = std::vector<double>;

/// Perplexity of sequences. Its parts: tokens, sequences, sequences without a token (which count nowhere), mean loss in
/// nats and bits. NaN losses make it NaN: name them before. O(tokens).
[[nodiscard]] Score perplexity(std::span<const TokenLosses> sequences, PerplexityMean mean = PerplexityMean::corpus);

/// exp(Σ loss / units): per word or per byte of the text, which models of different tokenizers can be compared by.
/// Misuse: units that are not positive.
[[nodiscard]] double perplexity_per(std::span<const TokenLosses> sequences, double units);

/// What a model of limited context sees of a long text at once, and which of it counts.
struct PerplexityWindow {
  std::size_t begin = 0;   ///< first token that the model sees
  std::size_t end = 0;     ///< behind the last
  std::size_t scored = 0;  ///< first token whose loss counts; those before are context
};

/// Windows of `context` tokens, each begun `stride` later than the one before, such that every token but the first,
/// which nothing predicts, counts exactly once. A larger stride costs less and gives tokens less context, hence a
/// larger perplexity. O(windows). Misuse: a stride of 0, or not below the context, a context below 2.
[[nodiscard]] std::vector<PerplexityWindow> perplexity_windows(std::size_t tokens, std::size_t context,
                                                               std::size_t stride);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/perplexity.ipp"
#endif
