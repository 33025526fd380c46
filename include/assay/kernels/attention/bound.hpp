#pragma once

#include <cmath>

#include "assay/core/rounding_model.hpp"
#include "assay/kernels/attention/layout.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/expected_element.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0 {

/// A score in float64, and how far a correct kernel's may be from it.
struct AttentionScore {
  double value = 0;   ///< in float64, soft cap and mask included
  double error = 0;   ///< δ
  double stored = 0;  ///< τ: by the contract's rounding of stored scores; independent from key to key
};

/// What the bound of an attention is made of. u is the accumulator's unit roundoff, ε the error of an elementary
/// function, u_P that of stored weights, u_S that of stored scores, g the growth factor of a sum. The score of a query
/// and a key is off by
///
///   δ = scale·(g(depth) + 5u)·Σ|q||k|, then through the soft cap δ/cosh² + (ε + 3u)·|s| + 4u·soft_cap (tanh may be had
///   from exponentials), and 2u·(|added| + |s|)
///       for each of ALiBi, the additive mask and a factor log2 e,  and τ = u_S·|s| where it is stored,
///
/// and its exponential by d = δ + ε + 2u·(|s − m| + |m|) relative to itself, m the row's largest score (the last where
/// exp2(s·c − m·c) is fused, and the maximum changes on the way). With weights p = exp(s − m)/l, l = Σ exp(s − m), and
///
///   G = g(keys) + R·(ε + u) + 2u·range + 2u·|m| + (2u + ε)·log l
///
/// of what all terms of a row share (R: how often the maximum rises as keys are read forwards or backwards, and 4 +
/// log2 keys for partial results; the last two terms are those of partial results that are merged by their rounded
/// log-sum-exp), a row's output o and log-sum-exp L = m + log l err by
///
///   E_o = (1 + D)·(Σ p·(e^d − 1 + G + t)·|v| + (2·keys + 4)·η) + (D + ε + 2u)·|o|, D = Σ p·(e^d − 1 + τ) + G, t = u_P
///   + τ, E_L = −log(1 − D) + ε·|log l| + 4u·(|m| + |log l| + |L|), to base 2 log₂ e times that and (ε +
///   4u)·(|m| + |log l|).
///
/// Nothing is said of a row whose scores or scaled query may overflow, nor of an output for which Σ|v| does, before or
/// after values are scaled: so far sums may come on the way.
///
/// Scores beyond the range in which they are stored are +∞, of which nothing is said, or weigh exp of the least number
/// there, or nothing.
///
/// Where rounding errors are independent, Σ p·t·|v| is at most λ·√Σ(p·t·v)² but for the chance that the derivation
/// names, and is taken so in rows whose weight is spread far enough that this is less. In first order this is
/// Blanchard, Higham, Higham (IMA J. Numer. Anal. 41, 2021) for the weights, followed by the forward error of an inner
/// product (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1) and by Higham and Mary
/// (SISC 41, 2019).
struct AttentionBound {
  /// U, ε, and the growth factors of sums over the depth and over the keys.
  double unit = 0, function_error = 0, growth_depth = 0, growth_keys = 0;
  double weight_unit = 0;       ///< u_P beyond the accumulator's own
  double weight_underflow = 0;  ///< absolute, of a weight
  double score_unit = 0;        ///< u_S
  double largest_score = 0;     ///< the largest finite number of stored scores; 0: they are not stored
  bool infinite_scores = true;  ///< their format has infinities
  /// Η, the largest finite number of the accumulator, and the depth.
  double underflow = 0, largest = 0, depth = 0;
  double sum_underflow =
      0;  ///< absolute, of a sum over the keys: η for each product, and for each time that it is rescaled
  double confidence = 0;  ///< λ; 0: errors may align
  double log_scale = 1;   ///< of the log-sum-exp: log₂ e to base 2
  bool online = true;     ///< the maximum may be found on the way; else R is 0

  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static AttentionBound of(const AttentionProblem& problem, RoundingModel model,
                                         const Arithmetic& arithmetic);
  /// The most keys that a row sees.
  [[nodiscard]] static Index longest_row(const AttentionProblem& problem) {
    Index longest = problem.storage == AttentionStorage::packed ? 0 : problem.keys;
    for (const Index length : problem.key_lengths) longest = longest > length ? longest : length;
    return longest;
  }
  /// How many statements the bound makes: what a statistical bound's risk is divided by.
  [[nodiscard]] static double statements_of(const AttentionProblem& problem) {
    const Index tokens = problem.storage == AttentionStorage::packed ? detail::sum_of(problem.query_lengths)
                                                                     : problem.batch * problem.queries;
    return static_cast<double>(tokens) * static_cast<double>(problem.heads) *
           static_cast<double>(problem.value_depth + longest_row(problem));
  }

  /// +∞ as a double, on devices, too.
  [[nodiscard]] ASSAY_FUNCTION static double infinity() { return detail::double_of(binary64_layout.infinity_bits()); }

  /// From Σ q·k and Σ |q·k|.
  [[nodiscard]] ASSAY_FUNCTION AttentionScore score(const AttentionLayout& layout, const AttentionRow& row, Index key,
                                                    double slope, double dot, double magnitude) const {
    AttentionScore score;
    score.value = layout.scale * dot;
    score.error = layout.scale * ((growth_depth + 5 * unit) * magnitude + depth * underflow);
    // a walk for nothing but scores gives no magnitudes
    const double size = magnitude > detail::absolute(dot) ? magnitude : detail::absolute(dot);
    if (overflows(layout, size)) score.error = infinity();
    score.stored = score_unit * detail::absolute(score.value);
    bool changed = false;
    const bool capped = layout.soft_cap > 0 && infinite_scores,  // an infinity has a cap, too
        leaves_range =
            largest_score > 0 && is_finite(score.value) && detail::absolute(score.value) + score.error > largest_score;
    if (leaves_range && !capped) store(score);
    const bool endless = leaves_range && !(score.error < infinity());
    if (layout.soft_cap > 0) {
      const double x = score.value / layout.soft_cap, distance = detail::absolute(x) - score.error / layout.soft_cap;
      const double secant = 1 / std::cosh(distance > 0 ? distance : 0), slack = secant * secant;
      if (is_finite(x))
        score.error = score.error < infinity() ? score.error * slack : infinity();
      else
        score.error = 0;
      score.value = layout.soft_cap * std::tanh(x);
      score.error += (function_error + 3 * unit) * detail::absolute(score.value) + 4 * unit * layout.soft_cap;
      if (leaves_range) score.error += layout.soft_cap - detail::absolute(score.value);
      score.stored *= slack;
      changed = true;
    }
    if (slope != 0) add(score, layout.position_bias(slope, row, key), changed);
    if (layout.operands[AttentionOperand::additive_mask].present()) add(score, layout.mask(row, key), changed);
    // a mask of −∞ does not hide what may have overflowed to +∞, as Σ max(q·k, 0) does: their sum is NaN
    if (score.value == -infinity() && is_finite(dot) && (endless || overflows(layout, size / 2 + dot / 2)))
      return {0, infinity(), 0};
    if (!is_finite(score.value)) return {score.value, 0, 0};
    score.error += 2 * unit * detail::absolute(score.value);
    if (changed) score.stored += score_unit * detail::absolute(score.value);
    if (changed && largest_score > 0 && detail::absolute(score.value) + score.error > largest_score) store(score);
    return score;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION bool overflows(const AttentionLayout& layout, double sum) const {
    return !(sum <= largest && layout.scale * sum <= largest);
  }
  /// Of a score that may be beyond the largest of its format: nothing is known of what is +∞ or has no infinity to
  /// become. Downwards it becomes the least number, or −∞: with an error of 1, above log 2, its weight may be nothing.
  ASSAY_FUNCTION void store(AttentionScore& score) const {
    if (!infinite_scores || score.value + score.error > largest_score) {
      score.error = infinity();
      return;
    }
    if (score.value < -largest_score) {
      const double above = score.value + score.error + largest_score;
      score = {-largest_score, above > 0 ? above : 0, score_unit * largest_score};
    }
    score.error += 1;
  }
  ASSAY_FUNCTION void add(AttentionScore& score, double added, bool& changed) const {
    score.value += added;
    score.error += 2 * unit * (detail::absolute(added) + detail::absolute(score.value));
    changed = true;
  }
};

/// One key's share of a row, not yet divided by l.
struct AttentionTerm {
  double power = 0;   ///< exp(s − m)
  double error = 0;   ///< power·(e^d − 1)
  double spread = 0;  ///< power·t
  double stored = 0;  ///< power·τ
};

/// What the scores of one row have in common: fed with all scores once by `meet`, forwards, then by `meet_again`,
/// backwards, and with all their terms by `add`.
struct AttentionScan {
  /// Of the scores met so far: the largest, the largest met backwards, the least.
  double maximum = -AttentionBound::infinity(), backwards = -AttentionBound::infinity();
  double least = AttentionBound::infinity();  ///< of them
  /// How often the maximum rose, forwards and backwards.
  double rises = 0, rises_backwards = 0;
  bool any_nan = false;  ///< a score is NaN
  /// Sums over the terms added so far.
  double sum = 0, error = 0, spread = 0, spread_squares = 0, stored = 0, stored_squares = 0;
  // known once all terms are
  double shared = 0;         ///< G
  double denominator = 0;    ///< D
  bool independent = false;  ///< rounding errors of the weights count as independent

  ASSAY_FUNCTION void meet(double score) {
    any_nan |= is_nan(score);
    if (score > maximum) {
      maximum = score;
      rises += 1;
    }
    if (score < least && score > -AttentionBound::infinity()) least = score;
  }
  ASSAY_FUNCTION void meet_again(double score) {
    if (score > backwards) {
      backwards = score;
      rises_backwards += 1;
    }
  }
  /// Nothing is seen: no score above −∞.
  [[nodiscard]] ASSAY_FUNCTION bool empty() const { return !any_nan && maximum == -AttentionBound::infinity(); }
  /// Whether nothing can be said of the row, as a score is NaN or the largest is infinite.
  [[nodiscard]] ASSAY_FUNCTION bool void_row() const { return any_nan || !is_finite(maximum); }

  /// The weight of a score and its error, once the maximum is known.
  [[nodiscard]] ASSAY_FUNCTION AttentionTerm term(const AttentionBound& bound, const AttentionScore& score) const {
    AttentionTerm term;
    const double shifted = score.value - maximum;
    if (shifted == -AttentionBound::infinity()) return term;
    term.power = std::exp(shifted);
    // what is of second order in τ is not independent from key to key
    const double relative = score.error + bound.function_error +
                            2 * bound.unit * (detail::absolute(maximum) - shifted) + score.stored * score.stored;
    // far-off scores count for nothing, unless their error is as large as their distance
    term.error = relative < 1e-4 ? term.power * relative * (1 + relative) : std::exp(shifted + relative) - term.power;
    term.stored = term.power * score.stored;
    term.spread = term.power * bound.weight_unit + term.stored;
    return term;
  }
  ASSAY_FUNCTION void add(const AttentionTerm& term) {
    sum += term.power;
    error += term.error;
    spread += term.spread;
    spread_squares += term.spread * term.spread;
    stored += term.stored;
    stored_squares += term.stored * term.stored;
  }
  /// After all terms.
  ASSAY_FUNCTION void finish(const AttentionBound& bound, Index seen) {
    const double range = maximum - least < most_range ? maximum - least : most_range,
                 most_rises = rises > rises_backwards ? rises : rises_backwards;
    const double rescaled = bound.online ? 4 + std::log2(static_cast<double>(seen) + 1) + most_rises : 0;
    shared = bound.growth_keys + rescaled * (bound.function_error + bound.unit) + 2 * bound.unit * range +
             2 * bound.unit * detail::absolute(maximum) + (2 * bound.unit + bound.function_error) * std::log(sum);
    independent = bound.confidence > 0 && bound.confidence * std::sqrt(spread_squares) < 0.8 * spread;
    const double probable = bound.confidence * std::sqrt(stored_squares);
    denominator = error / sum + (bound.confidence > 0 && probable < stored ? probable : stored) / sum + shared;
  }
  /// What a term's weight adds to Σ(…)·|v|, and to Σ (…·v)².
  [[nodiscard]] ASSAY_FUNCTION double weight(const AttentionTerm& term) const { return term.power / sum; }
  /// What one term adds to the error of the output, relative to its value.
  [[nodiscard]] ASSAY_FUNCTION double allowance(const AttentionBound& bound, const AttentionTerm& term) const {
    return (term.error + term.power * shared + (independent ? 0 : term.spread)) / sum + bound.weight_underflow;
  }
  /// The square of what one term adds where errors are independent.
  [[nodiscard]] ASSAY_FUNCTION double square(const AttentionTerm& term) const {
    return independent ? term.spread / sum * (term.spread / sum) : 0;
  }

  /// From Σ p·v, Σ allowance·|v|, Σ square·v² and what a sum of values may come to on the way.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement output(const AttentionBound& bound, bool zeros, double product,
                                                      double allowed, double squares, double running_sum) const {
    if (empty()) return {zeros ? 0 : detail::double_of(binary64_layout.nan_bits()), 0};
    if (void_row()) return {detail::double_of(binary64_layout.nan_bits()), 0};
    if (!(allowed < AttentionBound::infinity() && denominator < 1 && running_sum <= bound.largest))
      return {0, AttentionBound::infinity()};
    if (!is_finite(product)) return {product, 0};
    const double quotient = denominator / (1 - denominator);
    return {product, (1 + quotient) * (allowed + bound.confidence * std::sqrt(squares) + bound.sum_underflow) +
                         (quotient + bound.function_error + 2 * bound.unit) * detail::absolute(product)};
  }
  /// The row's log-sum-exp and its error; −∞ where the row sees no key.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement log_sum_exp(const AttentionBound& bound) const {
    if (empty()) return {-AttentionBound::infinity(), 0};
    if (any_nan) return {detail::double_of(binary64_layout.nan_bits()), 0};
    if (!is_finite(maximum) || !(denominator < 1)) return {0, AttentionBound::infinity()};
    const double logarithm = std::log(sum), value = maximum + logarithm;
    const double error = -std::log1p(-denominator) + bound.function_error * logarithm +
                         4 * bound.unit * (detail::absolute(maximum) + logarithm + detail::absolute(value)) +
                         bound.underflow;
    if (bound.log_scale == 1) return {value, error};
    // the factor and its products round: of the maximum, of the logarithm, or of their sum
    const double factors = bound.function_error + 4 * bound.unit;
    return {bound.log_scale * value,
            bound.log_scale * (error + factors * (detail::absolute(maximum) + logarithm + error))};
  }

  /// Beyond it, what was summed before is nothing in any accumulator but float64's: exp(−200) < 2^−288.
  static constexpr double most_range = 200;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention/bound.ipp"
#endif
