#include "assay/collectives/faults/collective_faults.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("faults of collectives have names of their own, and calls that they fit", "[collectives]") {
  std::set<std::string> names;
  for (const CollectiveFault& fault : collective_faults()) {
    CAPTURE(fault.name);
    CHECK(names.insert(fault.name).second);
    CHECK(fault.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    CHECK_FALSE(fault.effect.empty());
    for (const std::string& operation : fault.operations) CHECK(collective_operation_named(operation));
    int fitting = 0;
    for (const CollectiveOperation operation : all_collective_operations)
      for (const ReductionOperator reduction : all_reductions)
        for (const ElementType type : all_element_types) fitting += fault.fits(operation, reduction, type) ? 1 : 0;
    CHECK(fitting > 0);
    CHECK((fault.fault_class == FaultClass::progress) ==
          (fault.symptom == FaultSymptom::mismatch || fault.symptom == FaultSymptom::absence ||
           fault.symptom == FaultSymptom::time));
  }
  CHECK(names.size() == 37);
}

TEST_CASE("a fault of collectives is found by its name", "[collectives]") {
  const auto fault = collective_fault_named("average_not_divided");
  REQUIRE(fault);
  CHECK(fault->reductions == std::vector<ReductionOperator>{ReductionOperator::average});
  CHECK_FALSE(collective_fault_named("average_not_divide"));
  CHECK_FALSE(collective_fault_named(""));
}
