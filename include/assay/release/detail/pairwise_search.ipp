#pragma once

#include "assay/release/detail/pairwise_search.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool PairwiseSearch::find_possible_pairs() {
  bool decided = true;
  wanted_.each([&](std::uint32_t& number, std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    if (number == 1 || !decided) return;
    std::vector<std::uint16_t> values(problem_->sizes.size(), MatrixProblem::unset);
    values[i] = static_cast<std::uint16_t>(a);
    values[j] = static_cast<std::uint16_t>(b);
    const auto answer = solver_.complete(values);
    decided = answer != MatrixSolver::Answer::unknown;
    if (answer == MatrixSolver::Answer::possible)
      wanted_.each_within(values, [](std::uint32_t& held, auto...) { held = 1; });
  });
  return decided;
}

ASSAY_DETAIL_HEADER_INLINE CombinationList PairwiseSearch::cover(std::uint64_t seed, std::size_t candidates) {
  state_ = seed;
  missing_ = wanted_;
  counts_.assign(problem_->sizes.size(), {});
  for (std::size_t axis = 0; axis < counts_.size(); ++axis) counts_[axis].assign(problem_->sizes[axis], 0);
  std::size_t left = 0;
  missing_.each([&](std::uint32_t number, std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    left += number;
    counts_[i][a] += number;
    counts_[j][b] += number;
  });
  CombinationList chosen(problem_->sizes.size());
  while (left > 0) {
    std::vector<std::uint16_t> best;
    std::size_t best_gain = 0;
    for (std::size_t i = 0; i < candidates; ++i) {
      std::vector<std::uint16_t> values = candidate();
      std::size_t gain = 0;
      missing_.each_within(values, [&](std::uint32_t number, auto...) { gain += number; });
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = std::move(values);
    }
    missing_.each_within(best, [&](std::uint32_t& number, std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
      left -= number;
      counts_[i][a] -= number;
      counts_[j][b] -= number;
      number = 0;
    });
    chosen.push_back(best);
  }
  return without_superfluous(chosen);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint16_t> PairwiseSearch::candidate() {
  const std::size_t axes = problem_->sizes.size();
  std::vector<std::uint16_t> values(axes, MatrixProblem::unset);
  std::size_t first = 0, first_value = 0, most = 0, equals = 0;
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t value = 0; value < counts_[axis].size(); ++value) {
      if (counts_[axis][value] < most || counts_[axis][value] == 0) continue;
      equals = counts_[axis][value] > most ? 1 : equals + 1;
      most = counts_[axis][value];
      if (random(equals) != 0) continue;
      first = axis;
      first_value = value;
    }
  values[first] = static_cast<std::uint16_t>(first_value);
  std::size_t second = 0, second_value = 0, partners = 0;
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t value = 0; axis != first && value < problem_->sizes[axis]; ++value)
      if (missing_.at(first, first_value, axis, value) != 0 && random(++partners) == 0) {
        second = axis;
        second_value = value;
      }
  values[second] = static_cast<std::uint16_t>(second_value);

  std::vector<std::size_t> order;
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (values[axis] == MatrixProblem::unset) order.push_back(axis);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random(i)]);
  std::vector<std::uint16_t> whole = values;
  for (const std::size_t axis : order)
    if (!set_best(whole, axis)) {
      static_cast<void>(solver_.complete(values));  // as it did when this pair was found possible
      return values;
    }
  return whole;
}

ASSAY_DETAIL_HEADER_INLINE bool PairwiseSearch::set_best(std::vector<std::uint16_t>& values, std::size_t axis) {
  struct Choice {
    std::size_t gain, tie;
    std::uint16_t value;
  };
  std::vector<Choice> choices;
  for (std::size_t value = 0; value < problem_->sizes[axis]; ++value) {
    std::size_t gain = 0;
    for (std::size_t other = 0; other < values.size(); ++other)
      if (values[other] != MatrixProblem::unset) gain += missing_.at(axis, value, other, values[other]);
    choices.push_back({gain, random(1u << 30), static_cast<std::uint16_t>(value)});
  }
  std::sort(choices.begin(), choices.end(), [](const Choice& left, const Choice& right) {
    return left.gain != right.gain ? left.gain > right.gain : left.tie < right.tie;
  });
  for (const Choice& choice : choices) {
    values[axis] = choice.value;
    if (problem_->tuples.empty()) return true;
    if (!problem_->consistent(axis, values)) continue;
    std::vector<std::uint16_t> rest = values;
    if (solver_.complete(rest) == MatrixSolver::Answer::possible) return true;
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE CombinationList PairwiseSearch::without_superfluous(const CombinationList& chosen) {
  PairTable held(problem_->sizes);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    held.each_within(chosen[i], [](std::uint32_t& number, auto...) { ++number; });
  CombinationList kept(chosen.axes());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    bool needed = false;
    held.each_within(chosen[i], [&](std::uint32_t number, auto...) { needed = needed || number == 1; });
    if (needed)
      kept.push_back(chosen[i]);
    else
      held.each_within(chosen[i], [](std::uint32_t& number, auto...) { --number; });
  }
  return kept;
}

}  // namespace assay::inline v0::detail
