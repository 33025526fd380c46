#include "assay/hardware/memory/cell_fault.hpp"

#include <set>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every kind of fault has a class; three are faults of addresses") {
  std::set<std::string_view> classes;
  for (const CellFaultKind kind : all_cell_fault_kinds) classes.insert(class_of(kind));
  CHECK(classes.size() == 13);
  CHECK(class_of(CellFaultKind::other_cell) == "AF");
  CHECK(class_of(CellFaultKind::coupling_idempotent) == "CFid");
}
