#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/kernels/detail/repeated_draws.hpp"
#include "assay/kernels/sampling/judgement.hpp"

namespace assay::inline v0 {

/// Why tokens are not drawn as they should be: whether draws are used again, whether masked tokens are drawn, and by which other distribution the counts can be told.
class SamplingExplanation {
 public:
  /// Of what a sampler drew from these logits.
  SamplingExplanation(const SamplingProblem& problem, const Operand& logits, const Operand& tokens, const Arithmetic& arithmetic)
      : problem_(problem), judge_(problem, logits, tokens, arithmetic) {
    for (Index row = 0; row < problem.rows; ++row) {
      SamplingRow distribution = SamplingRow::of(problem, logits, row, arithmetic);
      if (distribution.any_nan) continue;  // of which nothing is promised
      rows_.push_back({std::move(distribution), {}, {}});
      Row& own = rows_.back();
      own.counts.resize(own.distribution.tokens.size());
      const std::unordered_map<Index, std::size_t> rank_of = own.distribution.ranks();
      for (Index draw = 0; draw < problem.draws; ++draw) {
        const auto token = static_cast<Index>(tokens.at(row, draw));
        own.draws.push_back(token);
        const auto found = rank_of.find(token);
        if (found != rank_of.end() && found->second < own.distribution.end()) {
          own.counts[found->second] += 1;
          continue;
        }
        ++foreign_;
        masked_ += token >= 0 && token < problem.vocabulary && found == rank_of.end() ? 1 : 0;
      }
    }
  }

  /// Nothing where no cause is seen. Those that are merely possible leave other distributions to be asked about first: other temperatures, other cuts.
  [[nodiscard]] std::optional<Diagnosis> explanation() {
    if (rows_.empty() || problem_.draws < 1) return std::nullopt;
    if (foreign_ > 0) return of_foreign_tokens();
    if (auto repeated = repeated_draws()) return repeated;
    if (judge_.judge().violations == 0) return std::nullopt;
    if (judge_.draws_depend())
      return Diagnosis{FaultClass::state,
                       "draws_depend",
                       Confidence::likely,
                       {"tokens are drawn as often as they should be, but draws depend on each other"},
                       {}};
    return other_distribution();
  }

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
    return possible(FaultClass::special_value, "masked_tokens_drawn",
                    std::to_string(masked_) + " draws are of tokens whose logit is minus infinity, and no other is wrong");
  }

  /// By rank, of tokens that may be kept: normalised, and 0 for the others.
  [[nodiscard]] static Probabilities kept_by(const SamplingRow& row) {
    Probabilities kept(row.probabilities.begin(), row.probabilities.begin() + static_cast<std::ptrdiff_t>(row.most));
    normalise(kept);
    kept.resize(row.tokens.size());
    return kept;
  }
  static void normalise(Probabilities& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    for (double& value : values) value /= sum;
  }

  [[nodiscard]] std::optional<Diagnosis> repeated_draws() const {
    std::optional<Diagnosis> found;
    bool likeliest = true;
    for (const Row& row : rows_) {
      double alike = 0;
      for (const double p : kept_by(row.distribution)) alike += p * p;
      if (alike > 0.99) continue;
      auto own = detail::RepeatedDraws(row.draws, alike).explanation();
      if (!own || (found && own->kind != found->kind)) return std::nullopt;
      likeliest = likeliest && row.counts[0] > 0;
      found = std::move(own);
    }
    if (found && found->kind == "constant_draw" && likeliest && rows_.size() > 1)
      return Diagnosis{FaultClass::missing_work, "always_likeliest", Confidence::likely, {"every draw is of the likeliest token"}, {}};
    return found;
  }

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
      const double limit = divergence_limit(observed.size(), risk) + draws * std::log1p(2 * row.distribution.relative_error + 0x1p-14);
      if (!(divergence(observed, expected) <= limit)) return false;
    }
    return true;
  }

  [[nodiscard]] std::optional<Diagnosis> other_distribution() const {
    using enum FaultClass;
    using Kept = std::optional<Probabilities>;
    if (drawn_by([](const Row& row) -> Kept {
          Probabilities all = kept_by(row.distribution);
          for (double& p : all) p = p > 0 ? 1 : 0;
          normalise(all);
          return all;
        }))
      return possible(missing_work, "probabilities_ignored", "all tokens that are kept are drawn equally often");
    if (drawn_by([](const Row& row) -> Kept {
          Probabilities all = row.distribution.probabilities;
          std::fill(all.begin() + static_cast<std::ptrdiff_t>(row.distribution.most), all.end(), 0.0);
          double others = 0;
          for (std::size_t rank = 1; rank < all.size(); ++rank) others += all[rank];
          all[0] = 1 - others;
          return all;
        }))
      return possible(missing_work, "not_normalised_anew", "the likeliest token is drawn so much more often as has been cut off");
    if (drawn_by([this](const Row& row) -> Kept {
          Probabilities all = kept_by(row.distribution);
          std::size_t missing = all.size();
          for (std::size_t rank = 0; rank < all.size(); ++rank)
            if (row.counts[rank] == 0 && all[rank] * static_cast<double>(problem_.draws) > -std::log(risk)) missing = rank;
          if (missing < all.size()) all[missing] = 0;
          normalise(all);
          return all;
        }))
      return possible(missing_work, "token_never_drawn", "a token is never drawn that should be, and the others are in proportion");
    for (int bits = 2; bits <= 8; ++bits)
      for (const bool by_rank : {true, false})
        if (drawn_by([&](const Row& row) -> Kept { return coarsely_drawn(row.distribution, bits, by_rank); }))
          return possible(precision, "coarse_draws", "tokens are drawn as often as by random numbers of " + std::to_string(bits) + " bits");
    if (drawn_by([this](const Row& row) -> Kept { return one_preferred(row); }))
      return possible(repeated_work, "token_preferred", "one token is drawn too often, and the others are in proportion");
    return std::nullopt;
  }

  /// By the inverse of the distribution function, with uniform numbers of few bits.
  [[nodiscard]] static Probabilities coarsely_drawn(const SamplingRow& row, int bits, bool by_rank) {
    const Probabilities kept = kept_by(row);
    std::vector<std::size_t> order(kept.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) order[rank] = rank;
    if (!by_rank) std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row.tokens[a] < row.tokens[b]; });
    Probabilities all(kept.size());
    const int levels = 1 << bits;
    double below = 0;
    int level = 0;
    for (const std::size_t rank : order) {
      below += kept[rank];
      for (; level < levels && level < below * levels; ++level) all[rank] += 1.0 / levels;
    }
    return all;
  }
  /// The token that is farthest beyond its due gets what it was drawn, the others the rest.
  [[nodiscard]] std::optional<Probabilities> one_preferred(const Row& row) const {
    Probabilities all = kept_by(row.distribution);
    std::size_t preferred = 0;
    const double draws = static_cast<double>(problem_.draws);
    const auto excess = [&](std::size_t rank) { return row.counts[rank] - draws * all[rank]; };
    for (std::size_t rank = 1; rank < all.size(); ++rank)
      if (excess(rank) > excess(preferred)) preferred = rank;
    if (all.size() < 3 || all[preferred] >= 1) return std::nullopt;
    const double share = row.counts[preferred] / draws, others = (1 - share) / (1 - all[preferred]);
    for (double& p : all) p *= others;
    all[preferred] = share;
    return all;
  }

  static constexpr double risk = 1e-6;
  static constexpr std::size_t few_bins = 4;
  SamplingProblem problem_;
  SamplingJudge judge_;
  std::vector<Row> rows_;
  std::size_t foreign_ = 0;  ///< draws of tokens that may not be drawn
  std::size_t masked_ = 0;   ///< of which have logits of −∞
};

}  // namespace assay::inline v0
