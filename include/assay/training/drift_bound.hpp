#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/report/text.hpp"
#include "assay/training/detail/batch_gradient.hpp"

namespace assay {

/// How far the losses of two right trainers may drift apart that differ in the order of their sums alone.
struct DriftBound {
  std::vector<double> loss;  ///< of step 1, 2, …: largest |difference| of losses
  Index useful_steps = 0;    ///< so many first ones say something: the bound is below `useful` of the loss
  std::vector<std::string> derivation;
};

namespace detail {

/// Root-mean-square of (H·z)_i over random signs z: √Σ_j H_ij², the norm of row i of the Hessian of the mean loss.
[[nodiscard]] inline std::vector<double> hessian_row_norms(const TrainingOptions& options, const TrainingState& state, double tokens, int probes) {
  const std::size_t count = state.weights.size();
  std::vector<double> squares(count), weights(count), above(count), below(count);
  const double step = 1e-4;
  for (int probe = 0; probe < probes; ++probe) {
    const auto gradient = [&](double direction, std::vector<double>& result) {
      std::fill(result.begin(), result.end(), 0.0);
      for (std::size_t i = 0; i < count; ++i) weights[i] = static_cast<double>(state.weights[i]) + (random_bits(static_cast<std::uint64_t>(probe), i, 99).words[0] % 2 == 0 ? direction : -direction) * step;
      for (Index s = 0; s < options.global_batch; ++s)
        static_cast<void>(sample_loss<double>(options.model, weights.data(), text_sample(options.model, options.seed, state.next_sample + static_cast<std::uint64_t>(s)), state.random_state, result.data()));
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

[[nodiscard]] inline double norm_of(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

}  // namespace detail

/// Follows training on one process, and beside it for each weight how far another right trainer may be from it. With δ the largest differences of
/// weights, μ and ν of moments, before step t:
///
///   |Δg_i| ≤ 2E_i + c·h_i·‖δ‖₂                      E: bound of the summed gradient; h_i = ‖row i of the Hessian‖₂, by four probes, c = 2 for their error
///   μ_i ← β1·μ_i + (1 − β1)·|Δg_i|                   ν_i ← β2·ν_i + (1 − β2)·(2|g_i| + |Δg_i|)·|Δg_i|
///   |Δu_i| ≤ min(2C_t, (μ̂_i + |m̂_i|·Δr/(√v̂_i + ε))/(√v̂_i − Δr + ε)), Δr = min(√ν̂_i, ν̂_i/√v̂_i, √v̂_i)
///   δ_i ← (1 − rate·decay)·δ_i + rate·|Δu_i| + 2u·(4|w_i| + 16·rate·C_t)
///   |Δloss| ≤ ‖g‖₂·‖δ‖₂ + ½·c·‖h‖₂·‖δ‖₂² + evaluation
///
/// C_t = √Σ_k a_k²/b_k bounds |m̂|/√v̂ (Cauchy and Schwarz, a_k and b_k the weights of gradient k in m̂ and v̂). The third line is where it ends: as soon as
/// |Δg_i| is as large as |g_i|, Adam's step has any sign, the bound of that weight is 2·rate·C_t, and ‖δ‖ grows by a factor of rate·h·√weights/√v̂ a step, some hundreds. Both
/// the Hessian (at the first trainer's weights) and its probes make this an estimate of first order, not a proof. It is good for two to five steps; beyond them use an equivalence test.
/// `narrow`: one of the trainers sums in bfloat16. O(steps · samples · 10 samples' costs). Stops where the bound exceeds `useful` · loss.
[[nodiscard]] inline DriftBound drift_bound(const TrainingOptions& options, int ranks, bool narrow = false, double useful = 0.01, Index most_steps = 12) {
  expect_valid(options);
  expect(ranks >= 1, [] { return "drift_bound() needs a rank at least"; });
  DriftBound bound;
  TrainingState state = initial_state([&] { TrainingOptions whole = options; whole.sharding = StateSharding::none; return whole; }(), 0, 1);
  const std::size_t count = state.weights.size();
  const AdamW& adam = options.optimizer;
  std::vector<double> delta(count), mu(count), nu(count);
  constexpr double caution = 2;
  for (Index step = 1; step <= std::min(options.steps, most_steps); ++step) {
    const detail::BatchGradient batch = detail::batch_gradient(options, state);
    const double loss = batch.all_losses / batch.all_tokens, distance = detail::norm_of(delta);
    const std::vector<double> rows = detail::hessian_row_norms(options, state, batch.all_tokens, 4);
    double gradient_norm = 0, evaluation = 0;
    for (const double sum : batch.sum) gradient_norm += (sum / batch.all_tokens) * (sum / batch.all_tokens);
    if (distance > 0) {  // how well a loss is computed in float32 shows against double
      const std::vector<double> wide(state.weights.begin(), state.weights.end());
      for (Index s = 0; s < options.global_batch; ++s)
        evaluation += std::fabs(batch.losses[static_cast<std::size_t>(s)] - detail::sample_loss<double>(options.model, wide.data(), text_sample(options.model, options.seed, state.next_sample + static_cast<std::uint64_t>(s)), state.random_state, nullptr));
      evaluation *= 4 / batch.all_tokens;
    }
    bound.loss.push_back(std::sqrt(gradient_norm) * distance + caution / 2 * detail::norm_of(rows) * distance * distance + evaluation + 1e-12 * loss);
    if (!(bound.loss.back() <= useful * loss)) break;
    bound.useful_steps = step;

    const double t = static_cast<double>(step), first_share = adam.bias_correction ? 1 - std::pow(adam.beta1, t) : 1, second_share = adam.bias_correction ? 1 - std::pow(adam.beta2, t) : 1;
    double largest = 0;
    for (Index k = 1; k <= step; ++k) {
      const double age = t - static_cast<double>(k), a = (1 - adam.beta1) * std::pow(adam.beta1, age) / first_share, b = (1 - adam.beta2) * std::pow(adam.beta2, age) / second_share;
      largest += a * a / b;
    }
    largest = std::sqrt(largest);
    std::vector<float> gradient(count);
    for (std::size_t i = 0; i < count; ++i) gradient[i] = static_cast<float>(batch.sum[i] / batch.all_tokens);
    adamw_step(adam, step, gradient, state.weights, state.first, state.second);
    for (std::size_t i = 0; i < count; ++i) {
      const double g = static_cast<double>(gradient[i]), change = 2 * batch.allowed(i, ranks, narrow) + caution * rows[i] * distance;
      mu[i] = adam.beta1 * mu[i] + (1 - adam.beta1) * change;
      nu[i] = adam.beta2 * nu[i] + (1 - adam.beta2) * (2 * std::fabs(g) + change) * change;
      const double m = std::fabs(static_cast<double>(state.first[i])) / first_share, root = std::sqrt(static_cast<double>(state.second[i]) / second_share), variance = nu[i] / second_share;
      const double root_change = std::min({std::sqrt(variance), root > 0 ? variance / root : root, root});
      const double update = (mu[i] / first_share + m * root_change / (root + adam.epsilon)) / (root - root_change + adam.epsilon);
      delta[i] = (1 - adam.learning_rate * adam.weight_decay) * delta[i] + adam.learning_rate * std::min(2 * largest, update);
      if (change > 0) delta[i] += 2 * detail::float32_unit * (4 * std::fabs(static_cast<double>(state.weights[i])) + 16 * adam.learning_rate * largest);
    }
    advance(state, options);
  }
  bound.derivation = {"|difference of losses| ≤ ‖g‖·‖δ‖ + ‖H‖·‖δ‖², δ by first-order error growth through AdamW (training/drift_bound.hpp): an estimate, not a proof",
                      "useful steps = " + std::to_string(bound.useful_steps) + "; beyond them the bound exceeds " + number_text(100 * useful) + " % of the loss"};
  return bound;
}

}  // namespace assay
