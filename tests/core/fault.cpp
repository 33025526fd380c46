#include "assay/core/fault.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using assay::Fault;
using assay::FaultClass;

TEST_CASE("every class of faults has a name of its own", "[core]") {
  std::set<std::string> names;
  for (const FaultClass fault_class :
       {FaultClass::missing_work, FaultClass::repeated_work, FaultClass::precision, FaultClass::rounding,
        FaultClass::addressing, FaultClass::special_value, FaultClass::memory, FaultClass::state, FaultClass::progress})
    names.insert(std::string(name_of(fault_class)));
  CHECK(names.size() == 9);
  CHECK(names.count("missing_work") == 1);
}

TEST_CASE("a fault fits the operations it names, and every operation if it names none", "[core]") {
  Fault fault{"k_tail_dropped",
              FaultClass::missing_work,
              "the terms after the last full tile are not added",
              {"gemm", "convolution"}};
  CHECK(fault.fits("gemm"));
  CHECK(fault.fits("convolution"));
  CHECK_FALSE(fault.fits("softmax"));
  CHECK_FALSE(fault.fits("gem"));
  CHECK_FALSE(fault.fits(""));
  fault.operations.clear();
  CHECK(fault.fits("softmax"));
}
