#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/sampling/sampling.hpp"

namespace assay::inline v0 {

namespace detail {

/// A sampler in which probabilities are rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedSampling {
  enum class Method { inverse, gumbel, race, rejection };
  Method method = Method::inverse;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  struct Row {
    std::vector<Index> tokens;    ///< from the likeliest on
    std::vector<double> weights;  ///< of those that are kept
  };

  [[nodiscard]] Row row_of(const SamplingProblem& problem, const Operand& logits, Index row) const {
    const double infinity = std::numeric_limits<double>::infinity();
    double temperature = problem.temperature;
    if (fault == "temperature_ignored" && temperature > 0) temperature = 1;
    if (fault == "temperature_inverted" && temperature > 0) temperature = 1 / temperature;
    Row own;
    std::vector<double> z;
    const Index vocabulary =
        fault == "last_token_missing" && problem.vocabulary > 1 ? problem.vocabulary - 1 : problem.vocabulary;
    for (Index token = 0; token < problem.vocabulary; ++token) {
      double x = logits.at(row, token);
      if (fault == "masked_drawn" && x == -infinity) x = -5;
      z.push_back(token >= vocabulary ? -infinity : temperature > 0 && temperature != 1 ? round(x / temperature) : x);
      own.tokens.push_back(token);
    }
    const auto at = [&](Index token) { return z[static_cast<std::size_t>(token)]; };
    std::sort(own.tokens.begin(), own.tokens.end(), [&](Index a, Index b) {
      return at(a) > at(b) || (at(a) == at(b) && (method == Method::gumbel ? a > b : a < b));
    });
    std::size_t kept = own.tokens.size();
    if (problem.top_k > 0 && fault != "top_k_ignored")
      kept = std::min(kept, static_cast<std::size_t>(problem.top_k + (fault == "top_k_and_one" ? 1 : 0)));
    while (problem.ties == TopKTies::all_tied && kept < own.tokens.size() &&
           at(own.tokens[kept]) == at(own.tokens[kept - 1]))
      ++kept;
    if (temperature == 0 || fault == "greedy") kept = 1;
    own.tokens.resize(kept);
    double sum = 0;
    for (const Index token : own.tokens) {
      own.weights.push_back(fault == "uniform_over_kept" ? 1 : round(std::exp(round(at(token) - at(own.tokens[0])))));
      sum = round(sum + own.weights.back());
    }
    if (problem.top_p < 1 && fault != "top_p_ignored") {
      double before = 0;
      std::size_t last = 0;
      for (; last < own.weights.size(); ++last) {
        if (last > 0 && before + (fault == "top_p_exclusive" ? own.weights[last] : 0) >= problem.top_p * sum) break;
        before = round(before + own.weights[last]);
      }
      if (fault == "mass_to_first" && last < own.weights.size()) own.weights[0] += sum - before;
      own.weights.resize(last);
      own.tokens.resize(last);
    }
    return own;
  }
  [[nodiscard]] std::size_t draw(const Row& row, std::uint64_t seed, std::uint64_t counter) const {
    const auto uniform = [&](std::uint64_t which) {
      return static_cast<double>((random_bits(seed, counter, which).words[0] >> 8) + 1) * 0x1p-24;
    };
    double sum = 0;
    for (const double weight : row.weights) sum += weight;
    if (method == Method::gumbel || method == Method::race) {
      std::size_t best = 0;
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t rank = 0; rank < row.weights.size(); ++rank) {
        const double u = std::min(uniform(rank + 1), 1 - 0x1p-25), exponential = -std::log(u);
        const double score = method == Method::race ? row.weights[rank] / exponential
                                                    : std::log(row.weights[rank]) - std::log(exponential);
        if (score > most) {
          most = score;
          best = rank;
        }
      }
      return best;
    }
    if (method == Method::rejection)
      for (std::uint64_t attempt = 0;; ++attempt) {
        const auto rank = static_cast<std::size_t>(random_bits(seed, counter, 2 * attempt).low() % row.weights.size());
        if (uniform(2 * attempt + 1) * row.weights[0] <= row.weights[rank]) return rank;
      }
    double target = (uniform(0) - 0x1p-24) * sum, below = 0;
    if (fault == "coarse_random") target = std::floor(target / sum * 16) / 16 * sum;
    if (fault == "first_token_preferred") target = target < 0.1 * sum ? 0 : target;
    for (std::size_t rank = 0; rank < row.weights.size(); ++rank) {
      below += row.weights[rank];
      if (row.weights[rank] > 0 && target < below) return rank;
    }
    return row.weights.size() - 1;
  }

  void operator()(const SamplingProblem& problem, const OperandArray& operands) const {
    const Operand& tokens = operands[Sampling::tokens];
    for (Index i = 0; i < problem.rows; ++i) {
      const Row row = row_of(problem, operands[Sampling::logits], fault == "first_row" ? 0 : i);
      for (Index j = 0; j < problem.draws; ++j) {
        Index counter = i * problem.draws + j;
        if (fault == "same_for_rows") counter = j;
        if (fault == "repeated_draws") counter = i * problem.draws + j / 2;
        if (fault == "constant_draw") counter = i;
        const std::size_t rank =
            draw(row, fault == "seed_ignored" ? 7 : problem.seed, static_cast<std::uint64_t>(counter));
        tokens.format.store(
            tokens.data, tokens.offset(i, j),
            static_cast<double>(fault == "ranks_for_tokens" ? static_cast<Index>(rank) : row.tokens[rank]));
      }
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Sampling> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"sampling"};
    return {
        {"temperature_ignored", missing_work, "ignores the temperature", operations},
        {"temperature_inverted", addressing, "multiplies by the temperature instead of dividing by it", operations},
        {"top_k_ignored", missing_work, "draws from all tokens where the k likeliest are asked for", operations},
        {"top_k_and_one", repeated_work, "keeps one token more than k", operations},
        {"top_p_ignored", missing_work, "draws from all tokens where the likeliest are asked for", operations},
        {"top_p_exclusive", missing_work, "leaves out the token with which the sum of probabilities reaches p",
         operations},
        {"mass_to_first", missing_work, "gives the probability that was cut off to the likeliest token", operations},
        {"greedy", missing_work, "always gives the likeliest token", operations},
        {"uniform_over_kept", missing_work, "draws all kept tokens with equal probability", operations},
        {"masked_drawn", special_value, "gives masked tokens a small probability", operations},
        {"last_token_missing", missing_work, "never draws the last token", operations},
        {"coarse_random", precision, "draws with random numbers of four bits", operations},
        {"first_token_preferred", repeated_work, "gives the likeliest token a tenth more", operations},
        {"same_for_rows", state, "uses the same random numbers for all rows", operations},
        {"repeated_draws", state, "uses every random number twice", operations},
        {"constant_draw", state, "draws one token a row and repeats it", operations},
        {"seed_ignored", state, "draws the same tokens whatever the seed", operations},
        {"first_row", addressing, "draws from the first row for all", operations},
        {"ranks_for_tokens", addressing, "gives ranks for tokens", operations}};
  }
  [[nodiscard]] static OperationSubject<Sampling> faulty(std::string_view name) {
    using Kernel = detail::EmulatedSampling<float32>;
    return host_subject<Sampling>(std::string(name), Kernel{Kernel::Method::inverse, own_fault<Sampling>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Sampling>> correct() {
    using Kernel = detail::EmulatedSampling<float32>;
    using Narrow = detail::EmulatedSampling<float16>;
    return {host_subject<Sampling>("inverse", Kernel{Kernel::Method::inverse}),
            host_subject<Sampling>("gumbel", Kernel{Kernel::Method::gumbel}),
            host_subject<Sampling>("race", Kernel{Kernel::Method::race}),
            host_subject<Sampling>("rejection", Kernel{Kernel::Method::rejection}),
            host_subject<Sampling>("in_f16", Narrow{Narrow::Method::inverse}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
