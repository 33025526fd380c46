#pragma once

#include "assay/kernels/sampling/explanation.hpp"

#include <unordered_map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE SamplingExplanation::SamplingExplanation(const SamplingProblem& problem,
                                                                    const Operand& logits, const Operand& tokens,
                                                                    const Arithmetic& arithmetic)
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

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> SamplingExplanation::explanation() {
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

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> SamplingExplanation::repeated_draws() const {
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
    return Diagnosis{
        FaultClass::missing_work, "always_likeliest", Confidence::likely, {"every draw is of the likeliest token"}, {}};
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> SamplingExplanation::other_distribution() const {
  using enum FaultClass;
  using Kept = std::optional<Probabilities>;
  if (drawn_by([](const Row& row) -> Kept {
        Probabilities all = kept_by(row.distribution);
        for (double& p : all) p = p > 0 ? 1 : 0;
        normalize(all);
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
    return possible(missing_work, "not_normalized_anew",
                    "the likeliest token is drawn so much more often as has been cut off");
  if (drawn_by([this](const Row& row) -> Kept {
        Probabilities all = kept_by(row.distribution);
        std::size_t missing = all.size();
        for (std::size_t rank = 0; rank < all.size(); ++rank)
          if (row.counts[rank] == 0 && all[rank] * static_cast<double>(problem_.draws) > -std::log(risk))
            missing = rank;
        if (missing < all.size()) all[missing] = 0;
        normalize(all);
        return all;
      }))
    return possible(missing_work, "token_never_drawn",
                    "a token is never drawn that should be, and the others are in proportion");
  for (int bits = 2; bits <= 8; ++bits)
    for (const bool by_rank : {true, false})
      if (drawn_by([&](const Row& row) -> Kept { return coarsely_drawn(row.distribution, bits, by_rank); }))
        return possible(precision, "coarse_draws",
                        "tokens are drawn as often as by random numbers of " + std::to_string(bits) + " bits");
  if (drawn_by([this](const Row& row) -> Kept { return one_preferred(row); }))
    return possible(repeated_work, "token_preferred", "one token is drawn too often, and the others are in proportion");
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE SamplingExplanation::Probabilities SamplingExplanation::coarsely_drawn(
    const SamplingRow& row, int bits, bool by_rank) {
  const Probabilities kept = kept_by(row);
  std::vector<std::size_t> order(kept.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) order[rank] = rank;
  if (!by_rank)
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row.tokens[a] < row.tokens[b]; });
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

ASSAY_DETAIL_HEADER_INLINE std::optional<SamplingExplanation::Probabilities> SamplingExplanation::one_preferred(
    const Row& row) const {
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

}  // namespace assay::inline v0
