#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/serving/paged_cache.hpp"
#include "assay/serving/tiny_decoder.hpp"

namespace assay::inline v0 {

/// How a small engine works.
struct BatchedDecoderOptions {
  std::size_t blocks = 64, block_size = 4;  ///< of the cache
  std::size_t batch = 4;                    ///< sequences at the same time; branches come on top
  std::size_t chunk = 3;                    ///< tokens of a prompt in one iteration
  bool prefix_cache = true;                 ///< later prompts read the blocks of earlier ones
  EngineFault fault = EngineFault::none;
};

/// An engine in small, with all that must not change an answer: a paged cache, branches that share it, a prefix cache,
/// prompts in chunks beside others' decoding (continuous batching), preemption with recomputation, adapters. Right, its
/// answers have the bits of `decode_alone`; with a fault it is the subject that a check must catch.
class BatchedDecoder {
 public:
  /// `decoder` must outlive it. Misuse: no batch or no chunk; as of `PagedCache`.
  BatchedDecoder(const TinyDecoder& decoder, const BatchedDecoderOptions& options);

  /// Answers requests that all arrive now; the cache keeps what earlier calls left.
  /// Misuse: an empty prompt; a request that does not fit the cache by itself.
  [[nodiscard]] DecodedAnswers run(std::span<const DecodeRequest> requests);
  /// How often a sequence gave its blocks to another, up to now.
  [[nodiscard]] std::size_t preemptions() const noexcept { return preemptions_; }
  /// Slots that were read from the prefix cache instead of computed, up to now.
  [[nodiscard]] std::size_t cached_slots() const noexcept { return cached_; }

 private:
  struct Sequence {
    std::size_t request = 0, choice = 0, adapter = 0, prompt = 0, wanted = 0, answers = 1;
    std::vector<std::size_t> tokens;  ///< prompt and what was generated
    BlockTable table, left;           ///< `left`: of a fault, what it had before it was preempted
    DecodedAnswer answer;
    bool done = false;
  };
  void admit();
  void advance(std::size_t place);
  void emit(std::size_t place, const std::vector<float>& logits);
  [[nodiscard]] bool append(std::size_t place, const TinySlot& slot);
  void drop_done(DecodedAnswers& answers);

  const TinyDecoder& decoder_;
  BatchedDecoderOptions options_;
  PagedCache cache_;
  std::deque<Sequence> waiting_;
  std::vector<Sequence> running_;
  std::vector<Sequence> branches_;  ///< begun in this iteration
  std::size_t preemptions_ = 0, cached_ = 0;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/batched_decoder.ipp"
#endif
