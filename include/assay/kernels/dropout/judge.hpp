#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/kernels/detail/judged_output.hpp"
#include "assay/kernels/dropout/problem.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// How improbable it is that k of n independent events of probability q happened, or a count farther off: at most
/// 2·e^(−n·D), D the relative entropy of k/n to q. Source: Chernoff's bound, in Hoeffding, "Probability inequalities
/// for sums of bounded random variables", JASA 58 (1963), theorem 1. No approximation: it holds for every n.
[[nodiscard]] double binomial_tail_bound(double k, double n, double q);

/// Tests of one mask. Each has a false alarm with probability at most `default_case_risk`/`tests`, so that a case has
/// one with at most 10⁻¹⁴.
///
/// - the number of kept elements, over all, over each row, over each column, over each strip of 32 columns: Binomial(n,
///   1 − rate);
/// - for lags of 1, 2, 3, 4, 8, 16, … and of 1, 2, 4, … rows the number of pairs (i, i + lag), no element in two of
///   them, that are alike: Binomial(n, rate² + (1 − rate)²): generators that repeat themselves, share draws between
///   lanes or rows, or count instead of drawing.
class DropoutMaskTests {
 public:
  /// Per element 1 for kept, 0 for dropped, 2 where it cannot be seen.
  DropoutMaskTests(const DropoutProblem& problem, const std::vector<unsigned char>& kept)
      : problem_(problem), kept_(kept) {
    for (Index lag = 1; lag <= size() / 2; lag *= 2) add_lag(lag);
    add_lag(3);
    for (Index rows = 1; rows <= problem.rows / 2; rows *= 2) add_lag(rows * problem.columns);
    tests_ = 1 + problem.rows + problem.columns + strips() + static_cast<Index>(lags_.size());
  }

  /// Share of what is kept among the elements that can be seen.
  [[nodiscard]] double kept_share() const { return whole_.seen > 0 ? whole_.hits / whole_.seen : 1; }
  /// The least probability that any test gave what it saw.
  [[nodiscard]] double least_probability() const { return least_; }

  /// Makes all tests; what is improbable becomes a finding. O(elements · log elements).
  void run(detail::JudgedOutput& judged);

 private:
  struct Count {
    double hits = 0, seen = 0;
    void add(bool hit) {
      hits += hit ? 1 : 0;
      seen += 1;
    }
    void add(const Count& other) {
      hits += other.hits;
      seen += other.seen;
    }
  };
  static constexpr Index strip = 32;

  [[nodiscard]] Index size() const { return problem_.rows * problem_.columns; }
  [[nodiscard]] Index strips() const { return (problem_.columns + strip - 1) / strip; }
  void add_lag(Index lag) {
    if (lag <= size() / 2 && std::find(lags_.begin(), lags_.end(), lag) == lags_.end()) lags_.push_back(lag);
  }
  void decide(const Count& count, double probability, const std::string& where, const char* what,
              detail::JudgedOutput& judged) {
    const double chance = binomial_tail_bound(count.hits, count.seen, probability);
    least_ = std::min(least_, chance);
    if (chance >= default_case_risk / static_cast<double>(tests_)) return;
    judged.refute("of " + detail::number(count.seen) + " in " + where + ", " + detail::number(count.hits) + " are " +
                  what + "; " + detail::number(count.seen * probability) +
                  " are due, and so few or many happen with probability " + detail::number(chance) + " at most");
  }

  const DropoutProblem& problem_;
  const std::vector<unsigned char>& kept_;
  std::vector<Index> lags_;
  Index tests_ = 1;
  Count whole_;
  double least_ = 1;
};

/// The values that a kept element may have: x/(1 − rate), off by E = |x|/(1 − rate)·(ε + u·(3 + rate/(1 − rate))) + η:
/// 1 − rate from a rounded rate, its inverse, the product.
struct DropoutScaling {
  /// Of kept values, and what E is made of.
  double scale = 1, relative = 0, underflow = 0, largest = 0;
  ElementFormat format{};

  /// The scaling of that problem.
  DropoutScaling(const DropoutProblem& problem, const Arithmetic& arithmetic) : format(problem.output) {
    largest = arithmetic.accumulation.max_finite;
    if (problem.rate >= 1) return;
    const double u = arithmetic.unit_roundoff() + 0x1p-52;
    scale = 1 / (1 - problem.rate);
    if (problem.rate == 0 && arithmetic.accumulation.precision >= problem.input.layout.precision())
      return;  // nothing rounds but the output
    relative = arithmetic.function_error() + u * (3 + problem.rate * scale);
    underflow = arithmetic.accumulation.min_subnormal;
  }
  /// Whether a kept element may have become `out`: RN(r − E) to RN(r + E), or an infinity rounded, where the
  /// accumulator may overflow.
  [[nodiscard]] bool accepts(double x, double out) const {
    const double r = x * scale, error = relative == 0 ? 0 : detail::absolute(r) * relative + underflow;
    if (is_nan(r)) return is_nan(out);
    if (is_infinite(r)) return out == format.round(r) || (is_nan(out) && is_nan(format.round(r)));
    if (detail::derived_interval({r, error}, format, format.max_finite()).contains(out)) return true;
    if (!(detail::absolute(r) + error > largest)) return false;
    const double infinity = detail::double_of(binary64_layout.infinity_bits()),
                 overflow = format.round(r > 0 ? infinity : -infinity);
    return out == overflow || (is_nan(out) && is_nan(overflow));
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/dropout/judge.ipp"
#endif
