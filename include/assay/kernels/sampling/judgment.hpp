#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/detail/judged_output.hpp"
#include "assay/kernels/sampling/distribution.hpp"

namespace assay::inline v0 {

/// Judges draws: none leaves the support; counts agree with the distribution; neither consecutive draws nor those of
/// neighboring rows depend on each other; no lane copies another's. A right kernel is accused with probability of at
/// most `test_risk` by each of these tests. Rounding enters as the divergence that it can add, draws·ln(1 + relative
/// error), and as cuts that may fall here or there, of which one must agree. Where they are more than 64, the tokens
/// between them count together, with any share that a cut leaves them.
class SamplingJudge {
 public:
  static constexpr double test_risk = 1e-12;

  /// Judges what a sampler drew from these logits.
  SamplingJudge(const SamplingProblem& problem, const Operand& logits, const Operand& tokens,
                const Arithmetic& arithmetic)
      : problem_(problem), tokens_(tokens), drawn_(static_cast<std::size_t>(problem.rows)) {
    for (Index row = 0; row < problem.rows; ++row) rows_.push_back(SamplingRow::of(problem, logits, row, arithmetic));
  }

  [[nodiscard]] detail::JudgedOutput judge();
  /// Of a row of which rounding leaves too little known for `judge` to refute much, why; empty where there is none.
  [[nodiscard]] const std::string& undecided() const { return undecided_; }
  /// Whether `judge` found nothing but draws that depend on each other.
  [[nodiscard]] bool draws_depend() const { return draws_depend_; }

 private:
  [[nodiscard]] const SamplingRow& row_at(Index row) const { return rows_[static_cast<std::size_t>(row)]; }

  void judge_row(Index row);

  void judge_vocabulary(Index row, const std::string& where) {
    for (Index draw = 0; draw < problem_.draws; ++draw)
      if (const double token = tokens_.at(row, draw); !(token >= 0 && token < static_cast<double>(problem_.vocabulary)))
        judged_.refute(where + "draw " + std::to_string(draw) + " is token " + detail::number(token) +
                       ", which is none");
  }

  /// Of the tokens of ranks [first, last).
  [[nodiscard]] static double mass_of(const SamplingRow& row, std::size_t first, std::size_t last) {
    double mass = 0;
    for (std::size_t rank = first; rank < last; ++rank) mass += row.probabilities[rank];
    return mass;
  }
  /// Counts of a row in bins, which are filled from the likeliest token on until they hold enough.
  struct Bins {
    double least_mass;
    std::vector<double> observed{0}, expected{0};

    explicit Bins(Index draws) : least_mass(std::max(1.0 / 64, 16 / static_cast<double>(draws))) {}
    void begin() {
      if (expected.back() > 0) observed.push_back(0), expected.push_back(0);
    }
    void add(double count, double probability) {
      if (expected.back() >= least_mass) begin();
      observed.back() += count;
      expected.back() += probability;
    }
  };

  /// Divergence over its limit.
  [[nodiscard]] double excess(const SamplingRow& row, const Bins& bins, const std::string& where);
  /// The same where the cut may be in too many places to try them: tokens that are kept wherever it is have their
  /// proportions, and the others together a share, of those that cuts leave the one that suits the counts best.
  [[nodiscard]] double excess_of_certain(const SamplingRow& row, const std::vector<double>& counts,
                                         const std::string& where);
  /// The same if the first `kept` tokens are kept.
  [[nodiscard]] double excess(const SamplingRow& row, const std::vector<double>& counts, std::size_t kept,
                              const std::string& where);

  /// Whether draw 2i and draw 2i + 1 of a row, and equal draws of it and the next, are independent: two classes a row,
  /// about half of its probability each, against the product of the shares that were found. These lie nearer to the
  /// counts than the true ones do, so that the limit for the true ones, of four bins, holds all the more.
  void judge_pairs(Index row);
  /// For each draw whether it belongs to the less likely half; nothing to tell where the distribution has no two parts
  /// of some size.
  [[nodiscard]] std::pair<std::vector<double>, bool> classes(Index row) const;
  void judge_independence(const std::vector<double>& first, const std::vector<double>& second, const std::string& what);

  /// Whether all draws of one lane, of 32 to 256 of a machine that deals out draws in row-major order, are those so far
  /// before them: independent draws are with the probability Σ p² each.
  void judge_copies(Index distance);
  /// At most so probably are two draws of that row equal.
  [[nodiscard]] static double chance_of_equals(const SamplingRow& row) {
    const double mass = mass_of(row, 0, row.least);
    double squares = 0;
    for (std::size_t rank = 0; rank < row.least; ++rank) squares += row.probabilities[rank] * row.probabilities[rank];
    return std::min(1.0, squares / (mass * mass) * (1 + 4 * row.relative_error + 0x1p-12));
  }

  static constexpr std::size_t most_cuts = 64;
  static constexpr double most_uncertain = 0.5;  ///< of the draws, for a row that is judged by those that remain
  static constexpr Index least_period = 32, widest_period = 256;  // of lanes and of warps
  SamplingProblem problem_;
  Operand tokens_;
  std::vector<SamplingRow> rows_;
  std::vector<std::vector<std::size_t>> drawn_;
  detail::JudgedOutput judged_;
  bool draws_depend_ = false;
  std::string undecided_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sampling/judgment.ipp"
#endif
