#include "assay/serving/sampling.hpp"

#include <cmath>
#include <limits>

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

using List = std::vector<double>;

/// Logits of which the softmax at temperature 1 is .5, .25, .15, .1.
List logits() {
  return {std::log(0.5), std::log(0.25), std::log(0.15), std::log(0.1)};
}

void check_distribution(const assay::SamplingParameters& parameters, const List& expected) {
  const List found = assay::sampling_distribution(logits(), parameters);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-12));
}

}  // namespace

TEST_CASE("each sampling parameter does what it is defined to", "[serving]") {
  check_distribution({}, {0.5, 0.25, 0.15, 0.1});
  check_distribution({.temperature = 0}, {1, 0, 0, 0});
  check_distribution({.temperature = 0.5}, {0.25 / 0.345, 0.0625 / 0.345, 0.0225 / 0.345, 0.01 / 0.345});
  check_distribution({.top_k = 2}, {2.0 / 3, 1.0 / 3, 0, 0});
  check_distribution({.top_p = 0.6}, {2.0 / 3, 1.0 / 3, 0, 0});
  check_distribution({.top_p = 0.4}, {1, 0, 0, 0});
  check_distribution({.min_p = 0.3}, {0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0});
  check_distribution({.logit_bias = {{3, 100}}}, {0, 0, 0, 1});
  check_distribution({.top_k = 3, .top_p = 0.6}, {2.0 / 3, 1.0 / 3, 0, 0});
}

TEST_CASE("penalties count prompt and output as their definitions say", "[serving]") {
  const List flat{1, 1, -1, -1};
  const std::vector<std::size_t> prompt{0, 2}, output{1, 1, 3};
  const List repeated = assay::sampling_distribution(flat, {.repetition_penalty = 2}, prompt, output);
  CHECK(repeated[0] / repeated[2] == Approx(std::exp(2.5)));
  CHECK(repeated[0] == Approx(repeated[1]));
  const List presence = assay::sampling_distribution(flat, {.presence_penalty = 0.5}, prompt, output);
  CHECK(presence[0] / presence[1] == Approx(std::exp(0.5)));
  const List frequency = assay::sampling_distribution(flat, {.frequency_penalty = 0.5}, prompt, output);
  CHECK(frequency[0] / frequency[1] == Approx(std::exp(1.0)));
  CHECK(frequency[2] / frequency[3] == Approx(std::exp(0.5)));
}

TEST_CASE("ties at the edge of top-k stay, and excluded tokens come never", "[serving]") {
  const double none = -std::numeric_limits<double>::infinity();
  const List found = assay::sampling_distribution(List{1, 1, 0, none}, {.top_k = 1});
  CHECK(found == List{0.5, 0.5, 0, 0});
  CHECK(assay::draw_token(found, 0.999999) == 1);
  CHECK(assay::draw_token(found, 0.0) == 0);
}

TEST_CASE("what is no distribution is misuse", "[serving]") {
  const double none = -std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(assay::sampling_distribution(List{}, {}), assay::Misuse);
  CHECK_THROWS_AS(assay::sampling_distribution(List{none, none}, {}), assay::Misuse);
  CHECK_THROWS_AS(assay::sampling_distribution(List{0, nan}, {}), assay::Misuse);
  CHECK_THROWS_AS(assay::sampling_distribution(List{0, -none}, {}), assay::Misuse);
  CHECK_THROWS_AS(assay::sampling_distribution(List{0}, {.temperature = -1}), assay::Misuse);
  CHECK_THROWS_AS(assay::sampling_distribution(List{0}, {.top_p = 0}), assay::Misuse);
  CHECK_THROWS_AS(assay::sampling_distribution(List{0}, {.logit_bias = {{1, 1}}}), assay::Misuse);
}
