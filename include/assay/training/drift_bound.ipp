#pragma once

#include "assay/training/drift_bound.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<double> hessian_row_norms(const TrainingOptions& options,
                                                                 const TrainingState& state, double tokens,
                                                                 int probes) {
  const std::size_t count = state.weights.size();
  std::vector<double> squares(count), weights(count), above(count), below(count);
  const double step = 1e-4;
  for (int probe = 0; probe < probes; ++probe) {
    const auto gradient = [&](double direction, std::vector<double>& result) {
      std::fill(result.begin(), result.end(), 0.0);
      for (std::size_t i = 0; i < count; ++i)
        weights[i] =
            static_cast<double>(state.weights[i]) +
            (random_bits(static_cast<std::uint64_t>(probe), i, 99).words[0] % 2 == 0 ? direction : -direction) * step;
      for (Index s = 0; s < options.global_batch; ++s)
        static_cast<void>(sample_loss<double>(
            options.model, weights.data(),
            text_sample(options.model, options.seed, state.next_sample + static_cast<std::uint64_t>(s)),
            state.random_state, result.data()));
    };
    gradient(1, above);
    gradient(-1, below);
    for (std::size_t i = 0; i < count; ++i) {
      const double product = (above[i] - below[i]) / (2 * step * tokens);
      squares[i] += product * product / probes;
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double norm_of(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE DriftBound drift_bound(const TrainingOptions& options, int ranks, bool narrow, double useful,
                                                  Index most_steps) {
  expect_valid(options);
  expect(ranks >= 1, [] { return "drift_bound() needs a rank at least"; });
  DriftBound bound;
  TrainingState state = initial_state(options, 0, 1);  // one process has the whole of what ranks share
  const std::size_t count = state.weights.size();
  const AdamW& adam = options.optimizer;
  std::vector<double> delta(count);
  std::vector<std::vector<double>> gradients, changes;  ///< of each step, and their bounds
  constexpr double caution = 2;
  for (Index step = 1; step <= std::min(options.steps, most_steps); ++step) {
    const detail::BatchGradient batch = detail::batch_gradient(options, state);
    const double loss = batch.all_losses / batch.all_tokens, distance = detail::norm_of(delta);
    const std::vector<double> rows = detail::hessian_row_norms(options, state, batch.all_tokens, 4);
    double evaluation = 0, first_order = 0, second_order = 0;
    if (distance > 0) {  // how well a loss is computed in float32 shows against double
      const std::vector<double> wide(state.weights.begin(), state.weights.end());
      for (Index s = 0; s < options.global_batch; ++s)
        evaluation +=
            std::fabs(batch.losses[static_cast<std::size_t>(s)] -
                      detail::sample_loss<double>(
                          options.model, wide.data(),
                          text_sample(options.model, options.seed, state.next_sample + static_cast<std::uint64_t>(s)),
                          state.random_state, nullptr));
      evaluation *= 4 / batch.all_tokens;
    }
    for (std::size_t i = 0; i < count; ++i) {
      first_order += std::fabs(batch.sum[i] / batch.all_tokens) * delta[i];
      second_order += caution / 2 * rows[i] * delta[i] * distance;
    }
    bound.loss.push_back(first_order + second_order + evaluation + 1e-12 * loss);
    if (!(bound.loss.back() <= useful * loss)) break;
    bound.useful_steps = step;

    const double t = static_cast<double>(step), first_share = adam.bias_correction ? 1 - std::pow(adam.beta1, t) : 1,
                 second_share = adam.bias_correction ? 1 - std::pow(adam.beta2, t) : 1;
    std::vector<double> first_parts, second_parts;
    double largest = 0;
    for (Index k = 1; k <= step; ++k) {
      const double age = t - static_cast<double>(k);
      first_parts.push_back((1 - adam.beta1) * std::pow(adam.beta1, age) / first_share);
      second_parts.push_back((1 - adam.beta2) * std::pow(adam.beta2, age) / second_share);
      largest += first_parts.back() * first_parts.back() / second_parts.back();
    }
    largest = std::sqrt(largest);
    std::vector<float> gradient(count);
    gradients.emplace_back(count);
    changes.emplace_back(count);
    for (std::size_t i = 0; i < count; ++i) {
      gradients.back()[i] = batch.sum[i] / batch.all_tokens;
      gradient[i] = static_cast<float>(gradients.back()[i]);
      changes.back()[i] = 2 * batch.allowed(i, ranks, narrow) + caution * rows[i] * distance;
    }
    adamw_step(adam, step, gradient, state.weights, state.first, state.second);
    for (std::size_t i = 0; i < count; ++i) {
      const double root = std::sqrt(static_cast<double>(state.second[i]) / second_share),
                   direction = static_cast<double>(state.first[i]) / first_share / (root + adam.epsilon);
      if (batch.magnitude[i] == 0 && root == 0) continue;  // never had a gradient
      double update = 0, squares = 0;
      for (std::size_t k = 0; k < gradients.size(); ++k) {
        const double slope = root > 0 ? second_parts[k] * gradients[k][i] / root : 0;
        update += 2 * std::fabs(first_parts[k] - direction * slope) * changes[k][i] / (root + adam.epsilon);
        squares += second_parts[k] * changes[k][i] * changes[k][i];
      }
      if (!(std::sqrt(squares) <= root / 2)) update = 2 * largest;
      delta[i] =
          (1 - adam.learning_rate * adam.weight_decay) * delta[i] + adam.learning_rate * std::min(2 * largest, update);
      delta[i] += 2 * detail::float32_unit *
                  (4 * std::fabs(static_cast<double>(state.weights[i])) + 16 * adam.learning_rate * largest);
    }
    advance(state, options);
  }
  bound.derivation = {
      "|difference of losses| ≤ Σ|g|·δ + Σh·δ·‖δ‖, δ by first-order error growth through AdamW "
      "(training/drift_bound.hpp): an estimate, "
      "not a proof",
      "useful steps = " + std::to_string(bound.useful_steps) + "; beyond them the bound exceeds " +
          number_text(100 * useful) + " % of the loss"};
  return bound;
}

}  // namespace assay::inline v0
