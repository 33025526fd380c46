#include "assay/validators/failures/problem_variations.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "assay/kernels/attention/problem.hpp"
#include "assay/kernels/convolution/problem.hpp"
#include "assay/kernels/softmax/problem.hpp"

using namespace assay;

namespace {

std::vector<ProblemVariation> of_kind(const std::vector<ProblemVariation>& all, const std::string& kind) {
  std::vector<ProblemVariation> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const ProblemVariation& one) { return one.kind == kind; });
  return found;
}

struct Placed {
  Index axis = -1;  ///< the last one
};
template <class Visit>
void fields(Placed& problem, Visit&& visit) {
  visit("axis", problem.axis);
}

}  // namespace

TEST_CASE("members that are ignored take their usual values") {
  SoftmaxProblem problem;
  problem.temperature = 3;
  problem.masked = true;
  const auto all = problem_variations(problem);
  const auto ignored = of_kind(all, "temperature_ignored");
  REQUIRE_FALSE(ignored.empty());
  CHECK(ignored.front().fault_class == FaultClass::missing_work);
  CHECK(varied(problem, ignored.front()).temperature == 1);
  CHECK(varied(problem, ignored.front()).masked);
  const auto inverted = of_kind(all, "temperature_inverted");
  REQUIRE(inverted.size() == 1);
  CHECK(varied(problem, inverted.front()).temperature == 1.0 / 3);
  const auto unmasked = of_kind(all, "masked_ignored");
  REQUIRE(unmasked.size() == 1);
  CHECK_FALSE(varied(problem, unmasked.front()).masked);
  const auto other_policy = of_kind(all, "fully_masked_taken_for_zeros");
  REQUIRE(other_policy.size() == 1);
  CHECK(other_policy.front().fault_class == FaultClass::special_value);
  CHECK(varied(problem, other_policy.front()).fully_masked == FullyMasked::zeros);
}

TEST_CASE("a step that is off by one leads to other places, and leaves out no work") {
  ConvolutionProblem problem;
  problem.axes[0].stride = 3;
  std::size_t strides = 0;
  for (const ProblemVariation& one : problem_variations(problem)) {
    if (one.kind != "stride_too_small" && one.kind != "stride_too_large") continue;
    CHECK(one.fault_class == FaultClass::addressing);
    ++strides;
  }
  CHECK(strides >= 2);
}

TEST_CASE("a member of all dimensions changes in all of them") {
  ConvolutionProblem problem;
  for (ConvolutionAxis& axis : problem.axes) axis.dilation = 2;
  problem.axes[0].padding_before = 1;
  const auto all = problem_variations(problem);
  bool together = false;
  for (const ProblemVariation& one : of_kind(all, "dilation_ignored")) {
    const ConvolutionProblem changed = varied(problem, one);
    together = together || (changed.axes[0].dilation == 1 && changed.axes[1].dilation == 1);
  }
  CHECK(together);
  const auto sides = of_kind(all, "padding_before_and_padding_after_exchanged");
  REQUIRE_FALSE(sides.empty());
  CHECK(varied(problem, sides.back()).axes[0].padding_after == 1);
  CHECK(varied(problem, sides.back()).axes[0].padding_before == 0);
}

TEST_CASE("a limit that is ignored lets terms in that should stay out") {
  AttentionProblem problem;
  problem.window_left = 3;
  const auto ignored = of_kind(problem_variations(problem), "window_left_ignored");
  REQUIRE_FALSE(ignored.empty());
  CHECK(ignored.front().fault_class == FaultClass::repeated_work);
  CHECK(varied(problem, ignored.front()).window_left == -1);

  const auto other_place = of_kind(problem_variations(Placed{2}), "axis_ignored");  // below 0, too, but no limit
  REQUIRE_FALSE(other_place.empty());
  CHECK(other_place.front().fault_class == FaultClass::addressing);
}

TEST_CASE("a problem without named members has no variations") {
  struct Unnamed {
    int member = 1;
  };
  CHECK(problem_variations(Unnamed{}).empty());
}
