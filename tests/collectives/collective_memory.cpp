#include "assay/collectives/collective_memory.hpp"

#include <cstdint>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("host memory is aligned, keeps what is written, and says when there is none") {
  const CollectiveMemory memory;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    const auto block = memory.allocate(bytes);
    REQUIRE(block);
    CHECK(reinterpret_cast<std::uintptr_t>(block.value()) % 256 == 0);
    const std::string given(bytes, 'x');
    std::string taken(bytes, ' ');
    REQUIRE(memory.write(block.value(), given.data(), bytes));
    REQUIRE(memory.read(taken.data(), block.value(), bytes));
    CHECK(taken == given);
    memory.deallocate(block.value(), bytes);
  }
  const auto refused = memory.allocate(std::size_t{1} << 62);
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
}
