#include "assay/validators/failures/add_diagnoses.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("an outcome keeps the three likeliest diagnoses, before its other findings") {
  Outcome outcome;
  outcome.diagnosis = {"rows 3 to 5 hold all violations"};
  HeatMap picture;
  picture.title = "violations of y";
  add_diagnoses({{FaultClass::state, "race", Confidence::likely, {"first"}, picture},
                 {FaultClass::memory, "overrun", Confidence::possible, {"second"}, {}},
                 {FaultClass::memory, "overrun", Confidence::possible, {"third"}, {}},
                 {FaultClass::memory, "overrun", Confidence::possible, {"fourth"}, {}}},
                outcome);
  REQUIRE(outcome.diagnosis.size() == 4);
  CHECK(outcome.diagnosis[0] == "likely: state, race: first");
  CHECK(outcome.diagnosis[2].find("third") != std::string::npos);
  CHECK(outcome.diagnosis[3] == "rows 3 to 5 hold all violations");
  CHECK(outcome.label("fault_class") == "state");
  REQUIRE(outcome.heat_maps.size() == 1);
  add_diagnoses({{FaultClass::state, "race", Confidence::likely, {"first"}, picture}}, outcome);
  CHECK(outcome.heat_maps.size() == 1);
  Outcome none;
  add_diagnoses({}, none);
  CHECK(none.diagnosis.empty());
  CHECK(none.labels.empty());
}
