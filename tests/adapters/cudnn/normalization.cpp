#include "assay/adapters/cudnn/normalization.hpp"

#include "adapters/cudnn/told.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

double value(std::size_t operand, Index element) {
  return static_cast<double>((element * 13 + static_cast<Index>(operand) * 5) % 17) / 4 - 1.5;
}

double told_otherwise(const NormalizationProblem& problem, Index gap) {
  return testing::told_otherwise<Normalization>(problem, gap, value, [&](const OperandArray& operands) {
    return detail::cudnn_normalization_graph(problem, operands);
  });
}

}  // namespace

TEST_CASE(
    "cuDNN is told normalizations as they are: layer, rms and instances, with and without statistics, with gaps") {
  int told = 0;
  for (const auto kind : {NormalizationKind::layer, NormalizationKind::rms, NormalizationKind::group})
    for (const auto saved : {SavedStatistics::none, SavedStatistics::inverse_deviation})
      for (const bool beta : {true, false})
        for (const Index gap : {0, 5}) {
          NormalizationProblem problem;
          problem.kind = kind;
          problem.outer = 6;
          problem.channels = 24;
          problem.saved = saved;
          problem.beta = beta;
          problem.epsilon = 0.01;
          if (kind == NormalizationKind::group) problem.groups = 24, problem.inner = 9;
          if (!detail::cudnn_normalization_refusal(problem).empty()) continue;
          INFO(Normalization::operation_of(problem) << " " << name_of(problem) << ", gap " << gap);
          CHECK(told_otherwise(problem, gap) < 1e-5);
          ++told;
        }
  CHECK(told == 16);
}

TEST_CASE("What cuDNN's normalizations have not is refused in words") {
  const auto refusal = [](auto change) {
    NormalizationProblem problem;
    problem.channels = 8;
    change(problem);
    return detail::cudnn_normalization_refusal(problem);
  };
  CHECK(refusal([](NormalizationProblem&) {}) == "");
  CHECK_THAT(refusal([](NormalizationProblem& problem) { problem.kind = NormalizationKind::batch; }),
             contains("variances"));
  CHECK_THAT(
      refusal([](NormalizationProblem& problem) { problem.kind = NormalizationKind::group, problem.groups = 4; }),
      contains("groups of channels"));
  CHECK_THAT(refusal([](NormalizationProblem& problem) { problem.saved = SavedStatistics::variance; }),
             contains("inverse deviations"));
  CHECK_THAT(refusal([](NormalizationProblem& problem) {
               problem.saved = SavedStatistics::inverse_deviation, problem.parameters = element_format<bfloat16>();
             }),
             contains("statistics in f32"));
  CHECK_THAT(refusal([](NormalizationProblem& problem) { problem.gamma = false; }), contains("gamma"));
  CHECK_THAT(refusal([](NormalizationProblem& problem) { problem.beta = false; }), contains("beta"));
  CHECK_THAT(refusal([](NormalizationProblem& problem) { problem.outer = 0; }), contains("without elements"));
}
