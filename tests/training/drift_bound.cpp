#include "assay/training/drift_bound.hpp"

#include <cmath>

#include "assay/training/training_subject.hpp"
#include "testing/catch.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE("losses of right trainers with other orders of sums stay below the bound") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TrainingOptions options = testing::small_training();
    options.seed = seed;
    const DriftBound bound = drift_bound(options, 4);
    CHECK(bound.useful_steps >= 5);
    REQUIRE(bound.loss.size() >= static_cast<std::size_t>(bound.useful_steps));
    const auto whole = serial_training().train(options), ring = serial_training(4, GradientOrder::ring).train(options);
    REQUIRE((whole && ring));
    bool differ = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(bound.useful_steps); ++i) {
      const double difference = std::fabs(ring.value()[0].losses[i] - whole.value()[0].losses[i]);
      CHECK(difference <= bound.loss[i]);
      differ = differ || difference > 0;
    }
    CHECK(differ);
  }
}

TEST_CASE("the bound is wider where gradients are summed in fewer bits, grows, and ends") {
  TrainingOptions options = testing::small_training();
  options.steps = 40;
  const DriftBound wide = drift_bound(options, 4, false, 0.01, 40), narrow = drift_bound(options, 4, true, 0.01, 40);
  CHECK(wide.loss[0] < 1e-10);
  CHECK(narrow.loss[1] > 100 * wide.loss[1]);
  CHECK(narrow.useful_steps <= wide.useful_steps);
  for (std::size_t i = 1; i < wide.loss.size(); ++i) CHECK(wide.loss[i] > wide.loss[i - 1]);
  CHECK(wide.useful_steps < options.steps);
  CHECK(wide.derivation.size() == 2);
  CHECK_THROWS_AS(drift_bound(options, 0), Misuse);
}

TEST_CASE("row norms of the Hessian are those of its rows") {
  TrainingOptions options = testing::small_training();
  options.global_batch = 2;
  options.model.width = options.model.heads = options.model.hidden = 2;
  options.model.vocabulary = 3;
  options.model.context = 2;
  const TrainingState state = initial_state(options, 0, 1);
  const std::size_t count = state.weights.size();
  const std::vector<double> estimated = detail::hessian_row_norms(options, state, 3, 200);
  std::vector<double> weights(state.weights.begin(), state.weights.end()), squares(count);
  const auto gradient = [&] {
    std::vector<double> sum(count);
    for (std::uint64_t s = 0; s < 2; ++s)
      static_cast<void>(detail::sample_loss(options.model, weights.data(), text_sample(options.model, options.seed, s),
                                            state.random_state, sum.data()));
    return sum;
  };
  for (std::size_t j = 0; j < count; ++j) {
    const double kept = weights[j];
    weights[j] = kept + 1e-4;
    const std::vector<double> above = gradient();
    weights[j] = kept - 1e-4;
    const std::vector<double> below = gradient();
    weights[j] = kept;
    for (std::size_t i = 0; i < count; ++i) squares[i] += std::pow((above[i] - below[i]) / 2e-4 / 3, 2);
  }
  for (std::size_t i = 0; i < count; ++i)
    CHECK(estimated[i] == testing::Approx(std::sqrt(squares[i])).epsilon(0.3).margin(1e-6));
}
