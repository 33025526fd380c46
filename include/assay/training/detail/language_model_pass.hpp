#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/training/detail/matrix_products.hpp"
#include "assay/training/language_model.hpp"

/// Forward and backward passes of the language model over one sample, part by part, so that stages of a pipeline run
/// the same code. Arrays are tokens × width, row-major. Gradients are added to what is there.
namespace assay::inline v0::detail {

/// y = gain ∘ x/√(mean x² + 10⁻⁵), row by row.
template <class Real>
struct RootMeanSquareNorm {
  std::vector<Real> input, inverse;

  void forward(const std::vector<Real>& x, const Real* gain, std::vector<Real>& y, Index width) {
    input = x;
    inverse.resize(x.size() / static_cast<std::size_t>(width));
    y.resize(x.size());
    for (std::size_t row = 0; row < inverse.size(); ++row) {
      const Real* from = &x[row * static_cast<std::size_t>(width)];
      Real* to = &y[row * static_cast<std::size_t>(width)];
      Real squares = 0;
      for (Index i = 0; i < width; ++i) squares += from[i] * from[i];
      inverse[row] = 1 / std::sqrt(squares / static_cast<Real>(width) + Real(1e-5));
      for (Index i = 0; i < width; ++i) to[i] = gain[i] * (from[i] * inverse[row]);
    }
  }
  /// Adds to dgain and dx.
  void backward(const std::vector<Real>& dy, const Real* gain, Real* dgain, std::vector<Real>& dx, Index width) const {
    for (std::size_t row = 0; row < inverse.size(); ++row) {
      const Real *x = &input[row * static_cast<std::size_t>(width)], *from = &dy[row * static_cast<std::size_t>(width)],
                 s = inverse[row];
      Real* to = &dx[row * static_cast<std::size_t>(width)];
      Real dot = 0;
      for (Index i = 0; i < width; ++i) dot += gain[i] * from[i] * x[i];
      const Real share = s * s * s * dot / static_cast<Real>(width);
      for (Index i = 0; i < width; ++i) {
        dgain[i] += from[i] * (x[i] * s);
        to[i] += s * (gain[i] * from[i]) - share * x[i];
      }
    }
  }
};

/// softmax(q·kᵀ/√(width of a head)) over earlier tokens, times v; `qkv` holds q, k and v of a token in a row.
template <class Real>
struct CausalAttention {
  std::vector<Real> weights;  ///< heads × tokens × tokens

  void forward(const LanguageModel& model, const std::vector<Real>& qkv, std::vector<Real>& mixed, Index tokens) {
    const Index d = model.width, head_width = d / model.heads;
    const Real scale = 1 / std::sqrt(static_cast<Real>(head_width));
    weights.assign(static_cast<std::size_t>(model.heads * tokens * tokens), 0);
    mixed.assign(static_cast<std::size_t>(tokens * d), 0);
    for (Index head = 0; head < model.heads; ++head)
      for (Index i = 0; i < tokens; ++i) {
        Real* row = &weights[static_cast<std::size_t>((head * tokens + i) * tokens)];
        const Real* q = &qkv[static_cast<std::size_t>(3 * i * d + head * head_width)];
        for (Index j = 0; j <= i; ++j) {
          const Real* k = &qkv[static_cast<std::size_t>((3 * j + 1) * d + head * head_width)];
          for (Index e = 0; e < head_width; ++e) row[j] += q[e] * k[e];
          row[j] *= scale;
        }
        const Real largest = *std::max_element(row, row + i + 1);
        Real sum = 0;
        for (Index j = 0; j <= i; ++j) sum += row[j] = std::exp(row[j] - largest);
        Real* to = &mixed[static_cast<std::size_t>(i * d + head * head_width)];
        for (Index j = 0; j <= i; ++j) {
          row[j] /= sum;
          const Real* v = &qkv[static_cast<std::size_t>((3 * j + 2) * d + head * head_width)];
          for (Index e = 0; e < head_width; ++e) to[e] += row[j] * v[e];
        }
      }
  }
  void backward(const LanguageModel& model, const std::vector<Real>& qkv, const std::vector<Real>& dmixed,
                std::vector<Real>& dqkv, Index tokens) const {
    const Index d = model.width, head_width = d / model.heads;
    const Real scale = 1 / std::sqrt(static_cast<Real>(head_width));
    dqkv.assign(qkv.size(), 0);
    std::vector<Real> dweights(static_cast<std::size_t>(tokens));
    for (Index head = 0; head < model.heads; ++head)
      for (Index i = 0; i < tokens; ++i) {
        const Real* row = &weights[static_cast<std::size_t>((head * tokens + i) * tokens)];
        const Real* from = &dmixed[static_cast<std::size_t>(i * d + head * head_width)];
        Real dot = 0;
        for (Index j = 0; j <= i; ++j) {
          const auto v = static_cast<std::size_t>((3 * j + 2) * d + head * head_width);
          Real sum = 0;
          for (Index e = 0; e < head_width; ++e) {
            sum += from[e] * qkv[v + static_cast<std::size_t>(e)];
            dqkv[v + static_cast<std::size_t>(e)] += row[j] * from[e];
          }
          dweights[static_cast<std::size_t>(j)] = sum;
          dot += sum * row[j];
        }
        const auto q = static_cast<std::size_t>(3 * i * d + head * head_width);
        for (Index j = 0; j <= i; ++j) {
          const Real score = row[j] * (dweights[static_cast<std::size_t>(j)] - dot) * scale;
          const auto k = static_cast<std::size_t>((3 * j + 1) * d + head * head_width);
          for (std::size_t e = 0; e < static_cast<std::size_t>(head_width); ++e) {
            dqkv[q + e] += score * qkv[k + e];
            dqkv[k + e] += score * qkv[q + e];
          }
        }
      }
  }
};

/// One block: x ← x + attention(norm(x)), then x ← x + dropout(perceptron(norm(x))).
template <class Real>
struct TransformerBlock {
  RootMeanSquareNorm<Real> first_norm, second_norm;
  CausalAttention<Real> attention;
  std::vector<Real> first, qkv, mixed, second, raised, active, kept;

  /// `w` points at the block's parameters; `mask_key` and `layer` fix what is dropped of sample `number`.
  void forward(const LanguageModel& model, const Real* w, std::vector<Real>& x, std::uint64_t mask_key,
               std::uint64_t number, Index layer) {
    const LanguageModelLayout::Block at = LanguageModelLayout(model).block;
    const Index d = model.width, h = model.hidden, tokens = static_cast<Index>(x.size()) / d;
    first_norm.forward(x, w + at.attention_gain, first, d);
    qkv.resize(static_cast<std::size_t>(3 * tokens * d));
    multiply<Real>(first.data(), w + at.queries_keys_values, nullptr, qkv.data(), tokens, d, 3 * d);
    attention.forward(model, qkv, mixed, tokens);
    std::vector<Real> branch(x.size());
    multiply<Real>(mixed.data(), w + at.projection, nullptr, branch.data(), tokens, d, d);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += branch[i];
    second_norm.forward(x, w + at.perceptron_gain, second, d);
    raised.resize(static_cast<std::size_t>(tokens * h));
    multiply(second.data(), w + at.up, w + at.up_bias, raised.data(), tokens, d, h);
    active.resize(raised.size());
    for (std::size_t i = 0; i < raised.size(); ++i) active[i] = raised[i] / (1 + std::exp(-raised[i]));
    multiply(active.data(), w + at.down, w + at.down_bias, branch.data(), tokens, h, d);
    kept.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool dropped =
          model.dropout > 0 &&
          uniform_positive(random_bits(mask_key, number << 8 | static_cast<std::uint64_t>(layer), i)) <= model.dropout;
      kept[i] = dropped ? Real(0) : static_cast<Real>(1 / (1 - model.dropout));
      x[i] += kept[i] * branch[i];
    }
  }
  /// `dx` is the gradient behind the block, and becomes that before it.
  void backward(const LanguageModel& model, const Real* w, Real* dw, std::vector<Real>& dx) const {
    const LanguageModelLayout::Block at = LanguageModelLayout(model).block;
    const Index d = model.width, h = model.hidden, tokens = static_cast<Index>(dx.size()) / d;
    std::vector<Real> dbranch(dx.size()), dactive(active.size()), dnormed(dx.size()), dqkv;
    for (std::size_t i = 0; i < dx.size(); ++i) dbranch[i] = kept[i] * dx[i];
    multiply_backward(active.data(), w + at.down, dbranch.data(), dw + at.down, dw + at.down_bias, dactive.data(),
                      tokens, h, d);
    for (std::size_t i = 0; i < active.size(); ++i) {
      const Real sigmoid = 1 / (1 + std::exp(-raised[i]));
      dactive[i] *= sigmoid * (1 + raised[i] * (1 - sigmoid));
    }
    multiply_backward(second.data(), w + at.up, dactive.data(), dw + at.up, dw + at.up_bias, dnormed.data(), tokens, d,
                      h);
    second_norm.backward(dnormed, w + at.perceptron_gain, dw + at.perceptron_gain, dx, d);
    multiply_backward<Real>(mixed.data(), w + at.projection, dx.data(), dw + at.projection, nullptr, dbranch.data(),
                            tokens, d, d);
    attention.backward(model, qkv, dbranch, dqkv, tokens);
    multiply_backward<Real>(first.data(), w + at.queries_keys_values, dqkv.data(), dw + at.queries_keys_values, nullptr,
                            dnormed.data(), tokens, d, 3 * d);
    first_norm.backward(dnormed, w + at.attention_gain, dw + at.attention_gain, dx, d);
  }
};

template <class Real>
[[nodiscard]] std::vector<Real> embed(const LanguageModel& model, const Real* weights, const TextSample& sample) {
  const LanguageModelLayout layout(model);
  const auto d = static_cast<std::size_t>(model.width), tokens = static_cast<std::size_t>(sample.predictions());
  std::vector<Real> x(tokens * d);
  for (std::size_t i = 0; i < tokens; ++i)
    for (std::size_t e = 0; e < d; ++e)
      x[i * d + e] = weights[static_cast<std::size_t>(layout.token_embedding + sample.tokens[i] * model.width) + e] +
                     weights[static_cast<std::size_t>(layout.place_embedding) + i * d + e];
  return x;
}

template <class Real>
void embed_backward(const LanguageModel& model, const TextSample& sample, const std::vector<Real>& dx, Real* dweights) {
  const LanguageModelLayout layout(model);
  const auto d = static_cast<std::size_t>(model.width);
  for (std::size_t i = 0; i < dx.size() / d; ++i)
    for (std::size_t e = 0; e < d; ++e) {
      dweights[static_cast<std::size_t>(layout.token_embedding + sample.tokens[i] * model.width) + e] += dx[i * d + e];
      dweights[static_cast<std::size_t>(layout.place_embedding) + i * d + e] += dx[i * d + e];
    }
}

/// The last norm, logits and losses, added up; and, where `dweights` is given, their gradients: `x` becomes its own.
template <class Real>
[[nodiscard]] Real predict(const LanguageModel& model, const Real* weights, const TextSample& sample,
                           std::vector<Real>& x, Real* dweights) {
  const LanguageModelLayout layout(model);
  const Index tokens = sample.predictions(), v = model.vocabulary;
  RootMeanSquareNorm<Real> norm;
  std::vector<Real> normed, logits(static_cast<std::size_t>(tokens * v)), dnormed(x.size());
  norm.forward(x, weights + layout.last_gain, normed, model.width);
  multiply<Real>(normed.data(), weights + layout.logits, nullptr, logits.data(), tokens, model.width, v);
  Real loss = 0;
  for (Index i = 0; i < tokens; ++i) {
    Real* row = &logits[static_cast<std::size_t>(i * v)];
    const auto target = static_cast<std::size_t>(sample.tokens[static_cast<std::size_t>(i) + 1]);
    const Real largest = *std::max_element(row, row + v), wanted = row[target];
    Real sum = 0;
    for (Index j = 0; j < v; ++j) sum += row[j] = std::exp(row[j] - largest);
    loss += std::log(sum) + (largest - wanted);
    for (Index j = 0; j < v; ++j) row[j] /= sum;
    row[target] -= 1;
  }
  if (dweights == nullptr) return loss;
  multiply_backward<Real>(normed.data(), weights + layout.logits, logits.data(), dweights + layout.logits, nullptr,
                          dnormed.data(), tokens, model.width, v);
  std::fill(x.begin(), x.end(), Real(0));
  norm.backward(dnormed, weights + layout.last_gain, dweights + layout.last_gain, x, model.width);
  return loss;
}

/// The loss of a sample, added up over its predictions; its gradient is added to `gradient` where that is given.
template <class Real>
[[nodiscard]] Real sample_loss(const LanguageModel& model, const Real* weights, const TextSample& sample,
                               std::uint64_t mask_key, Real* gradient) {
  const LanguageModelLayout layout(model);
  std::vector<TransformerBlock<Real>> blocks(static_cast<std::size_t>(model.layers));
  std::vector<Real> x = embed(model, weights, sample);
  for (Index layer = 0; layer < model.layers; ++layer)
    blocks[static_cast<std::size_t>(layer)].forward(model, weights + layout.block_at(layer), x, mask_key, sample.number,
                                                    layer);
  const Real loss = predict(model, weights, sample, x, gradient);
  if (gradient == nullptr) return loss;
  for (Index layer = model.layers; layer-- > 0;)
    blocks[static_cast<std::size_t>(layer)].backward(model, weights + layout.block_at(layer),
                                                     gradient + layout.block_at(layer), x);
  embed_backward(model, sample, x, gradient);
  return loss;
}

}  // namespace assay::inline v0::detail
