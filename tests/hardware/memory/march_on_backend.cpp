#include "assay/hardware/memory/march_on_backend.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a march test runs on a backend's memory, and finds damage") {
  Host host(2);
  auto stream = host.make_stream().value();
  const std::size_t words = 3 * MarchChunk::words_per_chunk + 17;
  auto memory = host.allocate<std::uint64_t>(words).value();
  for (const MarchTest& test : all_march_tests()) {
    const auto backgrounds = backgrounds_of(test.backgrounds, 4, 1);
    const auto result = march_on_backend(host, stream, memory.data(), words, test, backgrounds);
    REQUIRE(result);
    CHECK(result.value().wrong_reads == 0);
    CHECK(result.value().backgrounds == backgrounds.size());
  }
  const MarchTest reads = parse_march("x", "*(w0); *(r0)").value();
  MarchTest second{"x", {reads.elements[1]}};
  const std::vector<Background> zero{{}};
  REQUIRE(march_on_backend(host, stream, memory.data(), words, reads, zero));
  memory.data()[5000] = 64;
  memory.data()[words - 1] = 1;
  const auto damaged = march_on_backend(host, stream, memory.data(), words, second, zero).value();
  CHECK(damaged.wrong_reads == 2);
  REQUIRE(damaged.defects.size() == 2);
  CHECK(damaged.defects[0].offset == 5000 * 8);
  CHECK(damaged.defects[0].flipped() == 64);
  CHECK(damaged.defects[1].offset == (words - 1) * 8);
}
