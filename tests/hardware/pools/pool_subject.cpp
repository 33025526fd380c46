#include "assay/hardware/pools/pool_subject.hpp"

#include "assay/backends/recycling_resource.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("any memory resource becomes a subject, with its release where it has one") {
  const PoolSubject plain = pool_subject("heap", std::make_shared<AlignedResource>());
  void* const memory = plain.allocate(100, 64);
  CHECK(memory != nullptr);
  plain.deallocate(memory, 100, 64);
  CHECK(!plain.release);
  CHECK(!plain.reserved_bytes);
  CHECK(pool_subject("recycling", std::make_shared<RecyclingResource<>>()).release);
}
