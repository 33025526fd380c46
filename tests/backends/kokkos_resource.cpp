#include "assay/backends/kokkos_resource.hpp"

#include <cstring>
#include <initializer_list>
#include <limits>

#include "assay/backends/memory_resource.hpp"
#include "testing/catch.hpp"

using Resource = assay::KokkosResource<Kokkos::HostSpace>;
static_assert(assay::MemoryResource<Resource>);

TEST_CASE("a Kokkos resource gives aligned, writable memory", "[backends]") {
  Resource resource;
  for (const std::size_t bytes : std::initializer_list<std::size_t>{1, 63, 64, 1000000}) {
    void* const memory = resource.allocate(bytes, 64);
    REQUIRE(memory != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
    std::memset(memory, 0x5A, bytes);
    CHECK(static_cast<unsigned char*>(memory)[bytes - 1] == 0x5A);
    resource.deallocate(memory, bytes, 64);
  }
}

TEST_CASE("a Kokkos resource refuses with a null pointer what nobody has", "[backends]") {
  Resource resource;
  constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {std::size_t{1} << 60, everything / 2, everything - 100, everything})
    CHECK(resource.allocate(bytes, 64) == nullptr);
}
