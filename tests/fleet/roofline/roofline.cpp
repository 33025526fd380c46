#include "assay/fleet/roofline/roofline.hpp"

#include <limits>

#include "assay/fleet/chips/chip_catalog.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

RooflineMachine h100() {
  return machine_of(ChipCatalog::known().find("H100 SXM").value(), "bf16").value();
}
const OperationWork gemm{2.0 * 4096 * 4096 * 4096, 3.0 * 4096 * 4096 * 2};
const OperationWork triad{2e9, 6e9};

}  // namespace

TEST_CASE("a roof has two parts, and a ridge between them") {
  const RooflineMachine machine = h100();
  CHECK(machine.ridge("memory") == Approx(989e12 / 3350e9));
  CHECK(machine.ridge("link") == Approx(989e12 / 450e9));
  CHECK(roofline_bound(gemm, machine).by == "arithmetic");
  CHECK(roofline_bound(gemm, machine).operations_per_second == Approx(989e12));
  CHECK(roofline_bound(triad, machine).by == "memory");
  CHECK(roofline_bound(triad, machine).seconds == Approx(6e9 / 3350e9));
  CHECK(roofline_bound(triad, machine, "link").seconds == Approx(6e9 / 450e9));
  CHECK(roofline_bound({0, 6e9}, machine).operations_per_second == 0);
  CHECK_THROWS_AS(static_cast<void>(roofline_bound(gemm, machine, "L7")), Misuse);
}

TEST_CASE("a measured time has its share of the ceiling") {
  const RooflineMachine machine = h100();
  const double least = roofline_bound(gemm, machine).seconds;
  const Outcome good = judge_roofline("gemm", gemm, least / 0.7, machine, 0.6);
  CHECK(good.verdict == Verdict::pass);
  CHECK(*good.measurement("share_of_ceiling") == Approx(0.7));
  CHECK(judge_roofline("gemm", gemm, least / 0.5, machine, 0.6).verdict == Verdict::fail);
}

TEST_CASE("what is quicker than the machine can be did not run") {
  const RooflineMachine machine = h100();
  const Outcome impossible = judge_roofline("gemm", gemm, roofline_bound(gemm, machine).seconds / 20, machine);
  CHECK(impossible.verdict == Verdict::fail);
  CHECK_THAT(impossible.reason, contains("quicker than the machine can be"));
  CHECK(judge_roofline("triad", triad, roofline_bound(triad, machine).seconds / 2, machine).verdict == Verdict::fail);
  RooflineMachine cached = machine;
  cached.ceilings.push_back({"L2", 12e12});
  CHECK(judge_roofline("triad", triad, roofline_bound(triad, machine).seconds / 2, cached).verdict == Verdict::pass);
  for (const double time :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK(judge_roofline("gemm", gemm, time, machine).verdict == Verdict::error);
}

TEST_CASE("low confidence gates nothing, and absent figures are not guessed") {
  Chip chip = ChipCatalog::known().find("Rubin").value();
  const RooflineMachine machine = machine_of(chip, "bf16").value();
  CHECK(judge_roofline("gemm", gemm, 1e-9, machine).verdict == Verdict::inconclusive);
  CHECK(judge_roofline("gemm", gemm, 1, machine, 0.9).verdict == Verdict::inconclusive);
  CHECK_THAT(machine_of(ChipCatalog::known().find("A100 SXM").value(), "fp8").error().message,
             contains("states no peak"));
  chip.memory_bandwidth.reset();
  CHECK(machine_of(chip, "bf16").error().kind == ErrorKind::unsupported);
}
