#include "assay/baselines/any_store.hpp"

#include "assay/baselines/memory_store.hpp"
#include "testing/store_conformance.hpp"

using namespace assay;

TEST_CASE("a store behind one type is a store") {
  testing::check_store([] { return AnyStore(MemoryStore()); }, false);
  CHECK(AnyStore(MemoryStore()).describe() == "the store in memory");
}
