#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/kernels/detail/repeated_draws.hpp"
#include "assay/kernels/sampling/judgment.hpp"

namespace assay::inline v0 {

/// Why tokens are not drawn as they should be: whether draws are used again, whether masked tokens are drawn, and by
/// which other distribution the counts can be told.
class SamplingExplanation {
 public:
  /// Of what a sampler drew from these logits.
  SamplingExplanation(const SamplingProblem& problem, const Operand& logits, const Operand& tokens,
                      const Arithmetic& arithmetic);

  /// Nothing where no cause is seen. Those that are merely possible leave other distributions to be asked about first:
  /// other temperatures, other cuts.
  [[nodiscard]] std::optional<Diagnosis> explanation();

 private:
  struct Row {
    SamplingRow distribution;
    std::vector<std::int64_t> draws;
    std::vector<double> counts;  ///< by rank
  };
  using Probabilities = std::vector<double>;

  [[nodiscard]] static Diagnosis possible(FaultClass fault_class, const char* kind, std::string sentence) {
    return {fault_class, kind, Confidence::possible, {std::move(sentence)}, {}};
  }
  [[nodiscard]] std::optional<Diagnosis> of_foreign_tokens() const {
    constexpr std::size_t few = 8;  // which a machine's fault may bring about
    if (masked_ < foreign_ || masked_ < few) return std::nullopt;
    return possible(
        FaultClass::special_value, "masked_tokens_drawn",
        std::to_string(masked_) + " draws are of tokens whose logit is minus infinity, and no other is wrong");
  }

  /// By rank, of tokens that may be kept: normalized, and 0 for the others.
  [[nodiscard]] static Probabilities kept_by(const SamplingRow& row) {
    Probabilities kept(row.probabilities.begin(), row.probabilities.begin() + static_cast<std::ptrdiff_t>(row.most));
    normalize(kept);
    kept.resize(row.tokens.size());
    return kept;
  }
  static void normalize(Probabilities& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    for (double& value : values) value /= sum;
  }

  [[nodiscard]] std::optional<Diagnosis> repeated_draws() const;

  /// Whether all rows may have been drawn so: `probabilities(row)`, by rank; nothing where a row cannot be.
  template <class Of>
  [[nodiscard]] bool drawn_by(Of probabilities) const {
    for (const Row& row : rows_) {
      const std::optional<Probabilities> all = probabilities(row);
      if (!all) return false;
      const double draws = static_cast<double>(problem_.draws), least = std::max(1.0 / 64, 16 / draws);
      Probabilities observed{0}, expected{0};
      for (std::size_t rank = 0; rank < all->size(); ++rank) {
        if (expected.back() >= least) observed.push_back(0), expected.push_back(0);
        observed.back() += row.counts[rank];
        expected.back() += (*all)[rank];
        if (row.counts[rank] > 0 && !((*all)[rank] > 0)) return false;
      }
      if (observed.size() < few_bins) return false;  // whatever it is, it would fit
      const double limit =
          divergence_limit(observed.size(), risk) + draws * std::log1p(2 * row.distribution.relative_error + 0x1p-14);
      if (!(divergence(observed, expected) <= limit)) return false;
    }
    return true;
  }

  [[nodiscard]] std::optional<Diagnosis> other_distribution() const;

  /// By the inverse of the distribution function, with uniform numbers of few bits.
  [[nodiscard]] static Probabilities coarsely_drawn(const SamplingRow& row, int bits, bool by_rank);
  /// The token that is farthest beyond its due gets what it was drawn, the others the rest.
  [[nodiscard]] std::optional<Probabilities> one_preferred(const Row& row) const;

  static constexpr double risk = 1e-6;
  static constexpr std::size_t few_bins = 4;
  SamplingProblem problem_;
  SamplingJudge judge_;
  std::vector<Row> rows_;
  std::size_t foreign_ = 0;  ///< draws of tokens that may not be drawn
  std::size_t masked_ = 0;   ///< of which have logits of −∞
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sampling/explanation.ipp"
#endif
