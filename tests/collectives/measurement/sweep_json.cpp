#include "assay/collectives/measurement/sweep_json.hpp"

#include "collectives/measurement/sweep_sample.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the document has the members of nccl-tests'") {
  const auto json = nlohmann::json::parse(sweep_json_text(sweep_sample()));
  CHECK(json["config"]["ranks"] == 4);
  CHECK(json["out_of_bounds"]["count"] == 7);
  CHECK(json["out_of_bounds"]["okay"] == false);
  CHECK(json["average_bus_bandwidth"]["bandwidth"].get<double>() == Approx(2.25213).epsilon(1e-5));
  const auto& results = json["results"];
  REQUIRE(results.size() == 3);
  CHECK(results[0]["size"] == 100'000'000);
  CHECK(results[0]["type"] == "float");
  CHECK(results[0]["root"] == -1);
  CHECK(results[0]["out_of_place"]["time"].get<double>() == Approx(50'000));
  CHECK(results[0]["in_place"]["nwrong"] == 7);
  CHECK(results[0]["in_place"]["findings"].size() == 1);
  CHECK(results[0]["out_of_place_per_iter"]["times_us"].size() == 2);
  CHECK(results[1]["root"] == 3);
  CHECK(results[1]["out_of_place"]["nwrong"].is_null());  // not verified
  CHECK(results[2]["out_of_place"]["error"] == "mpi has no all_to_all");
}
