#include "assay/fleet/population/fleet_results.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::string fleet(std::size_t nodes, std::size_t units) {
  std::string csv = "node,unit,class,metric,value\n";
  for (std::size_t node = 0; node < nodes; ++node)
    for (std::size_t unit = 0; unit < units; ++unit)
      csv += "n" + std::to_string(node) + ",gpu" + std::to_string(unit) + ",H100,gemm_tflops," +
             std::to_string(700 + static_cast<double>((node * 7 + unit * 3) % 11) / 10) + "\n";
  return csv;
}

std::vector<Outcome> outcomes_of(const std::string& csv) {
  FleetResults results;
  REQUIRE(add_fleet_results(csv, results).has_value());
  return fleet_outcomes(results);
}

}  // namespace

TEST_CASE("a fleet without suspects passes") {
  const auto outcomes = outcomes_of(fleet(20, 8));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].verdict == Verdict::pass);
  CHECK(outcomes[0].id == "fleet/gemm_tflops/H100");
}

TEST_CASE("a slow unit is named, a slow node once") {
  const auto outcomes = outcomes_of(fleet(20, 4) +
                                    "bad,gpu0,H100,gemm_tflops,500\nbad,gpu1,H100,gemm_tflops,510\n"
                                    "bad,gpu2,H100,gemm_tflops,505\nbad,gpu3,H100,gemm_tflops,700\n"
                                    "one,gpu0,H100,gemm_tflops,600\none,gpu1,H100,gemm_tflops,700\n"
                                    "odd,gpu0,H100,gemm_tflops,9000\nnone,gpu0,H100,gemm_tflops,ERR!\n");
  REQUIRE(outcomes.size() == 4);
  CHECK(outcomes[0].id == "fleet/gemm_tflops/H100/bad");
  CHECK_THAT(outcomes[0].diagnosis.at(0), contains("3 of 4 units"));
  CHECK(outcomes[1].id == "fleet/gemm_tflops/H100/one/gpu0");
  CHECK(outcomes[1].verdict == Verdict::fail);
  CHECK(outcomes[2].verdict == Verdict::inconclusive);  // too good
  CHECK(outcomes[3].id == "fleet/gemm_tflops/H100/none/gpu0");
}

TEST_CASE("who has no value that is a number is not passed over") {
  for (const char* none : {"ERR!", "inf", "nan", "1e200", ""}) {
    const auto outcomes = outcomes_of(fleet(20, 8) + "none,gpu0,H100,gemm_tflops," + none + "\n" +
                                      "n1,gpu1,H100,gemm_tflops,ERR!\n");  // which has another one
    REQUIRE(outcomes.size() == 2);
    CHECK(outcomes[0].verdict == Verdict::pass);
    CHECK(*outcomes[0].measurement("left_out") == 2);
    CHECK(outcomes[1].id == "fleet/gemm_tflops/H100/none/gpu0");
    CHECK(outcomes[1].verdict == Verdict::inconclusive);
    CHECK_THAT(outcomes[1].reason, contains("no value of it is a number"));
    CHECK(outcomes[1].label("node") == "none");
  }
}

TEST_CASE("files are merged, and few peers decide nothing") {
  FleetResults results;
  REQUIRE(add_fleet_results("node,metric,value,direction\na,latency,1,lower_is_better\n", results).has_value());
  REQUIRE(add_fleet_results("node,metric,value,direction\nb,latency,1,lower_is_better\n", results).has_value());
  CHECK(results.groups.size() == 1);
  CHECK_FALSE(results.groups[0].higher_is_better);
  REQUIRE(fleet_outcomes(results).size() == 1);
  CHECK(fleet_outcomes(results)[0].verdict == Verdict::inconclusive);
}

TEST_CASE("results that cannot be meant") {
  const auto refusal = [](const std::string& csv) {
    FleetResults results;
    const auto added = add_fleet_results(csv, results);
    return added ? std::string() : added.error().message;
  };
  CHECK_THAT(refusal(""), contains("begin with a line"));
  CHECK_THAT(refusal("node,metric,valu\n"), contains("nearest: value"));
  CHECK_THAT(refusal("node,metric\n"), contains("no column 'value'"));
  CHECK_THAT(refusal("node,metric,value,node\n"), contains("two columns"));
  CHECK_THAT(refusal("node,metric,value\na,b\n"), contains("line 2"));
  CHECK_THAT(refusal("node,metric,value\n,b,1\n"), contains("has a node"));
  CHECK_THAT(refusal("node,metric,value,direction\na,b,1,up\n"), contains("unknown direction"));
  CHECK_THAT(refusal("node,metric,value,direction\na,b,1,lower_is_better\na,b,1,higher_is_better\n"),
             contains("other direction"));
}
