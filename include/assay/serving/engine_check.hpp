#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/serving/tiny_decoder.hpp"

namespace assay::inline v0 {

/// An engine: answers to requests that arrive together, with the logits of each token, where it tells them.
using DecodeAll = std::function<DecodedAnswers(std::span<const DecodeRequest>)>;
/// The answers that are right for one request, however it is run.
using DecodeRight = std::function<std::vector<DecodedAnswer>(const DecodeRequest&)>;

/// How an engine is checked.
struct EngineCheckOptions {
  std::size_t vocabulary = TinyDecoder::vocabulary;  ///< tokens of prompts are below
  std::size_t adapters = 2;                          ///< besides none; 0: the engine has none
  std::size_t answers = 3;                           ///< of a request with branches; 1: the engine has none
  double most_difference = 0;                        ///< of logits; 0: the same bits. Tokens are compared in any case
  std::uint64_t seed = 1;                            ///< of prompts
};

/// Requests made to show what pages, chunks, batches, branches, a prefix cache, little memory and adapters change, each
/// held against the right answer: outcomes `serving/engine/lengths`, `batch`, `branches`, `prefix`, `memory`,
/// `adapters`. `fail` names the first request, answer and token that differ. What the options leave out is `skipped`.
/// O(requests) calls of both.
[[nodiscard]] std::vector<Outcome> check_engine(const DecodeAll& engine, const DecodeRight& right,
                                                const EngineCheckOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/engine_check.ipp"
#endif
