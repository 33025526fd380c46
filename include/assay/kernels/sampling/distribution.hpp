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

/// n·KL(observed‖expected) that independent draws exceed with probability at most `risk`, whatever their number: the t with t − (k − 1)·ln(e·t/(k − 1)) = ln(1/risk),
/// for k bins. No asymptotics: its moment generating function is at most that of a gamma variable of shape k − 1 and rate 1 (Agrawal, "Finite-sample concentration of
/// the multinomial in relative entropy", IEEE Trans. Inf. Theory 66, 2020, arXiv 1904.02291), whose Chernoff bound this is.
[[nodiscard]] inline double divergence_limit(std::size_t bins, double risk) {
  const double wanted = -std::log(risk);
  if (bins < 2) return wanted;
  const double freedom = static_cast<double>(bins - 1);
  double low = freedom, high = freedom + 1;
  const auto exponent = [&](double t) { return t - freedom * (1 + std::log(t / freedom)); };
  while (exponent(high) < wanted) high *= 2;
  for (int step = 0; step < 60; ++step) (exponent((low + high) / 2) < wanted ? low : high) = (low + high) / 2;
  return high;
}

/// n·KL of counts to probabilities; infinite where something was drawn that has none.
[[nodiscard]] inline double divergence(const std::vector<double>& counts, const std::vector<double>& probabilities) {
  double total = 0, sum = 0;
  for (const double count : counts) total += count;
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    if (counts[bin] > 0) sum += counts[bin] * std::log(counts[bin] / (total * probabilities[bin]));
  return sum;
}

/// A row's distribution: tokens from the likeliest on, and how many of them are kept, as far as rounding lets it be known.
struct SamplingRow {
  std::vector<Index> tokens;
  std::vector<double> logits;         ///< over the temperature, in the order of `tokens`
  std::vector<double> probabilities;  ///< before anything is cut, in the order of `tokens`; at temperature 0 of the likeliest alone
  std::size_t least = 1, most = 1;    ///< kept
  double relative_error = 0;          ///< of a kernel's probabilities
  double near = 0, nearest = 0;       ///< logits that may change places, relative and absolute
  bool any_nan = false;               ///< among the probabilities: any token may be drawn, and none is listed

  /// The distribution of that row. O(vocabulary · log vocabulary).
  [[nodiscard]] static SamplingRow of(const SamplingProblem& problem, const Operand& logits, Index row, const Arithmetic& arithmetic) {
    SamplingRow own;
    const double scale = problem.temperature > 0 ? 1 / problem.temperature : 1;
    for (Index token = 0; token < problem.vocabulary; ++token) {
      const double logit = logits.at(row, token);
      own.any_nan = own.any_nan || is_nan(logit);
      if (logit > -lowest_logit) own.tokens.push_back(token);
    }
    std::sort(own.tokens.begin(), own.tokens.end(), [&](Index a, Index b) {
      const double x = logits.at(row, a), y = logits.at(row, b);
      return x > y || (x == y && a < b);
    });
    for (const Index token : own.tokens) own.logits.push_back(logits.at(row, token) * scale);
    own.any_nan = own.any_nan || own.tokens.empty() ||
                  (problem.temperature > 0 && !(std::abs(own.logits.front()) <= arithmetic.accumulation.max_finite));  // inf - inf
    if (own.any_nan)
      own.tokens.clear(), own.logits.clear(), own.least = own.most = 0;
    else if (problem.temperature == 0)
      own.keep_likeliest();
    else
      own.weigh(problem, arithmetic);
    return own;
  }
  /// Tokens of ranks below this may be drawn.
  [[nodiscard]] std::size_t end() const { return tokens.empty() ? 0 : tied(most - 1).second; }
  /// The place in `tokens` of those that have any probability.
  [[nodiscard]] std::unordered_map<Index, std::size_t> ranks() const {
    std::unordered_map<Index, std::size_t> rank_of;
    for (std::size_t rank = 0; rank < tokens.size(); ++rank) rank_of.emplace(tokens[rank], rank);
    return rank_of;
  }
  /// The tokens that may change places where those up to `rank` are kept: [first, last), empty where the next one surely comes after it.
  [[nodiscard]] std::pair<std::size_t, std::size_t> tied(std::size_t rank) const {
    const auto alike = [&](std::size_t a, std::size_t b) {
      return logits[a] == logits[b] || std::abs(logits[a] - logits[b]) <= nearest + near * (std::abs(logits[a]) + std::abs(logits[b]));
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
  void weigh(const SamplingProblem& problem, const Arithmetic& arithmetic) {
    const double u = arithmetic.unit_roundoff(), terms = static_cast<double>(tokens.size());
    double sum = 0, largest = 0;
    for (const double logit : logits) {
      probabilities.push_back(std::exp(logit - logits.front()));
      sum += probabilities.back();
      if (logits.front() - logit < negligible) largest = std::max(largest, std::abs(logit));
    }
    for (double& p : probabilities) p /= sum;
    const double growth =
        growth_factor(static_cast<Index>(tokens.size()), terms, arithmetic.accumulation, RoundingModel::statistical).value;
    // each probability: quotient, difference and exponential as in softmax, twice for the sum; that of a cut sum again
    relative_error = std::expm1(8 * u * largest + 4 * arithmetic.function_error() + 2 * growth);
    // of either logit, beside the quotient, in kernels that cut probabilities: the product with log2(e), u|z|, the difference from the
    // largest, u(|z| + |largest|), and the exponential
    near = (problem.temperature == 1 ? 0 : 4 * u) + 2 * u;
    nearest = 2 * u * std::abs(logits.front()) + 2 * arithmetic.function_error();
    if (problem.temperature != 1) nearest += 2 * arithmetic.accumulation.min_subnormal;
    cut(problem, 0x1p-24 * terms + growth + relative_error);
  }
  void cut(const SamplingProblem& problem, double error) {
    least = most = tokens.size();
    if (problem.top_k > 0 && static_cast<std::size_t>(problem.top_k) < tokens.size()) {
      least = most = static_cast<std::size_t>(problem.top_k);
      if (problem.ties == TopKTies::all_tied) {
        const auto [first, last] = tied(least - 1);
        most = last;
        if (first == last || logits[first] == logits[last - 1]) least = most;
      }
    }
    if (problem.top_p >= 1) return;
    double least_kept = 0, most_kept = 0, before = 0;  // of which top-p takes its share
    for (std::size_t rank = 0; rank < most; ++rank) {
      most_kept += probabilities[rank];
      if (rank + 1 == least) least_kept = most_kept;
    }
    std::size_t certain = 0, possible = 0;
    for (std::size_t rank = 0; rank < most; ++rank) {
      if (before / least_kept + error < problem.top_p) certain = rank + 1;
      if (before / most_kept - error <= problem.top_p) possible = rank + 1;
      before += probabilities[rank];
    }
    least = std::min(least, std::max<std::size_t>(certain, 1));
    most = std::max<std::size_t>(possible, 1);
  }
};

}  // namespace assay::inline v0
