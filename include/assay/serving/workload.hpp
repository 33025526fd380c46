#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// Prompts that are made rather than recorded.
struct WorkloadOptions {
  std::size_t words = 100;       ///< of the part that is a prompt's own: common words, about a token each
  std::size_t prefix_words = 0;  ///< of a beginning that all prompts share, as a system prompt is
  std::size_t distinct = 0;      ///< so many different prompts, again and again; 0: no two are the same
  bool salted = true;            ///< 16 digits of hexadecimal before everything, so that no earlier run's cache helps
  std::uint64_t seed = 1;        ///< of salt and words
};

/// The prompt at that position. The same options give the same prompts on every machine. O(words).
[[nodiscard]] std::string workload_prompt(const WorkloadOptions& options, std::uint64_t position);

/// A prompt that hides a secret of its own in filling, and asks for it; `needle` is the secret. What a server mixes up
/// between users shows in the answers. O(words).
struct NeedlePrompt {
  std::string prompt;
  std::string needle;  ///< as it is to stand in the answer
};
/// Of a user. Needles of seven digits; of a thousand users two are the same with a chance of 1 in 20: take another seed then.
[[nodiscard]] NeedlePrompt needle_prompt(std::uint64_t user, std::size_t words, std::uint64_t seed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/workload.ipp"
#endif
