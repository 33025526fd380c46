#include "assay/hardware/pools/allocation_trace.hpp"

#include <map>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("traces are read as they are written") {
  const AllocationTrace trace = serving_trace(500, 1 << 20, 3);
  CHECK(read_allocation_trace(allocation_trace_text(trace)).value() == trace);
  const auto small = read_allocation_trace("# a comment\n\nalloc 1 100\r\n  alloc 2 0 64\nfree 1").value();
  REQUIRE(small.size() == 3);
  CHECK(small[0].alignment == 256);
  CHECK(small[2].free);
}

TEST_CASE("what is no trace is refused with the line") {
  for (const char* text :
       {"alloc 1", "alloc 1 x", "free 1", "alloc 1 8\nalloc 1 8", "alloc 1 8\nfree 1\nfree 1", "alloc 1 8 3",
        "alloc 1 8 0", "alloc 1 8 16 4", "hello 1", "free 1 2", "alloc 1 -5", "alloc 1 99999999999999999999999"}) {
    CAPTURE(text);
    const auto trace = read_allocation_trace(text);
    REQUIRE(!trace);
    CHECK(trace.error().message.find("line ") != std::string::npos);
  }
}

TEST_CASE("a serving trace ends every allocation and keeps its limit") {
  std::map<std::uint64_t, std::size_t> living;
  std::size_t bytes = 0, most = 0;
  for (const AllocationEvent& event : serving_trace(2000, 1 << 22, 1)) {
    if (event.free) {
      REQUIRE(living.count(event.id) == 1);
      bytes -= living[event.id];
      living.erase(event.id);
      continue;
    }
    living[event.id] = event.bytes;
    bytes += event.bytes;
    most = std::max(most, bytes);
  }
  CHECK(living.empty());
  CHECK(most > 1 << 21);
  CHECK(most <= (1 << 22) + 64);
}
