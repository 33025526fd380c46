#include "assay/validators/faults/common_fault.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "testing/catch.hpp"
#include "validators/faults/doubling.hpp"

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

TEST_CASE("a launch that fails is not spoilt") {
  testing::Doubling doubling;
  CommonFault fault("zero_output");
  CHECK_FALSE(fault.launch(doubling.specs, doubling.operands,
                           [](const OperandArray&) -> Result<void> { return failure(ErrorKind::unsupported, "no"); }));
  CHECK(doubling.at(0) == -7);
}
