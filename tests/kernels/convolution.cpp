#include "assay/kernels/convolution/convolution.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "assay/faults/convolution_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;
using Operands = ConvolutionOperands;

namespace {

ConvolutionProblem problem_of(Index batch, Index from, Index to, std::initializer_list<ConvolutionAxis> axes,
                              Index groups = 1) {
  ConvolutionProblem problem;
  problem.batch = batch;
  problem.input_channels = from;
  problem.output_channels = to;
  problem.groups = groups;
  problem.dimensions = 0;
  for (const ConvolutionAxis& axis : axes) problem.axes[problem.dimensions++] = axis;
  return problem;
}

/// The operands of a problem in host memory, and what its reference says of them.
struct Launch {
  Host host{1};
  Host::Stream stream = host.make_stream().value();
  ConvolutionProblem problem;
  detail::OperationMemory<Host> memory;
  OperandArray operands;

  Launch(const ConvolutionProblem& given, FillKind kind, std::uint64_t seed = 3)
      : problem(given),
        memory(detail::OperationMemory<Host>::create(host, stream, Convolution::operands(given).value(),
                                                     Convolution::data(given, kind, Arithmetic{}, seed), {3, 1})
                   .value()),
        operands(memory.operands()) {}

  [[nodiscard]] std::vector<ExpectedElement> expected(RoundingModel model = RoundingModel::statistical) {
    auto reference = Convolution::reference(host, stream, problem, operands, model, Arithmetic{});
    REQUIRE(reference);
    std::vector<ExpectedElement> all;
    for (int output = 0; output < (problem.bias && problem.pass == ConvolutionPass::backward_weights ? 2 : 1);
         ++output) {
      ConvolutionExpected expected = reference.value().expected;
      expected.output = output;
      const Operand& operand = operands[output == 0 ? Operands::result(problem) : static_cast<int>(Operands::bias)];
      const Index columns = operand.extents[operand.rank - 1];
      for (Index e = 0; e < operand.size(); ++e) all.push_back(expected(e / columns, e % columns));
    }
    return all;
  }
};

ConvolutionProblem in_format(ConvolutionProblem problem, const ElementFormat& format) {
  problem.input = problem.weights = problem.output = format;
  return problem;
}

}  // namespace

TEST_CASE("right convolutions are not accused") {
  testing::require_correct_kernels_pass<Convolution>(0.35, 80);
}

TEST_CASE("every fault of a convolution is caught by its default suite") {
  testing::require_faults_are_caught<Convolution>();
}

TEST_CASE("the reference of a convolution is the definition") {
  auto problem = problem_of(2, 4, 6, {{7, 3, 2, 1, 2, 1, 0}, {8, 2, 1, 3, 0, 1, 0}}, 2);
  problem.bias = true;
  Launch launch(problem, FillKind::normal);
  const auto expected = launch.expected();
  const Operand &x = launch.operands[Operands::input], &w = launch.operands[Operands::weights],
                &b = launch.operands[Operands::bias];
  std::size_t element = 0;
  for (Index n = 0; n < 2; ++n)
    for (Index o = 0; o < 6; ++o)
      for (Index i = 0; i < problem.axes[0].output(false); ++i)
        for (Index j = 0; j < problem.axes[1].output(false); ++j) {
          double sum = b.at(o), magnitude = std::fabs(b.at(o));
          for (Index c = 0; c < 2; ++c)
            for (Index k = 0; k < 3; ++k)
              for (Index l = 0; l < 2; ++l) {
                const Index row = 2 * i + k - 2, column = j + 3 * l;
                if (row < 0 || row >= 7 || column >= 8) continue;
                const double term = x.at(n, o / 3 * 2 + c, row, column) * w.at(o, c, k, l);
                sum += term;
                magnitude += std::fabs(term);
              }
          const ExpectedElement& found = expected[element++];
          CHECK(found.value == Approx(sum).margin(1e-14));
          CHECK(found.error > 0.5 * 0x1p-24 * magnitude);
          CHECK(found.error < 13.01 * 0x1p-24 * magnitude);
        }
  CHECK(element == expected.size());
}

// Operands in float64 take the way of other backends, which follows the definition result by result.
TEST_CASE("references by matrix products and by the definition agree in every geometry, pass and layout") {
  std::size_t compared = 0;
  for (const auto& shape : Convolution::shapes(element_format<float32>())) {
    if (shape.large) continue;
    INFO(Convolution::operation_of(shape.problem) << " " << name_of(shape.problem));
    auto wide = in_format(shape.problem, element_format<float64>());
    Launch fast(shape.problem, FillKind::normal), slow(wide, FillKind::normal);
    for (const int operand : {Operands::input, Operands::weights, Operands::bias, Operands::output})
      for (Index e = 0; e < fast.operands[operand].size(); ++e)
        slow.operands[operand].store(e, fast.operands[operand].load(e));
    const auto left = fast.expected(), right = slow.expected();
    REQUIRE(left.size() == right.size());
    double worst = 0;
    bool errors_agree = true;
    for (std::size_t e = 0; e < left.size(); ++e) {
      worst = std::max(worst, std::fabs(left[e].value - right[e].value));
      errors_agree = errors_agree && std::fabs(left[e].error - right[e].error) <= 1e-6 * right[e].error;
    }
    CHECK(worst < 1e-12);
    CHECK(errors_agree);
    compared += left.size();
  }
  CHECK(compared > 20000);
}

TEST_CASE("large references bound the scale of errors closely where channels differ much in scale") {
  Launch launch(problem_of(1, 64, 32, {{66, 3, 1, 1, 1, 1, 0}, {60, 3, 1, 1, 1, 1, 0}}), FillKind::normal);
  for (const int operand : {static_cast<int>(Operands::input), static_cast<int>(Operands::weights)}) {
    const Operand& scaled = launch.operands[operand];
    const Index of_channel = operand == Operands::input ? 66 * 60 : 9;
    for (Index i = 0; i < scaled.size(); ++i)
      scaled.store(i, std::ldexp(scaled.load(i),
                                 static_cast<int>(i / of_channel % 64 % 15) * (operand == Operands::input ? 1 : -1)));
  }
  const auto expected = launch.expected();
  const ConvolutionTerms terms = Operands::terms(launch.problem, launch.operands);
  const GemmBound bound = convolution_bound(launch.problem, RoundingModel::statistical, Arithmetic{}).bound;
  for (Index e = 0; e < static_cast<Index>(expected.size()); e += 1999) {
    ConvolutionSum sum;
    terms.each(e, sum);
    const double exact = bound.error(sum.product, sum.magnitude, 0);
    CHECK(expected[static_cast<std::size_t>(e)].error >= exact * (1 - 1e-12));
    CHECK(expected[static_cast<std::size_t>(e)].error <= 3 * exact);
  }
}

TEST_CASE("large references bound the scale of errors from above, closely") {
  auto problem = problem_of(1, 32, 32, {{96, 3, 1, 1, 1, 1, 0}, {90, 3, 1, 1, 1, 1, 0}});
  bool special = false;
  double loosest = 3;
  SECTION("with a bias and groups") {
    problem = problem_of(1, 48, 48, {{96, 3, 1, 1, 1, 1, 0}, {90, 3, 1, 1, 1, 1, 0}}, 2);
    problem.bias = true;
  }
  SECTION("with special values") {
    special = true;
  }
  SECTION("the gradient of the input") {
    problem.pass = ConvolutionPass::backward_data;
  }
  SECTION("the gradient of the input under a stride, channels last") {
    problem = problem_of(4, 48, 48, {{96, 3, 2, 1, 1, 1, 0}, {90, 3, 2, 1, 1, 1, 0}});
    problem.pass = ConvolutionPass::backward_data;
    problem.layout = ConvolutionLayout::channels_last;
    loosest = 3.5;  // a corner has one tap
  }
  SECTION("the gradient of the weights") {
    problem.pass = ConvolutionPass::backward_weights;
  }
  SECTION("strides, dilations, and paddings of one side, in several batches of images") {
    problem = problem_of(7, 40, 44, {{75, 3, 2, 2, 0, 3, 0}, {62, 5, 3, 1, 2, 0, 0}});
  }
  SECTION("a single tap and many channels") {
    problem = problem_of(1, 96, 800, {{30, 1, 1, 1, 0, 0, 0}, {31, 1, 1, 1, 0, 0, 0}});
  }
  SECTION("a single tap under a stride, of a part of the image") {
    problem = problem_of(2, 200, 400, {{41, 1, 2, 1, 0, 0, 0}, {43, 1, 2, 1, 0, 0, 0}});
  }
  SECTION("so few channels that sums go straight to the results, and rows beside those that do") {
    problem = problem_of(2, 64, 268, {{48, 1, 1, 1, 0, 0, 0}, {47, 1, 1, 1, 0, 0, 0}});
  }
  SECTION("panels of two lines") {
    problem = problem_of(3, 256, 256, {{7, 3, 1, 1, 1, 1, 0}, {7, 3, 1, 1, 1, 1, 0}});
  }
  SECTION("planes with lines shorter than a panel") {
    problem = problem_of(1, 512, 512, {{6, 3, 1, 1, 1, 1, 0}, {5, 3, 1, 1, 1, 1, 0}});
  }
  SECTION("more taps than squares are summed at once") {
    problem = problem_of(1, 2, 8, {{110, 35, 1, 1, 0, 0, 0}, {96, 37, 1, 1, 0, 0, 0}});
  }
  SECTION("one axis") {
    problem = problem_of(1, 50, 60, {{4000, 7, 1, 1, 3, 3, 0}});
  }
  SECTION("three axes") {
    problem = problem_of(1, 24, 24, {{20, 3, 1, 1, 1, 1, 0}, {18, 3, 1, 1, 1, 1, 0}, {17, 3, 1, 1, 1, 1, 0}});
    loosest = 3.5;
  }
  SECTION("small images, many channels, a transposed convolution") {
    problem = problem_of(5, 200, 300, {{7, 3, 1, 1, 1, 1, 0}, {6, 3, 1, 1, 1, 1, 0}});
    problem.transposed = true;
    problem.bias = true;
  }
  Launch launch(problem, FillKind::normal);
  if (special) launch.operands[Operands::input].store(50 * 90 + 45, std::numeric_limits<double>::infinity());
  const auto expected = launch.expected();
  const ConvolutionTerms terms = Operands::terms(launch.problem, launch.operands);
  const GemmBound bound = convolution_bound(launch.problem, RoundingModel::statistical, Arithmetic{}).bound;
  REQUIRE(static_cast<double>(terms.geometry.results()) * static_cast<double>(terms.geometry.terms()) >= 0x1p26);
  std::size_t infinite = 0;
  for (const ExpectedElement& element : expected) infinite += std::isinf(element.value) ? 1 : 0;
  CHECK(infinite == (special ? 9 * 32 : 0));
  for (Index e = 0; e < static_cast<Index>(expected.size()); e += (static_cast<Index>(expected.size()) / 3000) | 1) {
    const ExpectedElement& found = expected[static_cast<std::size_t>(e)];
    if (!std::isfinite(found.value)) continue;
    ConvolutionSum sum;
    terms.each(e, sum);
    const double bias =
        problem.bias ? launch.operands[Operands::bias].load(
                           terms.geometry.image_position(e, terms.geometry.product == ConvolutionProduct::fine).channel)
                     : 0;
    CHECK(found.value == Approx(sum.product + bias).margin(1e-11));
    const double exact = bound.error(sum.product, sum.magnitude, bias);
    CHECK(found.error >= exact * (1 - 1e-12));
    CHECK(found.error <= loosest * exact);
  }
}

TEST_CASE("elements in doubt under the bound of a scale are judged by the scale itself") {
  auto problem = problem_of(3, 32, 40, {{48, 3, 1, 1, 1, 1, 0}, {45, 3, 1, 1, 1, 1, 0}});
  problem.bias = true;
  Launch launch(problem, FillKind::normal);
  auto reference = Convolution::reference(launch.host, launch.stream, problem, launch.operands,
                                          RoundingModel::statistical, Arithmetic{});
  REQUIRE(reference);
  const ConvolutionExpected& expected = reference.value().expected;
  REQUIRE(expected.refines());
  const Operand& output = launch.operands[Operands::output];
  const ConvolutionTerms terms = Operands::terms(problem, launch.operands);
  const GemmBound bound = convolution_bound(problem, RoundingModel::statistical, Arithmetic{}).bound;
  Index loosest = 0;
  double factor = 0;
  for (Index e = 0; e < output.size(); ++e) {
    const ExpectedElement element = expected(e / 45, e % 45);
    output.store(e, element.value);
    if (e % 97 != 0) continue;
    ConvolutionSum sum;
    terms.each(e, sum);
    const double exact =
        bound.error(sum.product, sum.magnitude,
                    launch.operands[Operands::bias].load(terms.geometry.image_position(e, false).channel));
    CHECK(expected.refine(e / 45, e % 45).error == exact);
    CHECK(expected.refine(e / 45, e % 45).value == element.value);
    if (element.error / exact > factor) factor = element.error / exact, loosest = e;
  }
  REQUIRE(factor > 1.3);
  double block[2][90], alone[2];
  expected.expected_block(43, 31, 90, block[0], block[1]);  // runs on into the rows behind
  for (Index i = 0; i < 90; ++i) {
    const ExpectedElement element = expected(43, 31 + i);
    CHECK(block[0][i] == element.value);
    CHECK(block[1][i] == Approx(element.error).epsilon(1e-12));
    expected.expected_block(43, 31 + i, 1, alone, alone + 1);
    CHECK(alone[1] == block[1][i]);
  }
  const auto compared = [&] {
    return compare_operand(launch.host, launch.stream, output, expected, ChosenTolerance{}).value();
  };
  CHECK(compared().violations == 0);
  const ExpectedElement refined = expected.refine(loosest / 45, loosest % 45);
  output.store(loosest, refined.value + 1.2 * refined.error);
  const Comparison found = compared();
  CHECK(found.violations == 1);
  CHECK(found.refined == 1);
  CHECK(found.in_doubt == 0);
}

TEST_CASE(
    "an error of three times the bound is refused by large references, however their scales were had and however "
    "sparse the data") {
  auto problem = problem_of(1, 48, 48, {{60, 3, 1, 1, 1, 1, 0}, {61, 3, 1, 1, 1, 1, 0}});
  SECTION("channels first") {}
  SECTION("channels last") {
    problem.layout = ConvolutionLayout::channels_last;
  }
  SECTION("the gradient of the input") {
    problem.pass = ConvolutionPass::backward_data;
  }
  SECTION("the gradient of the weights") {
    problem.pass = ConvolutionPass::backward_weights;
  }
  for (const int one_of : {1, 10}) {
    INFO("1 of " << one_of << " is not 0");
    Launch launch(problem, FillKind::normal);
    const int result = Operands::result(problem);
    std::uint64_t draw = 1;
    for (const int of :
         {static_cast<int>(Operands::input), static_cast<int>(Operands::weights), static_cast<int>(Operands::output)})
      for (Index e = 0; of != result && e < launch.operands[of].size(); ++e) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        if ((draw >> 33) % static_cast<std::uint64_t>(one_of) != 0) launch.operands[of].store(e, 0);
      }
    auto reference = Convolution::reference(launch.host, launch.stream, problem, launch.operands,
                                            RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    const ConvolutionExpected& expected = reference.value().expected;
    const Operand& output = launch.operands[result];
    const ConvolutionTerms terms = Operands::terms(problem, launch.operands);
    const GemmBound bound = convolution_bound(problem, RoundingModel::statistical, Arithmetic{}).bound;
    const Index columns = output.extents[output.rank - 1];
    std::uint64_t wrong = 0;
    for (Index e = 0; e < output.size(); ++e) {
      const ExpectedElement element = expected(e / columns, e % columns);
      output.store(e, element.value);
      if (e % 101 != 0) continue;
      ConvolutionSum sum;
      terms.each(e, sum);
      const double exact = bound.error(sum.product, sum.magnitude, 0);
      CHECK(element.error <= exact * (expected.refines() ? 1 / expected.doubt_ratio() : 1 + 1e-12));
      output.store(e, element.value + 3 * exact);
      ++wrong;
    }
    const Comparison found = compare_operand(launch.host, launch.stream, output, expected, ChosenTolerance{}).value();
    CHECK(found.violations == wrong);
    CHECK(found.in_doubt == 0);
  }
}

TEST_CASE("gradients of a convolution are its central differences") {
  for (const bool transposed : {false, true})
    for (const auto layout : {ConvolutionLayout::channels_first, ConvolutionLayout::channels_last}) {
      auto problem = problem_of(2, 4, 2, {{5, 3, 2, 1, 1, 0, 0}, {4, 2, 1, 2, 1, 1, 0}}, 2);
      if (transposed) problem.axes[0].output_padding = 1;
      problem.transposed = transposed;
      problem.layout = layout;
      problem = in_format(problem, element_format<float64>());
      problem.bias = true;
      Launch forward(problem, FillKind::normal);
      auto weights_pass = problem, data_pass = problem;
      weights_pass.pass = ConvolutionPass::backward_weights;
      data_pass.pass = ConvolutionPass::backward_data;
      data_pass.bias = false;
      Launch weights(weights_pass, FillKind::normal), data(data_pass, FillKind::normal);
      const Operand& upstream = data.operands[Operands::output];
      for (Index e = 0; e < upstream.size(); ++e) weights.operands[Operands::output].store(e, upstream.load(e));
      for (Index e = 0; e < forward.operands[Operands::input].size(); ++e)
        weights.operands[Operands::input].store(e, forward.operands[Operands::input].load(e));
      for (Index e = 0; e < forward.operands[Operands::weights].size(); ++e)
        data.operands[Operands::weights].store(e, forward.operands[Operands::weights].load(e));
      const auto loss = [&] {
        const auto outputs = forward.expected();
        double sum = 0;
        for (Index e = 0; e < upstream.size(); ++e)
          sum += upstream.load(e) * outputs[static_cast<std::size_t>(e)].value;
        return sum;
      };
      const auto check = [&](const Operand& varied, const std::vector<ExpectedElement>& gradients, std::size_t first) {
        for (Index e = 0; e < varied.size(); e += 3) {
          const double value = varied.load(e);
          varied.store(e, value + 0.5);
          const double above = loss();
          varied.store(e, value - 0.5);
          const double below = loss();
          varied.store(e, value);
          CHECK(gradients[first + static_cast<std::size_t>(e)].value == Approx(above - below).margin(1e-10));
        }
      };
      const auto of_weights = weights.expected();
      check(forward.operands[Operands::input], data.expected(), 0);
      check(forward.operands[Operands::weights], of_weights, 0);
      check(forward.operands[Operands::bias], of_weights,
            static_cast<std::size_t>(weights.operands[Operands::weights].size()));
    }
}

TEST_CASE("what is no number beyond an edge is left open, elsewhere it is not") {
  Launch launch(problem_of(1, 1, 1, {{4, 3, 1, 1, 1, 1, 0}}), FillKind::normal);
  const Operand& weights = launch.operands[Operands::weights];
  weights.store(0, std::numeric_limits<double>::infinity());
  const auto expected = launch.expected();
  CHECK(expected[0].value == 0);
  CHECK(std::isinf(expected[0].error));
  for (std::size_t e = 1; e < 4; ++e) {
    const double met = launch.operands[Operands::input].load(static_cast<Index>(e) - 1);
    CHECK(expected[e].value == std::copysign(std::numeric_limits<double>::infinity(), met));
    CHECK(expected[e].error == 0);
  }
}

TEST_CASE("what is no number beside a stride is left open, by matrix products as by the definition") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Index channels : {1, 6})  // few, and by matrices
    for (const ElementFormat& format : {element_format<float32>(), element_format<float64>()}) {
      auto problem = in_format(problem_of(1, 1, channels, {{3, 3, 2, 1, 0, 0, 0}}), format);
      problem.transposed = true;
      Launch launch(problem, FillKind::normal);
      for (Index e = 0; e < 3; ++e) launch.operands[Operands::input].store(e, static_cast<double>(e) + 1);
      for (Index e = 0; e < 3 * channels; ++e)
        launch.operands[Operands::weights].store(e, e == 1 ? infinity : 1);  // one channel's
      const auto expected = launch.expected();
      REQUIRE(expected.size() == static_cast<std::size_t>(7 * channels));
      for (std::size_t e = 0; e < expected.size(); ++e) {
        INFO(format.name << ", " << channels << " channels, element " << e);
        CHECK(is_infinite(expected[e].error) == (e < 7 && e % 2 == 0));
        CHECK(is_infinite(expected[e].value) == (e < 7 && e % 2 == 1));
      }
    }
}

TEST_CASE("what is no number beside the stride of an axis of one element is left open by large convolutions, too") {
  auto problem = problem_of(1, 256, 64, {{1, 2, 2, 1, 0, 1, 0}, {4096, 1, 1, 1, 0, 0, 0}});
  problem.transposed = true;
  Launch launch(problem, FillKind::normal);
  launch.operands[Operands::weights].store(1, std::numeric_limits<double>::infinity());  // of one channel
  const auto expected = launch.expected();
  REQUIRE(expected.size() == 64 * 4096);
  for (std::size_t e = 0; e < expected.size(); e += 61) CHECK(is_infinite(expected[e].error) == (e < 4096));
}

TEST_CASE("norm-wise bounds leave open what is not a number and cover the direct bound") {
  auto direct = problem_of(1, 5, 3, {{9, 3, 1, 1, 1, 1, 0}, {7, 3, 1, 1, 1, 1, 0}});
  const auto plain = Launch(direct, FillKind::normal).expected();
  for (const auto algorithm : {ConvolutionAlgorithm::winograd, ConvolutionAlgorithm::fft}) {
    auto problem = direct;
    problem.algorithm = algorithm;
    Launch launch(problem, FillKind::normal);
    const auto normwise = launch.expected();
    for (std::size_t e = 0; e < plain.size(); ++e) {
      CHECK(normwise[e].value == plain[e].value);
      // never below one rounding of the sum of magnitudes, which the direct bound is at most 46 of
      CHECK(normwise[e].error > plain[e].error / 46);
      CHECK(normwise[e].error < (algorithm == ConvolutionAlgorithm::fft ? 1e5 : 1e3) * plain[e].error);
    }
    launch.operands[Operands::input].store(30, std::numeric_limits<double>::quiet_NaN());
    CHECK(std::isinf(launch.expected()[30].error));
    const auto steps = Convolution::derivation(problem, RoundingModel::statistical, Arithmetic{});
    CHECK(steps.at(0).find("norm-wise") != std::string::npos);
  }
}

TEST_CASE("what underflows in a transform is multiplied by the other, and allowed for") {
  auto problem = problem_of(1, 3, 4, {{16, 3, 1, 1, 0, 0, 0}, {16, 3, 1, 1, 0, 0, 0}});
  for (const Index tile : {0, 2, 4})
    for (const auto& [of_weights, of_input] :
         {std::pair{0x1p-137, 0x1p100}, {0x1p-140, 0x1p100}, {0x1p100, 0x1p-140}, {0x1p-60, 0x1p60}}) {
      problem.algorithm = tile == 0 ? ConvolutionAlgorithm::fft : ConvolutionAlgorithm::winograd;
      problem.winograd_tile = tile == 0 ? 2 : static_cast<int>(tile);
      Launch launch(problem, FillKind::normal);
      const auto scale = [&](int position, double factor) {
        const Operand& operand = launch.operands[position];
        for (Index e = 0; e < operand.size(); ++e) operand.store(e, operand.load(e) * factor);
      };
      const double ordinary = launch.expected(RoundingModel::worst_case)[0].error;
      scale(Operands::weights, of_weights);
      scale(Operands::input, of_input);
      const auto expected = launch.expected(RoundingModel::worst_case);
      double worst = 0;
      const auto store = [&](Index e, double value) {
        const ExpectedElement& element = expected[static_cast<std::size_t>(e)];
        worst = std::max(worst, std::fabs(value - element.value) / element.error);
      };
      const ConvolutionTerms terms = Operands::terms(problem, launch.operands);
      if (tile == 0)
        detail::EmulatedFourier::run(terms, store);
      else
        detail::emulate_winograd<float32, float32>(terms, problem.winograd_tile, store);
      INFO("tile " << tile << ", weights about " << of_weights << ", inputs about " << of_input);
      CHECK(worst > 0);
      CHECK(worst <= 1);
      if (of_weights == 0x1p-60) CHECK(expected[0].error == Approx(ordinary));
    }
}

TEST_CASE("problems of a convolution that cannot be are refused") {
  auto problem = problem_of(1, 4, 4, {{8, 3, 1, 1, 1, 1, 0}, {8, 3, 1, 1, 1, 1, 0}});
  const auto refused = [&](auto&& change, const std::string& field) {
    auto changed = problem;
    change(changed);
    testing::require_refused<Convolution>(changed, field);
  };
  refused([](ConvolutionProblem& p) { p.dimensions = 4; }, "dimensions");
  refused([](ConvolutionProblem& p) { p.batch = -1; }, "batch");
  refused([](ConvolutionProblem& p) { p.groups = 3; }, "groups");
  refused([](ConvolutionProblem& p) { p.groups = 0; }, "groups");
  refused([](ConvolutionProblem& p) { p.axes[1].stride = 0; }, "stride of axis 1");
  refused([](ConvolutionProblem& p) { p.axes[0].padding_before = -1; }, "padding_before of axis 0");
  refused([](ConvolutionProblem& p) { p.axes[0].dilation = 5; }, "dilation of axis 0");
  refused([](ConvolutionProblem& p) { p.axes[0].kernel = 11; }, "kernel of axis 0");
  refused([](ConvolutionProblem& p) { p.axes[0].output_padding = 1; }, "output_padding");
  refused(
      [](ConvolutionProblem& p) {
        p.transposed = true;
        p.axes[1].output_padding = 1;
      },
      "output_padding of axis 1");
  refused(
      [](ConvolutionProblem& p) {
        p.transposed = true;
        p.axes[0].padding_before = 12;
      },
      "padding_before of axis 0");
  refused(
      [](ConvolutionProblem& p) {
        p.batch = Index{1} << 40;
        p.input_channels = p.output_channels = Index{1} << 30;
      },
      "channels");
  refused(
      [](ConvolutionProblem& p) {
        p.pass = ConvolutionPass::backward_data;
        p.bias = true;
      },
      "bias");
  refused([](ConvolutionProblem& p) { p.weights = element_format<std::int8_t>(); }, "weights");
  refused(
      [](ConvolutionProblem& p) {
        p.algorithm = ConvolutionAlgorithm::winograd;
        p.axes[0].stride = 2;
      },
      "algorithm");
  refused(
      [](ConvolutionProblem& p) {
        p.algorithm = ConvolutionAlgorithm::winograd;
        p.axes[0].kernel = 5;
      },
      "algorithm");
  refused(
      [](ConvolutionProblem& p) {
        p.algorithm = ConvolutionAlgorithm::winograd;
        p.winograd_tile = 3;
      },
      "winograd_tile");
  refused(
      [](ConvolutionProblem& p) {
        p.algorithm = ConvolutionAlgorithm::fft;
        p.pass = ConvolutionPass::backward_weights;
      },
      "algorithm");
}

TEST_CASE("sums of one sign that outgrow their terms have no statistics, in the gradient of a bias neither") {
  ConvolutionProblem problem;
  problem.pass = ConvolutionPass::backward_weights;
  problem.transposed = problem.bias = true;
  problem.axes[0] = problem.axes[1] = {27, 4, 4, 1, 0, 0, 0};
  CHECK(Convolution::data(problem, FillKind::uniform, arithmetic_in<float16>(), 1).model == RoundingModel::worst_case);
  CHECK(Convolution::data(problem, FillKind::uniform, Arithmetic{}, 1).model == RoundingModel::statistical);
}
