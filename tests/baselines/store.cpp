#include "assay/baselines/store.hpp"

#include "assay/baselines/memory_store.hpp"
#include "testing/store_conformance.hpp"

using namespace assay;

TEST_CASE("keys of a store") {
  for (const char* key : {"a", "0", "a.b-c", "deadbeef.candidate"}) CHECK(is_store_key(key));
  for (const char* key : {"", ".a", "-a", "A", "a_b", "a/b", "a b", "ä"}) CHECK_FALSE(is_store_key(key));
  CHECK(is_store_key(std::string(100, 'a')));
  CHECK_FALSE(is_store_key(std::string(101, 'a')));
}
