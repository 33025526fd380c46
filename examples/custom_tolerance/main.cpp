// A tolerance of one's own, and one that combines it with Assay's: any trivially copyable type with interval and
// describe.
#include <cstdio>
#include <string>
#include <vector>

#include "assay/matchers/match.hpp"
#include "assay/tolerance/combine.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/ulps.hpp"

/// So many units in the last place; but below `small`, where cancellation leaves no figures, an absolute error.
struct MixedTolerance {
  unsigned ulps = 2;
  double small = 1e-6;

  template <assay::Format T>
  assay::AcceptanceInterval interval(assay::ExpectedElement expected) const {
    const assay::AcceptanceInterval by_ulps =
        assay::UlpTolerance{ulps}.interval<T>(expected);  // knows of NaN, infinities, overflow
    const bool is_small = -small < expected.value && expected.value < small;
    return is_small ? assay::AcceptanceInterval{expected.value - small, expected.value + small, false, false} : by_ulps;
  }
  std::string describe() const {
    return "mixed: within " + std::to_string(ulps) + " ulps, or " + std::to_string(small) + " near zero";
  }
};
static_assert(assay::Tolerance<MixedTolerance, float> && assay::Tolerance<MixedTolerance, assay::bfloat16>);

/// An int8-quantized layer: each element off by at most half a step of its own channel, and E says how wide half a step
/// is.
struct HalfStepTolerance {
  template <assay::Format T>
  assay::AcceptanceInterval interval(assay::ExpectedElement expected) const {
    return {expected.value - expected.error, expected.value + expected.error, false, !assay::is_finite(expected.value)};
  }
  std::string describe() const { return "within half a quantization step of the element's channel"; }
};
static_assert(assay::Tolerance<HalfStepTolerance, float>);

int failures = 0;

void show(bool wanted, const assay::MatchResult& found) {
  std::printf("%s\n\n", found.explanation.c_str());
  failures += found.matched != wanted;
}

int main() {
  const std::vector<double> expected{1, 1e-9, 1000};
  show(true, assay::match(std::vector<float>{1.0000001f, 5e-7f, 1000}, expected, MixedTolerance{}));
  show(false, assay::match(std::vector<float>{1.00001f, 5e-7f, 1000}, expected, MixedTolerance{}));

  const double outputs[2][3] = {{1, 2, 3}, {10, 20, 30}};  // two channels
  const double half_steps[2][3] = {{.05, .05, .05}, {.5, .5, .5}};
  const float quantized[2][3] = {{1.04f, 2.04f, 2.96f}, {10.4f, 19.6f, 30.4f}},
              wrong[2][3] = {{1.04f, 2.4f, 2.96f}, {10.4f, 19.6f, 30.4f}};
  const auto reference = assay::with_error_bounds(outputs, half_steps);
  show(true, assay::match(quantized, reference, HalfStepTolerance{}));
  show(false, assay::match(wrong, reference, HalfStepTolerance{}));
  show(true, assay::match(wrong, reference,
                          assay::any_of(HalfStepTolerance{}, assay::scaled(assay::DerivedTolerance{}, 10))));
  return failures;
}
