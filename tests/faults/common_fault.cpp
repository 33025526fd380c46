#include "assay/faults/common_fault.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "faults/doubling.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("common faults have names of their own, an effect, and fit every operation") {
  std::set<std::string> names;
  for (const Fault& fault : common_operation_faults()) {
    INFO(fault.name);
    CHECK(names.insert(fault.name).second);
    CHECK((!fault.effect.empty() && fault.fits("softmax")));
    (void)CommonFault(fault.name);
  }
  CHECK(names.size() >= 50);
}

TEST_CASE("an unknown common fault is misuse, and the message has the nearest name") {
  CHECK_THROWS_WITH(CommonFault("fliped_bit"), testing::contains("flipped_bit"));
}

TEST_CASE("faults of one's own are done to launches as those of the corpus are") {
  testing::Doubling doubling;
  const auto launch = [&](CommonFault& fault) {
    return fault.launch(doubling.specs, doubling.operands, &testing::Doubling::kernel).has_value();
  };
  CommonFault written(OutputFault{{"hundred", FaultClass::state, "writes 100", {}},
                                  [](const OutputLaunch& of) { of.output().store(1, 100); }});
  REQUIRE(launch(written));
  CHECK(doubling.at(1) == 100);
  CommonFault read(InputFault{{"ones", FaultClass::missing_work, "reads ones", {}},
                              [](const InputRead& in, Index) { return in.input.format.encode(1); }});
  REQUIRE(launch(read));
  CHECK((doubling.at(0) == 2 && doubling.at(1) == 2));
  CommonFault rounded(RoundingFault{{"threes", FaultClass::rounding, "rounds to three", {}},
                                    [](double, const ElementFormat& format, Index) { return format.encode(3); }});
  REQUIRE(launch(rounded));
  CHECK(doubling.at(0) == 3);
  CommonFault kept(StateFault{{"second", FaultClass::state, "writes how often it ran", {}},
                              [](const LaunchHistory& history, const OutputLaunch& of) {
                                of.output().store(0, static_cast<double>(history.launches));
                              }});
  REQUIRE((launch(kept) && launch(kept)));
  CHECK(doubling.at(0) == 1);
  CHECK(fault_of(common_fault_named("lost_race")).fault_class == FaultClass::state);
}

TEST_CASE("a launch that fails is not spoilt") {
  testing::Doubling doubling;
  CommonFault fault("zero_output");
  CHECK_FALSE(fault.launch(doubling.specs, doubling.operands,
                           [](const OperandArray&) -> Result<void> { return failure(ErrorKind::unsupported, "no"); }));
  CHECK(doubling.at(0) == -7);
}
