#include "assay/baselines/memory_store.hpp"

#include "testing/store_conformance.hpp"

using namespace assay;

TEST_CASE("the store in memory is a store") {
  testing::check_store([] { return MemoryStore(); }, false);
}
