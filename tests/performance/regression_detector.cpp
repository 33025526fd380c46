#include "assay/performance/regression_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;

namespace {
struct Accuser {
  std::string name() const { return "accuser"; }
  RegressionJudgment judge(const RunSeries& series) const {
    RegressionJudgment judgment;
    judgment.verdict = RegressionVerdict::regressed;
    judgment.reason = series.name;
    return judgment;
  }
};
struct Nameless {
  RegressionJudgment judge(const RunSeries&) const { return {}; }
};
struct Changing {
  std::string name() const { return ""; }
  RegressionJudgment judge(const RunSeries&) { return {}; }
};
static_assert(RegressionDetector<Accuser>);
static_assert(RegressionDetector<AnyRegressionDetector>);
static_assert(!RegressionDetector<Nameless>);
static_assert(!RegressionDetector<Changing>);
}  // namespace

TEST_CASE("any detector says what the one in it says", "[performance]") {
  AnyRegressionDetector any = Accuser();
  const AnyRegressionDetector copy = any;
  any = AnyRegressionDetector(Accuser());
  CHECK(copy.name() == "accuser");
  const RegressionJudgment judgment = copy.judge(assay::testing::runs_with(0, 0, 1, 1));
  CHECK(judgment.verdict == RegressionVerdict::regressed);
  CHECK(judgment.reason == "gemm/seconds");
}
