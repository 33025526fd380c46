#include "assay/collectives/measurement/nccl_names.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("types and reductions have nccl-tests' names, and are found by either") {
  CHECK(nccl_name_of(ElementType::float16) == "half");
  CHECK(nccl_name_of(ElementType::float8_e4m3fn) == "f8e4m3");
  CHECK(nccl_name_of(ElementType::int32) == "int32");
  CHECK(nccl_name_of(ReductionOperator::premultiplied_sum) == "mulsum");
  for (const ElementType type : all_element_types) {
    CHECK(element_type_by_any_name(nccl_name_of(type)) == type);
    CHECK(element_type_by_any_name(name_of(type)) == type);
  }
  for (const ReductionOperator reduction : all_reductions) {
    CHECK(reduction_by_any_name(nccl_name_of(reduction)) == reduction);
    CHECK(reduction_by_any_name(name_of(reduction)) == reduction);
  }
  CHECK(!element_type_by_any_name("float33"));
  CHECK(!reduction_by_any_name("mean"));
}
