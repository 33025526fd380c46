#include "assay/release/gate_report.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("findings are counted beyond those that are kept") {
  GateFindings findings;
  for (std::size_t i = 0; i < GateFindings::most_kept + 5; ++i)
    findings.add({std::to_string(i), "", Verdict::fail, "", ""});
  CHECK(findings.count == GateFindings::most_kept + 5);
  CHECK(findings.kept.size() == GateFindings::most_kept);
  CHECK(findings.kept.front().id == "0");
}

TEST_CASE("the answer is the exit code, and nothing known is no approval") {
  CHECK(static_cast<int>(ReleaseVerdict::approved) == 0);
  CHECK(static_cast<int>(ReleaseVerdict::blocked) == 1);
  CHECK(GateReport().exit_code() == 2);
  CHECK(GateResult().state == GateState::cannot_tell);
  CHECK(GateSource{"", "", "", "", 2, 3}.cut_short());
  CHECK_FALSE(GateSource{"", "", "", "", 3, 3}.cut_short());
  CHECK(name_of(GateState::cannot_tell) == "cannot tell");
  CHECK(name_of(ReleaseVerdict::blocked) == "blocked");
}
