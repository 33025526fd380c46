#include "assay/hardware/memory/classic_tests.hpp"

#include <vector>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("modulo 20 and block move pass right memory, of any size that they can test") {
  for (const std::size_t size : {256u, 1000u, 4096u}) {
    std::vector<std::uint64_t> memory(size);
    CHECK(modulo_20(memory).complete);
    CHECK(modulo_20(memory).wrong_reads == 0);
    CHECK(block_move(memory).complete);
    CHECK(block_move(memory).wrong_reads == 0);
  }
  std::vector<std::uint64_t> small(100);
  CHECK(!block_move(small).complete);
}

TEST_CASE("a flipped bit is found with its place") {
  std::vector<std::uint64_t> memory(4096);
  ClassicTestOptions options;
  options.after_pass = [&](std::size_t pass) {
    if (pass == 7) memory[20 * 11 + 7] ^= 4;
  };
  const ClassicTestResult modulo = modulo_20(memory, options);
  REQUIRE(modulo.wrong_reads == 1);
  CHECK(modulo.defects[0].offset == (20 * 11 + 7) * 8);
  CHECK(modulo.defects[0].flipped() == 4);
  options.after_pass = [&](std::size_t pass) {
    if (pass == 2) memory[99] ^= 8;
  };
  const ClassicTestResult moved = block_move(memory, options);
  REQUIRE(moved.wrong_reads == 1);
  CHECK(moved.defects[0].offset == 99 * 8);
  options.after_pass = [&](std::size_t pass) {
    if (pass == 0) memory[99] ^= 8;  // before the moves: both halves have it
  };
  CHECK(block_move(memory, options).wrong_reads == 2);
}

TEST_CASE("what was stopped is not complete") {
  std::vector<std::uint64_t> memory(4096);
  ClassicTestOptions options;
  options.stop = [] { return true; };
  CHECK(!modulo_20(memory, options).complete);
  CHECK(!block_move(memory, options).complete);
}
