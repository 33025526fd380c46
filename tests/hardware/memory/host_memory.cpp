#include "assay/hardware/memory/host_memory.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("memory of the host is whole pages, and what is not available is refused") {
  HostMemory memory = HostMemory::take(5000).value();
  CHECK(memory.words().size_bytes() == 8192);
  const HostMemory taken = std::move(memory);
  CHECK(memory.words().empty());
  CHECK(taken.words().size() == 1024);
  for (const std::size_t bytes : {std::size_t{0}, SIZE_MAX, SIZE_MAX / 2}) {
    const auto refused = HostMemory::take(bytes);
    REQUIRE(!refused);
    CHECK(refused.error().kind == ErrorKind::out_of_memory);
  }
}
