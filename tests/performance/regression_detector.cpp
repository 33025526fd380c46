#include "assay/performance/regression_detector.hpp"

#include "performance/series_of_runs.hpp"

using namespace assay;

namespace {
struct Accuser {
  std::string name() const { return "accuser"; }
  RegressionJudgement judge(const RunSeries& series) const {
    RegressionJudgement judgement;
    judgement.verdict = RegressionVerdict::regressed;
    judgement.reason = series.name;
    return judgement;
  }
};
struct Nameless {
  RegressionJudgement judge(const RunSeries&) const { return {}; }
};
struct Changing {
  std::string name() const { return ""; }
  RegressionJudgement judge(const RunSeries&) { return {}; }
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
  const RegressionJudgement judgement = copy.judge(assay::testing::runs_with(0, 0, 1, 1));
  CHECK(judgement.verdict == RegressionVerdict::regressed);
  CHECK(judgement.reason == "gemm/seconds");
}
