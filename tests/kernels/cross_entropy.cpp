#include "assay/kernels/cross_entropy/cross_entropy.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "assay/faults/cross_entropy_faults.hpp"
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
    const auto reference =
        CrossEntropy::reference(host, stream, problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    return reference.value().expected(row, column);
  }
  double definition(std::size_t row) const {
    double sum = 0, mean = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += std::exp(x[4 * row + j]);
    for (std::size_t j = 0; j < 4; ++j) mean += (std::log(sum) - x[4 * row + j]) / 4;
    return (1 - problem.smoothing) * (std::log(sum) - x[4 * row + static_cast<std::size_t>(labels[row])]) +
           problem.smoothing * mean;
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
        CHECK(small.expected(true, element / 4, element % 4).value ==
              Approx((above - below) / (2 * step)).epsilon(1e-6).margin(1e-10));
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

namespace {

/// Losses and gradients of rows of float32 logits, as they are expected and as the portable kernel computes them.
struct PortableLosses {
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  Host host{1};
  Host::Stream stream;
  CrossEntropyProblem problem;
  std::vector<float> logits;
  std::vector<std::int32_t> labels;
  std::vector<float> incoming, losses, gradients;

  PortableLosses(std::vector<float> of_rows, std::vector<std::int32_t> with_labels)
      : stream(host.make_stream().value()), logits(std::move(of_rows)), labels(std::move(with_labels)) {
    problem.rows = static_cast<Index>(labels.size());
    problem.classes = static_cast<Index>(logits.size() / labels.size());
    incoming.assign(labels.size(), 1);
    losses.assign(labels.size(), 0);
    gradients.assign(logits.size(), 0);
  }
  [[nodiscard]] OperandArray operands() {
    const auto of_rows = [&](std::vector<float>& values) {
      return problem.reduction == LossReduction::mean ? contiguous_operand(values.data(), {})
                                                      : contiguous_operand(values.data(), {problem.rows});
    };
    OperandArray operands;
    operands[CrossEntropy::logits] = contiguous_operand(logits.data(), {problem.rows, problem.classes});
    operands[CrossEntropy::labels] = contiguous_operand(labels.data(), {problem.rows});
    operands[CrossEntropy::loss_gradient] = of_rows(incoming);
    operands[CrossEntropy::loss] = of_rows(losses);
    operands[CrossEntropy::logits_gradient] = contiguous_operand(gradients.data(), {problem.rows, problem.classes});
    return operands;
  }
  [[nodiscard]] AcceptanceInterval accepted(Index row, Index column) {
    const auto reference =
        CrossEntropy::reference(host, stream, problem, operands(), RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    return DerivedTolerance{}.interval<float>(reference.value().expected(row, column));
  }
  /// What is accepted of the only loss or the first row's; the portable kernel's is.
  [[nodiscard]] AcceptanceInterval accepted_loss() {
    REQUIRE(CrossEntropy::portable(host, stream, problem, operands()));
    const AcceptanceInterval interval = accepted(0, 0);
    CHECK(interval.contains(losses[0]));
    return interval;
  }
};

}  // namespace

TEST_CASE("nothing is known of a smoothed loss on whose way the sum over classes may overflow") {
  const auto accepted = [](float logit, float others, std::int32_t label) {
    std::vector<float> logits(10, others);
    logits[0] = logit;
    PortableLosses loss(logits, {label});
    loss.problem.smoothing = 0.1;
    return loss.accepted_loss();
  };
  CHECK(accepted(2e38F, 0, 0).undetermined);
  CHECK(accepted(2e38F, 2e38F, 0).undetermined);  // kernels that add logits
  CHECK_FALSE(accepted(3e37F, 0, 0).undetermined);
  CHECK_FALSE(accepted(3e37F, 3e37F, 0).undetermined);
  PortableLosses unsmoothed({2e38F, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {1});
  CHECK_FALSE(unsmoothed.accepted_loss().undetermined);
  unsmoothed.logits[1] = -2e38F;  // the loss itself overflows
  CHECK(unsmoothed.accepted_loss().lower == PortableLosses::infinity);
  unsmoothed.problem.smoothing = 0.1;
  unsmoothed.problem.backward = true;
  CHECK_FALSE(unsmoothed.accepted(0, 0).undetermined);  // no loss is on the way to gradients
}

TEST_CASE("nothing is known of a mean of losses whose sum may overflow, unless the mean does, too") {
  const auto accepted = [](std::vector<float> logits, std::vector<std::int32_t> labels) {
    PortableLosses loss(std::move(logits), std::move(labels));
    loss.problem.reduction = LossReduction::mean;
    return loss.accepted_loss();
  };
  CHECK(accepted({2e38F, 0, 2e38F, 0, 2e38F, 0}, {1, 1, 1}).undetermined);
  CHECK_FALSE(accepted({1e38F, 0, 1e38F, 0, 1e38F, 0}, {1, 1, 1}).undetermined);
  CHECK_FALSE(accepted({2e38F, 0, 2e38F, 0, 2e38F, 0}, {1, -100, 0}).undetermined);
  CHECK(accepted({3e38F, -3e38F}, {1}).lower == PortableLosses::infinity);
}

TEST_CASE("where all of a label is smoothed away, its own infinite loss leaves the sum of both undetermined") {
  PortableLosses loss({0, -PortableLosses::infinity, 1}, {1});
  loss.problem.smoothing = 1;
  CHECK(loss.accepted_loss().undetermined);
  loss.labels = {0};
  CHECK(loss.accepted_loss().lower == PortableLosses::infinity);
}

TEST_CASE("an infinite incoming gradient says nothing where the probability may be its target") {
  PortableLosses loss({0, -150, 30}, {2});
  loss.problem.backward = true;
  loss.incoming = {PortableLosses::infinity};
  REQUIRE(CrossEntropy::portable(loss.host, loss.stream, loss.problem, loss.operands()));
  for (Index j = 0; j < 3; ++j) CHECK(loss.accepted(0, j).contains(loss.gradients[static_cast<std::size_t>(j)]));
  CHECK(loss.accepted(0, 0).lower == PortableLosses::infinity);
  CHECK(loss.accepted(0, 1).undetermined);
  CHECK(loss.accepted(0, 2).undetermined);
  loss.incoming = {std::numeric_limits<float>::quiet_NaN()};
  for (Index j = 0; j < 3; ++j) {
    CHECK(loss.accepted(0, j).contains(loss.incoming[0]));
    CHECK_FALSE(loss.accepted(0, j).contains(0));
  }
}

TEST_CASE("gradients by a stored log-sum-exp are right at any offset of the logits") {
  const std::size_t rows = 200, classes = 10;
  for (const double offset : {0.0, 200.0, -3000.0, 66000.0}) {
    OperandFill normal;
    normal.pattern = {FillKind::normal, 5, static_cast<Index>(classes), element_format<float32>().layout};
    normal.offset = offset;
    PortableLosses loss(std::vector<float>(rows * classes), std::vector<std::int32_t>(rows, 3));
    loss.problem.backward = true;
    for (std::size_t i = 0; i < rows * classes; ++i)
      loss.logits[i] = static_cast<float>(normal.values()(static_cast<Index>(i)));
    const auto reference = CrossEntropy::reference(loss.host, loss.stream, loss.problem, loss.operands(),
                                                   RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    double worst = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const float* const z = loss.logits.data() + row * classes;
      const float maximum = *std::max_element(z, z + classes);
      float sum = 0;
      for (std::size_t j = 0; j < classes; ++j) sum += std::exp(z[j] - maximum);
      const float log_sum_exp = maximum + std::log(sum);
      for (std::size_t j = 0; j < classes; ++j) {
        const ExpectedElement expected = reference.value().expected(static_cast<Index>(row), static_cast<Index>(j));
        worst = std::max(
            worst, DerivedTolerance{}.error_ratio(std::exp(z[j] - log_sum_exp) - (j == 3 ? 1.0F : 0.0F), expected));
      }
    }
    INFO(offset);
    CHECK(worst <= 1);
    CHECK(worst >= 0.05);
  }
}

TEST_CASE("a stored log-sum-exp that is the maximum adds nothing to the bound, however large") {
  PortableLosses loss({3e38F, 0}, {0});
  loss.problem.backward = true;
  CHECK(loss.accepted(0, 0).lower > -1e-4);
  CHECK(loss.accepted(0, 0).upper < 1e-4);
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
