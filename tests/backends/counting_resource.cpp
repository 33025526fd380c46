#include "assay/backends/counting_resource.hpp"

#include <thread>
#include <vector>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

static_assert(MemoryResource<CountingResource<>>);

TEST_CASE("a counting resource tells what is in use, the peak, and what was never given back") {
  CountingResource<> resource;
  BasicHost<CountingResource<>> host(1, resource);
  auto kept = host.allocate<double>(100);
  {
    auto more = host.allocate<char>(1000);
    CHECK(resource.usage().current_bytes == 1800);
  }
  auto small = host.allocate<char>(10);
  ResourceUsage usage = resource.usage();
  CHECK(usage.current_bytes == 810);
  CHECK(usage.peak_bytes == 1800);
  CHECK(usage.total_bytes == 1810);
  CHECK(usage.allocations == 3);
  CHECK(usage.living() == 2);
  resource.forget_peak();
  CHECK(resource.usage().peak_bytes == 810);
  kept = host.allocate<double>(0);
  small = host.allocate<char>(0);
  CHECK(resource.usage().current_bytes == 0);
  CHECK(resource.usage().living() == 0);
}

TEST_CASE("a counting resource refuses what goes beyond its limit, and nothing else") {
  CountingResource<> resource(1000);
  BasicHost<CountingResource<>> host(1, resource);
  auto first = host.allocate<char>(600);
  REQUIRE(first);
  const auto refused = host.allocate<char>(401);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
  CHECK(host.allocate<char>(400));
  CHECK_FALSE(host.allocate<char>(SIZE_MAX - 100));
  CHECK(resource.usage().refusals == 2);
  CHECK(resource.usage().current_bytes == 600);
  resource.set_limit(CountingResource<>::unlimited);
  CHECK(host.allocate<char>(4000));
  CHECK_FALSE(host.allocate<char>(SIZE_MAX - 100));  // the upstream's refusal is no use
  CHECK(resource.usage().current_bytes == 600);
}

TEST_CASE("a counting resource counts for many threads") {
  CountingResource<> resource;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([resource]() mutable {
      for (int i = 0; i < 500; ++i) {
        void* const memory = resource.allocate(64, 64);
        resource.deallocate(memory, 64, 64);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(resource.usage().allocations == 2000);
  CHECK(resource.usage().living() == 0);
  CHECK(resource.usage().current_bytes == 0);
  CHECK(resource.usage().peak_bytes <= 256);
}
