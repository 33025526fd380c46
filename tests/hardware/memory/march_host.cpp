#include "assay/hardware/memory/march_host.hpp"

#include "assay/core/misuse.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/memory/host_memory.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

MarchHostOptions one_thread() {
  MarchHostOptions options;
  options.processors = {detail::chosen_processors({}).front()};
  options.pause_seconds = 0.001;
  options.cache_bytes = 1 << 16;
  return options;
}

}  // namespace

TEST_CASE("right memory passes every march test, on one thread and on all") {
  const HostMemory memory = HostMemory::take(1 << 13).value();
  for (const MarchTest& test : all_march_tests()) {
    CAPTURE(test.name);
    for (const bool all : {false, true}) {
      MarchHostOptions options = one_thread();
      if (all) options.processors.clear();
      const MarchHostResult result = march_host(memory.words(), test, options);
      CHECK(result.complete);
      CHECK(result.wrong_reads == 0);
      CHECK(result.bytes == memory.words().size_bytes());
    }
  }
}

TEST_CASE("a bit that flips after any element is found by the next that reads, with its place") {
  const HostMemory memory = HostMemory::take(1 << 14).value();
  for (const char* name : {"march_c-", "march_b", "random", "own_address", "checkerboard", "bit_fade"}) {
    const MarchTest test = march_named(name).value();
    for (std::size_t damaged = 0; damaged + 1 < test.elements.size(); ++damaged) {
      std::size_t next = damaged + 1;
      while (next < test.elements.size() && test.elements[next].pause()) ++next;
      if (next == test.elements.size() || test.elements[next].operations.front().write) continue;
      CAPTURE(name, damaged);
      MarchHostOptions options = one_thread();
      options.after_element = [&](std::size_t background, std::size_t element) {
        if (background == 0 && element == damaged) memory.words()[1234] ^= std::uint64_t{1} << 37;
      };
      const MarchHostResult result = march_host(memory.words(), test, options);
      REQUIRE(result.wrong_reads == 1);
      CHECK(result.defects[0].offset == 1234 * 8);
      CHECK(result.defects[0].flipped() == std::uint64_t{1} << 37);
      CHECK(result.defects[0].element == next);
      CHECK(!result.defects[0].recovered());
      CHECK(result.defects[0].address == reinterpret_cast<std::uintptr_t>(&memory.words()[1234]));
    }
  }
}

TEST_CASE("all defects are counted and as many told of as asked") {
  const HostMemory memory = HostMemory::take(1 << 16).value();
  MarchHostOptions options = one_thread();
  options.most_defects = 5;
  options.after_element = [&](std::size_t background, std::size_t element) {
    for (std::size_t i = 0; i < 100 && background == 0 && element == 0; ++i) memory.words()[i * 64] = 1;
  };
  const MarchHostResult result = march_host(memory.words(), march_named("march_c-").value(), options);
  CHECK(result.wrong_reads == 100);
  CHECK(result.defects.size() == 5);
}

TEST_CASE("what was stopped, or could not be run, is not complete") {
  const HostMemory memory = HostMemory::take(1 << 16).value();
  MarchHostOptions options = one_thread();
  int asked = 0;
  options.stop = [&] { return ++asked > 8; };
  const MarchHostResult stopped = march_host(memory.words(), march_named("march_c-").value(), options);
  CHECK(!stopped.complete);
  CHECK(stopped.backgrounds == 1);
  CHECK(stopped.planned_backgrounds == 7);
  options = one_thread();
  options.processors = {1 << 19};
  const MarchHostResult absent = march_host(memory.words(), march_named("march_c-").value(), options);
  CHECK(!absent.complete);
  CHECK(absent.missing.size() == 1);
  CHECK(absent.bytes == 0);
  CHECK(!march_host({}, march_named("march_c-").value(), one_thread()).complete);
  CHECK_THROWS_AS(march_host(memory.words().subspan(1, 32), march_named("march_c-").value()), Misuse);
  CHECK_THROWS_AS(march_host(memory.words().subspan(0, 33), march_named("march_c-").value()), Misuse);
}

TEST_CASE("a physical address lies in its page, or is not known") {
  const HostMemory memory = HostMemory::take(4096).value();
  const auto physical = physical_address(&memory.words()[3]);
  if (physical) CHECK(*physical % 4096 == 24);
}
