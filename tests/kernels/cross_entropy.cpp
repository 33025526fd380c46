#include "assay/kernels/cross_entropy/cross_entropy.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/validators/faults/cross_entropy_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right cross entropies are not accused") {
  testing::require_correct_kernels_pass<CrossEntropy>(0.25);
}

TEST_CASE("every fault of a cross entropy is caught by its default suite") {
  testing::require_faults_are_caught<CrossEntropy>({"flushed_input"});
}

namespace {

/// Three rows of four classes, the second of them ignored, in float64.
struct SmallLoss {
  Host host{1};
  Host::Stream stream;
  std::vector<double> x{0.5, -1, 2, 0.25, 9, 9, 9, 9, -0.5, 1.5, 0, 3};
  std::vector<std::int32_t> labels{2, -100, 0};
  double incoming[3] = {2, 3, -1};
  CrossEntropyProblem problem;

  explicit SmallLoss(LossReduction reduction, double smoothing) : stream(host.make_stream().value()) {
    problem.rows = 3;
    problem.classes = 4;
    problem.smoothing = smoothing;
    problem.reduction = reduction;
    problem.logits = problem.loss = problem.output = element_format<float64>();
  }
  ExpectedElement expected(bool backward, Index row, Index column) {
    problem.backward = backward;
    OperandArray operands;
    operands[CrossEntropy::logits] = contiguous_operand(x.data(), {3, 4});
    operands[CrossEntropy::labels] = contiguous_operand(labels.data(), {3});
    operands[CrossEntropy::loss_gradient] = contiguous_operand(incoming, {3});
    const auto reference = CrossEntropy::reference(host, stream, problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    return reference.value().expected(row, column);
  }
  double definition(std::size_t row) const {
    double sum = 0, mean = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += std::exp(x[4 * row + j]);
    for (std::size_t j = 0; j < 4; ++j) mean += (std::log(sum) - x[4 * row + j]) / 4;
    return (1 - problem.smoothing) * (std::log(sum) - x[4 * row + static_cast<std::size_t>(labels[row])]) + problem.smoothing * mean;
  }
};

}  // namespace

TEST_CASE("the reference of a cross entropy is the definition") {
  for (const double smoothing : {0.0, 0.1, 1.0}) {
    SmallLoss none(LossReduction::none, smoothing), mean(LossReduction::mean, smoothing);
    CHECK(none.expected(false, 0, 0).value == Approx(none.definition(0)).epsilon(1e-14));
    CHECK(none.expected(false, 0, 1).value == 0);
    CHECK(none.expected(false, 0, 2).value == Approx(none.definition(2)).epsilon(1e-14));
    CHECK(none.expected(false, 0, 2).error > 0);
    CHECK(none.expected(false, 0, 2).error < 2e-5);
    CHECK(mean.expected(false, 0, 0).value == Approx((none.definition(0) + none.definition(2)) / 2).epsilon(1e-14));
  }
}

TEST_CASE("no loss of a label that is no class is refused") {
  for (const auto reduction : {LossReduction::none, LossReduction::mean})
    for (const bool backward : {false, true}) {
      SmallLoss small(reduction, 0);
      small.labels[0] = 4;
      const AcceptanceInterval accepted = DerivedTolerance{}.interval<float64>(small.expected(backward, 0, 0));
      CHECK(accepted.undetermined);
      if (reduction == LossReduction::none)
        CHECK_FALSE(DerivedTolerance{}.interval<float64>(small.expected(backward, backward ? 2 : 0, 2)).undetermined);
    }
}

TEST_CASE("the gradient of a cross entropy is the central difference of its reference") {
  for (const double smoothing : {0.0, 0.1})
    for (const auto reduction : {LossReduction::none, LossReduction::mean}) {
      SmallLoss small(reduction, smoothing);
      const auto weighted = [&] {
        if (reduction == LossReduction::mean) return small.incoming[0] * small.expected(false, 0, 0).value;
        double sum = 0;
        for (Index row = 0; row < 3; ++row) sum += small.incoming[row] * small.expected(false, 0, row).value;
        return sum;
      };
      for (Index element = 0; element < 12; ++element) {
        double& x = small.x[static_cast<std::size_t>(element)];
        const double kept = x, step = 1e-4;
        x = kept + step;
        const double above = weighted();
        x = kept - step;
        const double below = weighted();
        x = kept;
        CHECK(small.expected(true, element / 4, element % 4).value == Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-10));
      }
    }
}

TEST_CASE("no row that counts makes a mean NaN, and a label that is no class says nothing") {
  SmallLoss small(LossReduction::mean, 0);
  small.labels = {-100, -100, -100};
  CHECK(is_nan(small.expected(false, 0, 0).value));
  small.labels = {7, -100, 0};
  CHECK_FALSE(is_finite(small.expected(false, 0, 0).error));
}

TEST_CASE("problems of a cross entropy that cannot be are refused") {
  CrossEntropyProblem problem;
  SECTION("negative extent") {
    problem.rows = -1;
    testing::require_refused<CrossEntropy>(problem, "rows");
  }
  SECTION("no class") {
    problem.classes = 0;
    testing::require_refused<CrossEntropy>(problem, "classes");
  }
  SECTION("smoothing") {
    problem.smoothing = 1.5;
    testing::require_refused<CrossEntropy>(problem, "smoothing");
  }
  SECTION("labels") {
    problem.labels = element_format<float32>();
    testing::require_refused<CrossEntropy>(problem, "labels");
  }
  SECTION("logits") {
    problem.logits = element_format<std::int8_t>();
    testing::require_refused<CrossEntropy>(problem, "logits");
  }
}
