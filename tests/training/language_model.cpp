#include "assay/training/language_model.hpp"

#include <cmath>
#include <set>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/misuse.hpp"
#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/cross_entropy/cross_entropy.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/training/detail/language_model_pass.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

LanguageModel small_model() {
  LanguageModel model;
  model.vocabulary = 11;
  model.width = 6;
  model.heads = 2;
  model.context = 7;
  model.hidden = 10;
  return model;
}

std::vector<double> in_double(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("the gradient of every parameter is the central difference of the loss") {
  const LanguageModel model = small_model();
  std::vector<double> weights = in_double(initial_weights(model, 3));
  std::vector<double> gradient(weights.size()), none;
  std::vector<TextSample> samples;
  for (std::uint64_t number = 0; number < 3; ++number) samples.push_back(text_sample(model, 5, number));
  const auto loss = [&] {
    double sum = 0;
    for (const TextSample& sample : samples)
      sum += detail::sample_loss<double>(model, weights.data(), sample, 77, nullptr);
    return sum;
  };
  double with_gradient = 0;
  for (const TextSample& sample : samples)
    with_gradient += detail::sample_loss(model, weights.data(), sample, 77, gradient.data());
  CHECK(with_gradient == loss());
  const double step = 1e-5;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double kept = weights[i];
    weights[i] = kept + step;
    const double above = loss();
    weights[i] = kept - step;
    const double below = loss();
    weights[i] = kept;
    INFO(parameter_name(model, static_cast<Index>(i)));
    REQUIRE(std::fabs((above - below) / (2 * step) - gradient[i]) <= 1e-7 * (1 + std::fabs(gradient[i])));
  }
}

TEST_CASE("in single precision the gradient is that of double precision") {
  const LanguageModel model = small_model();
  const std::vector<float> weights = initial_weights(model, 3);
  const std::vector<double> wide = in_double(weights);
  std::vector<float> gradient(weights.size());
  std::vector<double> expected(weights.size());
  const TextSample sample = text_sample(model, 5, 2);
  const float loss = detail::sample_loss(model, weights.data(), sample, 9, gradient.data());
  CHECK(static_cast<double>(loss) ==
        testing::Approx(detail::sample_loss(model, wide.data(), sample, 9, expected.data())).epsilon(1e-5));
  for (std::size_t i = 0; i < weights.size(); ++i)
    REQUIRE(std::fabs(static_cast<double>(gradient[i]) - expected[i]) <= 3e-6 * (1 + std::fabs(expected[i])));
}

TEST_CASE("parameters lie one behind the other, each has a name, and all are set") {
  const LanguageModel model = small_model();
  const LanguageModelLayout layout(model);
  CHECK(layout.count == 11 * 6 + 7 * 6 + 2 * (6 + 3 * 36 + 36 + 6 + 60 + 10 + 60 + 6) + 6 + 66);
  std::set<std::string> names;
  for (Index i = 0; i < layout.count; ++i) names.insert(parameter_name(model, i));
  CHECK(names.size() == static_cast<std::size_t>(layout.count));
  CHECK(parameter_name(model, 0) == "token_embedding[0]");
  CHECK(parameter_name(model, layout.block_at(1) + layout.block.up_bias + 2) == "block 1, up_bias[2]");
  CHECK(parameter_name(model, layout.count - 1) == "logits[65]");
  CHECK(initial_weights(model, 1) == initial_weights(model, 1));
  CHECK(initial_weights(model, 1) != initial_weights(model, 2));
}

TEST_CASE("samples depend on seed and number alone, have unequal lengths, and tokens of the vocabulary") {
  const LanguageModel model = small_model();
  std::set<Index> lengths;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const TextSample sample = text_sample(model, 4, number);
    lengths.insert(sample.predictions());
    for (const Index token : sample.tokens) REQUIRE((token >= 0 && token < model.vocabulary));
    REQUIRE(sample.tokens == text_sample(model, 4, number).tokens);
  }
  CHECK(lengths == std::set<Index>{4, 5, 6, 7});
  CHECK(text_sample(model, 4, 1).tokens != text_sample(model, 5, 1).tokens);
}

TEST_CASE("dropout leaves out what its key says, and the share that is asked for") {
  LanguageModel model = small_model();
  const std::vector<double> weights = in_double(initial_weights(model, 3));
  const TextSample sample = text_sample(model, 5, 2);
  const auto loss = [&](std::uint64_t key) {
    return detail::sample_loss<double>(model, weights.data(), sample, key, nullptr);
  };
  CHECK(loss(1) == loss(1));
  CHECK(loss(1) != loss(2));
  model.dropout = 0.25;
  detail::TransformerBlock<double> block;
  Index dropped = 0, all = 0;
  for (std::uint64_t number = 0; number < 400; ++number) {
    std::vector<double> x(static_cast<std::size_t>(model.context * model.width), 0.5);
    block.forward(model, weights.data() + LanguageModelLayout(model).block_at(0), x, 8, number, 0);
    for (const double kept : block.kept) {
      REQUIRE((kept == 0 || kept == 1 / 0.75));
      dropped += kept == 0 ? 1 : 0;
      ++all;
    }
  }
  CHECK(static_cast<double>(dropped) / static_cast<double>(all) == testing::Approx(0.25).margin(0.015));
  model.dropout = 0;
  CHECK(loss(1) == loss(2));
}

TEST_CASE("models that cannot be are refused") {
  LanguageModel model = small_model();
  model.heads = 4;
  CHECK_THROWS_WITH(initial_weights(model, 1), "LanguageModel: 4 heads do not divide the width 6");
  model = small_model();
  model.vocabulary = 1;
  CHECK_THROWS_AS(initial_weights(model, 1), Misuse);
  model = small_model();
  model.dropout = 1;
  CHECK_THROWS_AS(initial_weights(model, 1), Misuse);
}

TEST_CASE("norm, attention and loss lie within the bounds of the reference kernels") {
  const LanguageModel model = small_model();
  const Index tokens = 7, d = model.width, head_width = d / model.heads, v = model.vocabulary;
  Host host{1};
  auto stream = host.make_stream().value();
  const auto random = [](std::uint64_t which, Index count) {
    std::vector<float> values;
    for (Index i = 0; i < count; ++i)
      values.push_back(static_cast<float>(standard_normal(random_bits(12, static_cast<std::uint64_t>(i), which))));
    return values;
  };
  const auto require_within = [](float computed, const ExpectedElement& expected) {
    REQUIRE(expected.error < 1e-4);
    REQUIRE(std::fabs(static_cast<double>(computed) - expected.value) <=
            expected.error + 0x1p-24 * std::fabs(expected.value));
  };

  std::vector<float> x = random(1, tokens * d), gain = random(2, d), normed;
  detail::RootMeanSquareNorm<float>().forward(x, gain.data(), normed, d);
  NormalizationProblem norm;
  norm.kind = NormalizationKind::rms;
  norm.outer = tokens;
  norm.channels = d;
  norm.beta = false;
  OperandArray operands;
  operands[Normalization::input] = contiguous_operand(x.data(), {tokens, d});
  operands[Normalization::gamma] = contiguous_operand(gain.data(), {d});
  operands[Normalization::output] = contiguous_operand(normed.data(), {tokens, d});
  const auto normalized =
      Normalization::reference(host, stream, norm, operands, RoundingModel::worst_case, Arithmetic{});
  REQUIRE(normalized);
  for (Index i = 0; i < tokens * d; ++i)
    require_within(normed[static_cast<std::size_t>(i)], normalized.value().expected(i / d, i % d));

  std::vector<float> qkv = random(3, 3 * tokens * d), mixed, parts[3];
  detail::CausalAttention<float>().forward(model, qkv, mixed, tokens);
  for (Index part = 0; part < 3; ++part)
    for (Index head = 0; head < model.heads; ++head)
      for (Index i = 0; i < tokens; ++i)
        for (Index e = 0; e < head_width; ++e)
          parts[part].push_back(qkv[static_cast<std::size_t>((3 * i + part) * d + head * head_width + e)]);
  AttentionProblem attention;
  attention.heads = attention.key_heads = model.heads;
  attention.queries = attention.keys = tokens;
  attention.depth = attention.value_depth = head_width;
  attention.causal = true;
  std::vector<float> output(mixed.size()), sums(static_cast<std::size_t>(model.heads * tokens));
  OperandArray arguments;
  for (int part = 0; part < 3; ++part)
    arguments[part] = contiguous_operand(parts[part].data(), {1, model.heads, tokens, head_width});
  arguments[AttentionOperand::output] = contiguous_operand(output.data(), {1, model.heads, tokens, head_width});
  arguments[AttentionOperand::log_sum_exp] = contiguous_operand(sums.data(), {1, model.heads, tokens});
  const auto attended =
      Attention::reference(host, stream, attention, arguments, RoundingModel::worst_case, Arithmetic{});
  REQUIRE(attended);
  for (Index head = 0; head < model.heads; ++head)
    for (Index i = 0; i < tokens; ++i)
      for (Index e = 0; e < head_width; ++e)
        require_within(mixed[static_cast<std::size_t>(i * d + head * head_width + e)],
                       attended.value().expected(head * tokens + i, e));

  const std::vector<float> weights = initial_weights(model, 3);
  const LanguageModelLayout layout(model);
  const TextSample sample = text_sample(model, 5, 2);
  const Index rows = sample.predictions();
  std::vector<float> last = random(4, rows * d), none = last;
  const float loss = detail::predict<float>(model, weights.data(), sample, none, nullptr);
  std::vector<float> last_normed, logits(static_cast<std::size_t>(rows * v));
  detail::RootMeanSquareNorm<float>().forward(last, weights.data() + layout.last_gain, last_normed, d);
  detail::multiply<float>(last_normed.data(), weights.data() + layout.logits, nullptr, logits.data(), rows, d, v);
  std::vector<std::int32_t> labels(sample.tokens.begin() + 1, sample.tokens.end());
  CrossEntropyProblem entropy;
  entropy.rows = rows;
  entropy.classes = v;
  OperandArray of_loss;
  of_loss[CrossEntropy::logits] = contiguous_operand(logits.data(), {rows, v});
  of_loss[CrossEntropy::labels] = contiguous_operand(labels.data(), {rows});
  const auto expected =
      CrossEntropy::reference(host, stream, entropy, of_loss, RoundingModel::worst_case, Arithmetic{});
  REQUIRE(expected);
  ExpectedElement sum{0, 0};
  for (Index row = 0; row < rows; ++row) {
    const ExpectedElement element = expected.value().expected(0, row);
    sum.value += element.value;
    sum.error += element.error + static_cast<double>(rows) * 0x1p-24 * std::fabs(element.value);
  }
  require_within(loss, sum);
}
