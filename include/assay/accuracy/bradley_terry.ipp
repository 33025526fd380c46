#pragma once

#include "assay/accuracy/bradley_terry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

namespace detail {

/// A square matrix, row by row.
struct PlayerMatrix {
  std::size_t size = 0;
  std::vector<double> values;

  explicit PlayerMatrix(std::size_t n) : size(n), values(n * n, 0.0) {}
  [[nodiscard]] double& at(std::size_t i, std::size_t j) { return values[i * size + j]; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * size + j]; }
  /// Adds weight · (e_a − e_b)(e_a − e_b)ᵀ.
  void add_difference(std::size_t a, std::size_t b, double weight) {
    at(a, a) += weight, at(b, b) += weight, at(a, b) -= weight, at(b, a) -= weight;
  }
  /// By Gauss and Jordan with pivots. Precondition: it has an inverse.
  [[nodiscard]] PlayerMatrix inverse() const {
    PlayerMatrix left = *this, right(size);
    for (std::size_t i = 0; i < size; ++i) right.at(i, i) = 1;
    for (std::size_t column = 0; column < size; ++column) {
      std::size_t pivot = column;
      for (std::size_t i = column; i < size; ++i)
        if (std::abs(left.at(i, column)) > std::abs(left.at(pivot, column))) pivot = i;
      for (std::size_t j = 0; j < size; ++j) {
        std::swap(left.at(column, j), left.at(pivot, j));
        std::swap(right.at(column, j), right.at(pivot, j));
      }
      const double scale = 1 / left.at(column, column);
      for (std::size_t j = 0; j < size; ++j) left.at(column, j) *= scale, right.at(column, j) *= scale;
      for (std::size_t i = 0; i < size; ++i) {
        const double factor = left.at(i, column);
        if (i == column || factor == 0) continue;
        for (std::size_t j = 0; j < size; ++j)
          left.at(i, j) -= factor * left.at(column, j), right.at(i, j) -= factor * right.at(column, j);
      }
    }
    return right;
  }
};

/// (a, b) with a < b → outcomes of a with how often each was.
using PairOutcomes = std::map<std::pair<std::size_t, std::size_t>, std::map<double, double>>;

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE PairOutcomes outcomes_by_pair(std::span<const Battle> battles,
                                                                       std::size_t players) {
  PairOutcomes pairs;
  for (const Battle& battle : battles) {
    expect(
        battle.a < players && battle.b < players && battle.a != battle.b && battle.outcome >= 0 && battle.outcome <= 1,
        [] { return "bradley_terry() was given a battle of a player that is none, or an outcome outside [0, 1]"; });
    const bool turned = battle.a > battle.b;
    pairs[{std::min(battle.a, battle.b), std::max(battle.a, battle.b)}][turned ? 1 - battle.outcome : battle.outcome] +=
        1;
  }
  return pairs;
}

/// A player to whom, or from whom, no chain of points leads: then no finite strengths fit (Ford 1957). `players` if
/// there is none.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t unreachable_player(const PairOutcomes& pairs,
                                                                        std::size_t players) {
  for (const bool forwards : {true, false}) {
    std::vector<std::vector<std::size_t>> next(players);
    for (const auto& [pair, outcomes] : pairs) {
      double of_a = 0, of_b = 0;
      for (const auto& [outcome, count] : outcomes) of_a += outcome * count, of_b += (1 - outcome) * count;
      if (forwards ? of_a > 0 : of_b > 0) next[pair.first].push_back(pair.second);
      if (forwards ? of_b > 0 : of_a > 0) next[pair.second].push_back(pair.first);
    }
    std::vector<bool> seen(players, false);
    std::vector<std::size_t> open{0};
    seen[0] = true;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t other : next[at])
        if (!seen[other]) seen[other] = true, open.push_back(other);
    }
    for (std::size_t i = 0; i < players; ++i)
      if (!seen[i]) return i;
  }
  return players;
}

/// Newton's steps from `strengths`, whose mean stays 0; ends when nothing moves.
ASSAY_DETAIL_HEADER_INLINE void fit_strengths(const PairOutcomes& pairs, std::vector<double>& strengths) {
  const std::size_t players = strengths.size();
  for (int step = 0; step < 100; ++step) {
    PlayerMatrix hessian(players);
    std::vector<double> gradient(players, 0.0);
    for (const auto& [pair, outcomes] : pairs) {
      const double chance = 1 / (1 + std::exp(strengths[pair.second] - strengths[pair.first]));
      for (const auto& [outcome, count] : outcomes) {
        hessian.add_difference(pair.first, pair.second, count * chance * (1 - chance));
        gradient[pair.first] += count * (outcome - chance);
        gradient[pair.second] -= count * (outcome - chance);
      }
    }
    for (double& value : hessian.values) value += 1 / static_cast<double>(players);  // a shift of all moves nothing
    const PlayerMatrix inverse = hessian.inverse();
    double largest = 0;
    std::vector<double> change(players, 0.0);
    for (std::size_t i = 0; i < players; ++i) {
      for (std::size_t j = 0; j < players; ++j) change[i] += inverse.at(i, j) * gradient[j];
      largest = std::max(largest, std::abs(change[i]));
    }
    const double damping = largest > 2 ? 2 / largest : 1;
    for (std::size_t i = 0; i < players; ++i) strengths[i] += damping * change[i];
    if (largest < 1e-14) return;
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Failure no_strengths(std::size_t player) {
  return failure(ErrorKind::invalid, "player " + std::to_string(player) +
                                         " has no finite strength: no chain of points joins it with player 0 in both "
                                         "directions; leave it out, or let it play more");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<PlayerRating>> bradley_terry(std::span<const Battle> battles,
                                                                           std::size_t players,
                                                                           const BradleyTerryOptions& options) {
  detail::expect_share(options.confidence, "BradleyTerryOptions::confidence");
  if (players == 0) return std::vector<PlayerRating>{};
  const detail::PairOutcomes pairs = detail::outcomes_by_pair(battles, players);
  if (const std::size_t lost = detail::unreachable_player(pairs, players); lost < players)
    return detail::no_strengths(lost);
  std::vector<double> strengths(players, 0.0);
  detail::fit_strengths(pairs, strengths);
  detail::PlayerMatrix hessian(players), scatter(players);
  for (const auto& [pair, outcomes] : pairs) {
    const double chance = 1 / (1 + std::exp(strengths[pair.second] - strengths[pair.first]));
    for (const auto& [outcome, count] : outcomes) {
      hessian.add_difference(pair.first, pair.second, count * chance * (1 - chance));
      scatter.add_difference(pair.first, pair.second, count * (outcome - chance) * (outcome - chance));
    }
  }
  const double share = 1 / static_cast<double>(players);
  const bool exact = options.regularization == 0;
  if (exact)
    for (double& value : hessian.values) value += share;
  for (std::size_t i = 0; i < players; ++i)
    hessian.at(i, i) += options.regularization * static_cast<double>(battles.size());
  detail::PlayerMatrix inverse = hessian.inverse();
  if (exact)
    for (double& value : inverse.values) value -= share;
  const double alpha = options.scale / std::log(10.0), z = detail::normal_quantile_of((1 + options.confidence) / 2);
  std::vector<PlayerRating> ratings(players);
  for (std::size_t i = 0; i < players; ++i) {
    double variance = 0;
    for (std::size_t j = 0; j < players; ++j)
      for (std::size_t k = 0; k < players; ++k) variance += inverse.at(i, j) * scatter.at(j, k) * inverse.at(k, i);
    variance *= alpha * alpha;
    const double rating = options.mean + alpha * strengths[i], half = z * std::sqrt(variance);
    ratings[i] = {rating, rating - half, rating + half, variance};
  }
  return ratings;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<PlayerRating>> bradley_terry_bootstrap(
    std::span<const Battle> battles, std::size_t players, std::size_t resamples, std::uint64_t seed,
    const BradleyTerryOptions& options) {
  expect(resamples >= 100, [] { return "bradley_terry_bootstrap() was asked for fewer than 100 resamples"; });
  auto ratings = bradley_terry(battles, players, options);
  if (!ratings || players == 0) return ratings;
  const double alpha = options.scale / std::log(10.0);
  detail::RandomSequence random(seed);
  std::vector<std::vector<double>> drawn(players);
  std::vector<Battle> sample(battles.size());
  for (std::size_t r = 0; r < resamples; ++r) {
    for (Battle& battle : sample) battle = battles[random.below(battles.size())];
    const detail::PairOutcomes pairs = detail::outcomes_by_pair(sample, players);
    if (detail::unreachable_player(pairs, players) < players) continue;
    std::vector<double> strengths(players, 0.0);
    detail::fit_strengths(pairs, strengths);
    for (std::size_t i = 0; i < players; ++i) drawn[i].push_back(options.mean + alpha * strengths[i]);
  }
  if (drawn[0].size() * 10 < resamples * 9)
    return failure(ErrorKind::invalid, std::to_string(resamples - drawn[0].size()) + " of " +
                                           std::to_string(resamples) +
                                           " draws have no finite strengths: there are too few battles to resample");
  for (std::size_t i = 0; i < players; ++i) {
    std::sort(drawn[i].begin(), drawn[i].end());
    ratings.value()[i].lower = quantile_of_sorted(drawn[i], (1 - options.confidence) / 2);
    ratings.value()[i].upper = quantile_of_sorted(drawn[i], (1 + options.confidence) / 2);
  }
  return ratings;
}

}  // namespace assay::inline v0
