#include "assay/kernels/normalization_backward/normalization_backward.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/faults/normalization_backward_faults.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right gradients of a normalization are not accused") {
  testing::require_correct_kernels_pass<NormalizationBackward>(0.3);
}

TEST_CASE("every fault of a normalization's gradients is caught by its default suite") {
  testing::require_faults_are_caught<NormalizationBackward>();
}

namespace {

/// A weighted sum of a normalization's outputs in float64, and its gradients.
struct WeightedNormalization {
  Host host{1};
  Host::Stream stream;
  NormalizationProblem problem;
  std::vector<double> x, weights, gamma, beta, mean, variance;

  explicit WeightedNormalization(NormalizationKind kind) : stream(host.make_stream().value()) {
    problem.kind = kind;
    problem.outer = 3;
    problem.channels = 4;
    problem.inner = kind == NormalizationKind::group || kind == NormalizationKind::batch ? 2 : 1;
    problem.groups = kind == NormalizationKind::group ? 2 : 1;
    problem.saved = kind == NormalizationKind::batch ? SavedStatistics::none : SavedStatistics::inverse_deviation;
    problem.input = problem.output = problem.parameters = element_format<float64>();
    for (int i = 0; i < 3 * 4 * 2; ++i) {
      x.push_back(std::sin(3.0 * i) + 0.3 * i);
      weights.push_back(std::cos(2.0 * i));
    }
    for (int i = 0; i < 6; ++i) {
      gamma.push_back(1 + 0.2 * i);
      beta.push_back(0.5 - 0.1 * i);
      mean.push_back(0.1 * i);
      variance.push_back(1 + 0.5 * i);
    }
  }
  [[nodiscard]] std::vector<Index> extents() const {
    return problem.inner == 1 ? std::vector<Index>{3, 4} : std::vector<Index>{3, 4, 2};
  }
  [[nodiscard]] Operand tensor(std::vector<double>& values) const {
    return problem.inner == 1 ? contiguous_operand(values.data(), {3, 4})
                              : contiguous_operand(values.data(), {3, 4, 2});
  }
  [[nodiscard]] NormalizationExpected forward() {
    OperandArray operands;
    operands[Normalization::input] = tensor(x);
    operands[Normalization::gamma] = contiguous_operand(gamma.data(), {4});
    operands[Normalization::beta] = contiguous_operand(beta.data(), {4});
    operands[Normalization::mean] = contiguous_operand(mean.data(), {4});
    operands[Normalization::variance] = contiguous_operand(variance.data(), {4});
    auto reference =
        Normalization::reference(host, stream, problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    storage = reference.value().storage;
    return reference.value().expected;
  }
  double sum() {
    double total = 0;
    const auto expected = forward();
    const Index columns = problem.inner == 1 ? 4 : 2, rows = problem.inner == 1 ? 3 : 12;
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column)
        total += weights[static_cast<std::size_t>(row * columns + column)] * expected(row, column).value;
    return total;
  }
  double difference(double& parameter) {
    const double kept = parameter, step = 1e-4;
    parameter = kept + step;
    const double above = sum();
    parameter = kept - step;
    const double below = sum();
    parameter = kept;
    return (above - below) / (2 * step);
  }

 private:
  std::shared_ptr<void> storage;
};

}  // namespace

TEST_CASE("gradients of a normalization are central differences of its reference") {
  for (const auto kind :
       {NormalizationKind::layer, NormalizationKind::rms, NormalizationKind::group, NormalizationKind::batch}) {
    WeightedNormalization small(kind);
    std::vector<double> means = small.mean, deviations = small.variance;
    if (kind != NormalizationKind::batch) {
      auto statistics = small.forward();
      for (Index lane = 0; lane < small.problem.lanes(); ++lane) {
        statistics.output = 1;
        means[static_cast<std::size_t>(lane)] = statistics(0, lane).value;
        statistics.output = 2;
        deviations[static_cast<std::size_t>(lane)] = statistics(0, lane).value;
      }
    }
    const NormalizationBackwardProblem problem{small.problem, element_format<float64>()};
    OperandArray operands;
    operands[NormalizationBackward::gradient] = small.tensor(small.weights);
    operands[NormalizationBackward::input] = small.tensor(small.x);
    operands[NormalizationBackward::gamma] = contiguous_operand(small.gamma.data(), {4});
    operands[NormalizationBackward::mean] = contiguous_operand(means.data(), {small.problem.lanes()});
    operands[NormalizationBackward::deviation] = contiguous_operand(deviations.data(), {small.problem.lanes()});
    const auto reference = NormalizationBackward::reference(small.host, small.stream, problem, operands,
                                                            RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    auto expected = reference.value().expected;
    const Index columns = small.problem.inner == 1 ? 4 : 2, elements = 12 * small.problem.inner;
    INFO(name_of(kind));
    for (Index element = 0; element < elements; ++element) {
      expected.output = 0;
      CHECK(expected(element / columns, element % columns).value ==
            Approx(small.difference(small.x[static_cast<std::size_t>(element)])).epsilon(1e-5).margin(1e-7));
    }
    for (Index channel = 0; channel < 4; ++channel) {
      expected.output = 1;
      CHECK(expected(0, channel).value ==
            Approx(small.difference(small.gamma[static_cast<std::size_t>(channel)])).epsilon(1e-6).margin(1e-9));
      expected.output = 2;
      CHECK(expected(0, channel).value ==
            Approx(small.difference(small.beta[static_cast<std::size_t>(channel)])).epsilon(1e-6).margin(1e-9));
    }
  }
}

TEST_CASE("folded gradients of inputs far from zero are granted that a sum taken wrong is multiplied by them") {
  constexpr Index count = 256;
  NormalizationBackwardProblem problem;
  problem.forward.channels = count;
  problem.forward.folded = true;
  problem.forward.saved = SavedStatistics::inverse_deviation;
  problem.forward.gamma = problem.forward.beta = false;
  Host host(1);
  auto stream = host.make_stream();
  int refused = 0;
  for (const float mean : {1e4F, 1e6F})
    for (int row = 0; row < 40; ++row) {
      const float inverse = 3e5F / mean;
      float gradient[count], x[count], sum = 0, products = 0;
      for (Index i = 0; i < count; ++i) {
        const double phase = static_cast<double>(i + 1) * (row + 1);
        gradient[i] = static_cast<float>(std::sin(phase * phase));
        x[i] = mean + static_cast<float>(std::cos(3 * phase * phase)) / inverse;
        sum += gradient[i];
        products += gradient[i] * x[i];
      }
      OperandArray operands;
      operands[NormalizationBackward::gradient] = contiguous_operand(gradient, {1, count});
      operands[NormalizationBackward::input] = contiguous_operand(x, {1, count});
      operands[NormalizationBackward::mean] = contiguous_operand(&mean, {1});
      operands[NormalizationBackward::deviation] = contiguous_operand(&inverse, {1});
      const auto reference = NormalizationBackward::reference(host, stream.value(), problem, operands,
                                                              RoundingModel::worst_case, Arithmetic{});
      REQUIRE(reference);
      const float projection = (products - mean * sum) * inverse / count, slope = -(inverse * inverse) * projection,
                  shift = -(inverse * sum) / count - slope * mean;
      for (Index i = 0; i < count; ++i) {
        const float found = inverse * gradient[i] + slope * x[i] + shift;
        const auto interval = DerivedTolerance{}.interval<float32>(reference.value().expected(0, i));
        CHECK_FALSE(interval.undetermined);
        refused += interval.contains(found) ? 0 : 1;
      }
    }
  CHECK(refused == 0);
}

TEST_CASE("problems of a normalization's gradients that cannot be are refused") {
  NormalizationBackwardProblem problem;
  problem.forward.channels = 12;
  SECTION("no statistics") {
    testing::require_refused<NormalizationBackward>(problem, "saved");
  }
  problem.forward.saved = SavedStatistics::variance;
  SECTION("negative extent") {
    problem.forward.outer = -1;
    testing::require_refused<NormalizationBackward>(problem, "outer");
  }
  SECTION("groups that do not divide") {
    problem.forward.kind = NormalizationKind::group;
    problem.forward.groups = 7;
    testing::require_refused<NormalizationBackward>(problem, "groups");
  }
  SECTION("format") {
    problem.output = element_format<std::int8_t>();
    testing::require_refused<NormalizationBackward>(problem, "output");
  }
}
