#include "assay/collectives/faults/collective_fault.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a fault of collectives fits the operations, reductions and types that it names", "[collectives]") {
  CollectiveFault fault{
      {"average_rounded_down", FaultClass::rounding, "rounds averages down", {"all_reduce", "broadcast", "barrier"}},
      FaultSymptom::values,
      {ReductionOperator::average},
      {ElementType::int32}};
  CHECK(fault.fits(CollectiveOperation::all_reduce));
  CHECK_FALSE(fault.fits(CollectiveOperation::reduce));
  CHECK(fault.fits(CollectiveOperation::all_reduce, ReductionOperator::average, ElementType::int32));
  CHECK_FALSE(fault.fits(CollectiveOperation::all_reduce, ReductionOperator::sum, ElementType::int32));
  CHECK_FALSE(fault.fits(CollectiveOperation::all_reduce, ReductionOperator::average, ElementType::float32));

  SECTION("the reduction counts only where elements are reduced, the type only where there are any") {
    CHECK(fault.fits(CollectiveOperation::broadcast, ReductionOperator::sum, ElementType::int32));
    CHECK_FALSE(fault.fits(CollectiveOperation::broadcast, ReductionOperator::sum, ElementType::float32));
    CHECK(fault.fits(CollectiveOperation::barrier, ReductionOperator::sum, ElementType::float32));
  }
  SECTION("no list, no condition") {
    fault.operations.clear();
    fault.reductions.clear();
    fault.types.clear();
    for (const CollectiveOperation operation : all_collective_operations)
      CHECK(fault.fits(operation, ReductionOperator::product, ElementType::float8_e5m2));
  }
}
