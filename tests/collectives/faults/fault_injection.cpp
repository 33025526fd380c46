#include "assay/collectives/faults/fault_injection.hpp"

#include "assay/collectives/faults/detail/collective_blocks.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the chunk of an injection lies within the block, whatever was asked", "[collectives]") {
  FaultInjection how;
  CHECK(how.fault.empty());
  const auto range = [&](Index count) {
    const detail::ElementRange chunk = detail::chunk_of(how, count);
    return std::vector<Index>{chunk.first, chunk.last};
  };
  CHECK(range(9) == std::vector<Index>{0, 4});
  how.chunk = 1;
  CHECK(range(9) == std::vector<Index>{4, 9});
  how.chunk = 7;
  CHECK(range(9) == std::vector<Index>{4, 9});
  how.chunk = -3;
  CHECK(range(9) == std::vector<Index>{0, 4});
  how.chunks = 100;
  how.chunk = 99;
  CHECK(range(3) == std::vector<Index>{2, 3});
  CHECK(range(0) == std::vector<Index>{0, 0});
}
