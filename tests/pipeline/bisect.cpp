#include "assay/pipeline/bisect.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A chain of thousands takes a dozen of comparisons", "[pipeline]") {
  for (const std::size_t first : {0u, 1u, 2500u, 4998u, 4999u}) {
    const auto found = bisect_chain(5000, [&](std::size_t node) -> Result<bool> { return node >= first; });
    REQUIRE(found);
    CHECK(found.value().first == first);
    CHECK(found.value().monotone);
    CHECK(found.value().runs <= 14 + 8);
  }
}

TEST_CASE("A right chain has no first", "[pipeline]") {
  const auto found = bisect_chain(1000, [](std::size_t) -> Result<bool> { return false; });
  CHECK(!found.value().first);
  CHECK(found.value().runs <= 5);
  CHECK(!bisect_chain(0, [](std::size_t) -> Result<bool> { return true; }).value().first);
  CHECK(bisect_chain(1, [](std::size_t) -> Result<bool> { return true; }).value().first == 0u);
}

TEST_CASE("An error that comes and goes is scanned for", "[pipeline]") {
  const auto found =
      bisect_chain(1000, [](std::size_t node) -> Result<bool> { return (node >= 150 && node < 450) || node >= 900; });
  REQUIRE(found);
  CHECK(!found.value().monotone);
  CHECK(found.value().first == 150u);
}

TEST_CASE("A comparison that fails ends the search", "[pipeline]") {
  CHECK(!bisect_chain(10, [](std::size_t node) -> Result<bool> {
    if (node == 4) return failure(ErrorKind::io, "gone");
    return node >= 3;
  }));
}
