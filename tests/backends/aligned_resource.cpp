#include "assay/backends/aligned_resource.hpp"

#include <cstring>
#include <limits>

#include "testing/catch.hpp"

TEST_CASE("the heap gives memory aligned as asked", "[backends]") {
  assay::AlignedResource resource;
  for (std::size_t alignment = 8; alignment <= 4096; alignment *= 2)
    for (std::size_t bytes = 1; bytes <= 100000; bytes = bytes * 7 + 3) {
      void* const memory = resource.allocate(bytes, alignment);
      REQUIRE(memory != nullptr);
      CHECK(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0);
      std::memset(memory, 0xA5, bytes);
      resource.deallocate(memory, bytes, alignment);
    }
}

TEST_CASE("the heap refuses with a null pointer", "[backends]") {
  assay::AlignedResource resource;
  constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {everything, everything - 63, everything / 2 + 1, std::size_t{1} << 60})
    CHECK(resource.allocate(bytes, 64) == nullptr);
}
