#pragma once

#include <cstdint>
#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What becomes of tokens that are as likely as the k-th.
enum class TopKTies {
  exactly_k,  ///< which of them are kept is free
  all_tied    ///< all of them are kept
};

/// Tokens drawn from softmax(logits / temperature), cut to the `top_k` likeliest and then, of what is left and
/// normalized anew, to the likeliest whose probabilities sum to `top_p`, the one with which they do included. Logits of
/// −∞ are never drawn. Of rows whose softmax is NaN, for a NaN, for an infinity, which temperature 0 allows, or since
/// all are −∞, nothing is promised but that tokens are of the vocabulary.
struct SamplingProblem {
  Index rows = 1;          ///< samples that are drawn at once
  Index vocabulary = 1;    ///< number of tokens
  Index draws = 1;         ///< of each row, independent of each other and of the other rows'
  double temperature = 1;  ///< 0: the likeliest token
  Index top_k = 0;         ///< 0: all
  double top_p = 1;
  TopKTies ties = TopKTies::exactly_k;
  std::uint64_t seed = 1;  ///< of the kernel's random numbers
  ElementFormat format = element_format<float32>();
  ElementFormat token_format = element_format<std::int64_t>();  ///< integers
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(SamplingProblem& problem, Visit&& visit) {
  visit("rows", problem.rows, "vocabulary", problem.vocabulary, "draws", problem.draws, "temperature",
        problem.temperature, "top_k", problem.top_k, "top_p", problem.top_p, "ties", problem.ties, "seed", problem.seed,
        "format", problem.format, "token_format", problem.token_format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const SamplingProblem& problem);

/// "4x1000-2048draws-t0.7-k50-p0.9".
[[nodiscard]] std::string name_of(const SamplingProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sampling/problem.ipp"
#endif
