#pragma once

#include "assay/accuracy/perplexity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "assay/accuracy/logit_agreement.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double negative_log_likelihood(std::span<const float> logits, std::size_t token) {
  expect(token < logits.size(),
         [&] { return "token " + std::to_string(token) + " has no logit among " + std::to_string(logits.size()); });
  return detail::log_sum_exp(logits) - static_cast<double>(logits[token]);
}

ASSAY_DETAIL_HEADER_INLINE Score perplexity(std::span<const TokenLosses> sequences, PerplexityMean mean) {
  Score score{"perplexity", 0, "1", false, {}, {}, {2, {}}, {}};
  double loss = 0, tokens = 0, empty = 0;
  for (const TokenLosses& sequence : sequences) {
    double own = 0;
    for (const double token : sequence) own += token;
    const auto count = static_cast<double>(sequence.size());
    loss += own;
    tokens += count;
    if (sequence.empty()) ++empty;
    switch (mean) {
      case PerplexityMean::corpus: score.statistics.add(std::vector<double>{own, count}); break;
      case PerplexityMean::sequences:
        score.statistics.add(sequence.empty() ? std::vector<double>{0, 0}
                                              : std::vector<double>{std::exp(own / count), 1});
        break;
      case PerplexityMean::sequence_losses:
        score.statistics.add(sequence.empty() ? std::vector<double>{0, 0} : std::vector<double>{own / count, 1});
        break;
    }
  }
  const bool outer = mean != PerplexityMean::sequences;
  score.of_sums = [outer](std::span<const double> sums) {
    return outer ? std::exp(mean_of_sums(sums)) : mean_of_sums(sums);
  };
  score.value = score.of_sums(score.statistics.sums());
  constexpr const char* conventions[] = {"exp of the mean loss over all tokens",
                                         "mean over sequences of their perplexities",
                                         "exp of the mean over sequences of their mean losses"};
  score.convention = std::string(conventions[static_cast<int>(mean)]) + "; padding and context are left out";
  score.parts = {{"tokens", tokens, "tokens"},
                 {"sequences", static_cast<double>(sequences.size()) - empty, "samples"},
                 {"empty_sequences", empty, "samples"},
                 {"mean_loss", loss / tokens, "nat"},
                 {"bits_per_token", loss / tokens / std::numbers::ln2, "bit"}};
  return score;
}

ASSAY_DETAIL_HEADER_INLINE double perplexity_per(std::span<const TokenLosses> sequences, double units) {
  expect(units > 0, [] { return "perplexity_per() was given a number of units that is not positive"; });
  double loss = 0;
  for (const TokenLosses& sequence : sequences)
    for (const double token : sequence) loss += token;
  return std::exp(loss / units);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<PerplexityWindow> perplexity_windows(std::size_t tokens, std::size_t context,
                                                                            std::size_t stride) {
  expect(context >= 2 && stride >= 1 && stride < context, [&] {
    return "perplexity_windows() was given a context of " + std::to_string(context) + " and a stride of " +
           std::to_string(stride) + "; the context is 2 or more, the stride 1 or more and below the context";
  });
  std::vector<PerplexityWindow> windows;
  std::size_t scored = 1;
  for (std::size_t begin = 0; scored < tokens; begin += stride) {
    const std::size_t end = std::min(begin + context, tokens);
    windows.push_back({begin, end, scored});
    scored = end;
  }
  return windows;
}

}  // namespace assay::inline v0
