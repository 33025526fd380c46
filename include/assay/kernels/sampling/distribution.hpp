#pragma once

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/kernels/sampling/problem.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// n·KL(observed‖expected) that independent draws exceed with probability at most `risk`, whatever their number: the t
/// with t − (k − 1)·ln(e·t/(k − 1)) = ln(1/risk), for k bins. No asymptotics: its moment generating function is at most
/// that of a gamma variable of shape k − 1 and rate 1 (Agrawal, "Finite-sample concentration of the multinomial in
/// relative entropy", IEEE Trans. Inf. Theory 66, 2020, arXiv 1904.02291), whose Chernoff bound this is.
[[nodiscard]] double divergence_limit(std::size_t bins, double risk);

/// n·KL of counts to probabilities; infinite where something was drawn that has none.
[[nodiscard]] inline double divergence(const std::vector<double>& counts, const std::vector<double>& probabilities) {
  double total = 0, sum = 0;
  for (const double count : counts) total += count;
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    if (counts[bin] > 0) sum += counts[bin] * std::log(counts[bin] / (total * probabilities[bin]));
  return sum;
}

/// A row's distribution: tokens from the likeliest on, and how many of them are kept, as far as rounding lets it be
/// known.
struct SamplingRow {
  std::vector<Index> tokens;
  std::vector<double> logits;  ///< over the temperature, in the order of `tokens`
  std::vector<double>
      probabilities;  ///< before anything is cut, in the order of `tokens`; at temperature 0 of the likeliest alone
  std::size_t least = 1, most = 1;  ///< kept
  double relative_error = 0;        ///< of a kernel's probabilities
  double near = 0, nearest = 0;     ///< logits that may change places, relative and absolute
  bool any_nan = false;             ///< among the probabilities: any token may be drawn, and none is listed

  /// The distribution of that row. O(vocabulary · log vocabulary).
  [[nodiscard]] static SamplingRow of(const SamplingProblem& problem, const Operand& logits, Index row,
                                      const Arithmetic& arithmetic);
  /// Tokens of ranks below this may be drawn.
  [[nodiscard]] std::size_t end() const { return tokens.empty() ? 0 : tied(most - 1).second; }
  /// The place in `tokens` of those that have any probability.
  [[nodiscard]] std::unordered_map<Index, std::size_t> ranks() const {
    std::unordered_map<Index, std::size_t> rank_of;
    for (std::size_t rank = 0; rank < tokens.size(); ++rank) rank_of.emplace(tokens[rank], rank);
    return rank_of;
  }
  /// The tokens that may change places where those up to `rank` are kept: [first, last), empty where the next one
  /// surely comes after it.
  [[nodiscard]] std::pair<std::size_t, std::size_t> tied(std::size_t rank) const {
    const auto alike = [&](std::size_t a, std::size_t b) {
      return logits[a] == logits[b] ||
             std::abs(logits[a] - logits[b]) <= nearest + near * (std::abs(logits[a]) + std::abs(logits[b]));
    };
    std::size_t first = rank + 1, last = rank + 1;
    if (last == logits.size()) return {first, last};
    while (first > 0 && alike(first - 1, rank + 1)) --first;
    while (last < logits.size() && alike(last, rank)) ++last;
    return {first, last};
  }

 private:
  static constexpr double lowest_logit = 0x1p1000;
  static constexpr double negligible = 64;  ///< below the largest logit: e^-64 of all tokens together is never drawn

  void keep_likeliest() {
    const auto ties = static_cast<std::size_t>(std::count(logits.begin(), logits.end(), logits.front()));
    probabilities.assign(logits.size(), 0);
    std::fill_n(probabilities.begin(), ties, 1 / static_cast<double>(ties));
  }
  void weigh(const SamplingProblem& problem, const Arithmetic& arithmetic);
  void cut(const SamplingProblem& problem, double error);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sampling/distribution.ipp"
#endif
