#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// Keys and values of one position in both layers of `TinyDecoder`.
using TinySlot = std::array<float, 32>;

/// A decoder in small: two layers of causal attention over 8 dimensions, 32 tokens, absolute positions, weights by
/// seed, adapters of rank one on the values (LoRA). The second layer's keys depend on all tokens before, so that a
/// cache that takes a block for another's shows. Sums run over positions in their order: whatever pages, chunks or
/// batches them computes the same bits.
class TinyDecoder {
 public:
  static constexpr std::size_t vocabulary = 32, width = 8;  ///< tokens, and dimensions of a layer
  /// Weights by the seed, the same on every machine.
  explicit TinyDecoder(std::uint64_t seed = 1);

  /// How one position attends; what a right engine never changes.
  struct Attention {
    std::size_t first = 0;    ///< position from which on it attends
    std::size_t padding = 0;  ///< slots of zeros behind its own
    bool backwards = false;   ///< sums run from the last position to the first
  };
  /// The logits behind `token` at `position`, and its own slot. `slot(j)` is that of position j < `position`.
  /// O(position). Misuse: a token outside the vocabulary.
  [[nodiscard]] std::vector<float> step(std::size_t token, std::size_t position, std::size_t adapter,
                                        const std::function<const TinySlot&(std::size_t)>& slot, TinySlot& own,
                                        const Attention& attention) const;
  /// As above, with all positions.
  [[nodiscard]] std::vector<float> step(std::size_t token, std::size_t position, std::size_t adapter,
                                        const std::function<const TinySlot&(std::size_t)>& slot, TinySlot& own) const {
    return step(token, position, adapter, slot, own, Attention{});
  }

 private:
  std::vector<float> embedding_;               ///< vocabulary × width
  std::array<std::vector<float>, 6> weights_;  ///< query, key, value of both layers, width × width
};

/// What an engine is asked.
struct DecodeRequest {
  std::vector<std::size_t> prompt;  ///< tokens, one at least
  std::size_t adapter = 0;          ///< 0: none
  std::size_t tokens = 8;           ///< of each answer
  std::size_t answers = 1;          ///< answer i begins with the (i+1)th likeliest token, and goes on greedily
};
/// One answer, with the logits before each of its tokens.
struct DecodedAnswer {
  std::vector<std::size_t> tokens;
  std::vector<std::vector<float>> logits;
};
/// Answers to a request, in the order of the requests.
using DecodedAnswers = std::vector<std::vector<DecodedAnswer>>;

/// The likeliest tokens first; of equal ones the smaller. O(V log V).
[[nodiscard]] std::vector<std::size_t> ranked_tokens(std::span<const float> logits);

/// The answers to one request with a cache of its own, without pages, chunks or neighbors: what every engine is held
/// to. O(answers · (prompt + tokens)²).
[[nodiscard]] std::vector<DecodedAnswer> decode_alone(const TinyDecoder& decoder, const DecodeRequest& request);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/tiny_decoder.ipp"
#endif
