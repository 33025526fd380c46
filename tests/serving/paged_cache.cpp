#include "assay/serving/paged_cache.hpp"

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

assay::TinySlot slot_of(float value) {
  assay::TinySlot slot{};
  slot[0] = value;
  return slot;
}

/// Tokens 0, 1, … in the cache, each slot with its token.
assay::BlockTable filled(assay::PagedCache& cache, std::size_t length, float first = 0) {
  assay::BlockTable table;
  for (std::size_t i = 0; i < length; ++i) REQUIRE(cache.append(table, slot_of(first + static_cast<float>(i))));
  return table;
}
std::vector<std::size_t> tokens_to(std::size_t count) {
  std::vector<std::size_t> tokens(count);
  for (std::size_t i = 0; i < count; ++i) tokens[i] = i;
  return tokens;
}

}  // namespace

TEST_CASE("slots lie in blocks, and what is full refuses", "[serving]") {
  assay::PagedCache cache(3, 4);
  auto table = filled(cache, 12);
  CHECK(table.blocks.size() == 3);
  CHECK(cache.free_blocks() == 0);
  for (std::size_t i = 0; i < 12; ++i) CHECK(cache.slot(table, i)[0] == static_cast<float>(i));
  CHECK_FALSE(cache.append(table, slot_of(12)));
  CHECK(table.length == 12);
  cache.release(table);
  CHECK(cache.free_blocks() == 3);
  CHECK(table.blocks.empty());
}

TEST_CASE("branches share blocks until one writes", "[serving]") {
  assay::PagedCache cache(8, 4);
  auto table = filled(cache, 6);
  auto branch = cache.fork(table);
  CHECK(cache.readers(table.blocks[0]) == 2);
  REQUIRE(cache.append(branch, slot_of(60)));
  REQUIRE(cache.append(table, slot_of(6)));
  CHECK(cache.slot(table, 6)[0] == 6);
  CHECK(cache.slot(branch, 6)[0] == 60);
  CHECK(cache.slot(branch, 5)[0] == 5);
  CHECK(table.blocks[0] == branch.blocks[0]);
  CHECK(table.blocks[1] != branch.blocks[1]);
  cache.release(table);
  CHECK(cache.slot(branch, 1)[0] == 1);
  cache.release(branch);
  CHECK(cache.free_blocks() == 8);
}

TEST_CASE("a beginning is found by all its tokens and its adapter, in whole blocks", "[serving]") {
  assay::PagedCache cache(8, 4);
  auto table = filled(cache, 10);
  cache.remember(table, tokens_to(10), 0);
  cache.release(table);
  auto found = cache.find_prefix(tokens_to(10), 0, 9);
  CHECK(found.length == 8);
  CHECK(cache.slot(found, 7)[0] == 7);
  cache.release(found);
  CHECK(cache.find_prefix(tokens_to(10), 0, 7).length == 4);
  CHECK(cache.find_prefix(tokens_to(10), 1, 9).length == 0);
  auto other = tokens_to(10);
  other[0] = 9;
  CHECK(cache.find_prefix(other, 0, 9).length == 0);  // although the second block has the same tokens
}

TEST_CASE("what was read longest ago goes first, and what is read stays", "[serving]") {
  assay::PagedCache cache(3, 4);
  auto first = filled(cache, 4), second = filled(cache, 4, 100);
  cache.remember(first, tokens_to(4), 1);
  cache.remember(second, tokens_to(4), 2);
  cache.release(second);
  auto more = filled(cache, 8, 200);  // takes the free block, then the one that nobody reads
  CHECK(cache.find_prefix(tokens_to(4), 2, 4).length == 0);
  CHECK(cache.slot(first, 3)[0] == 3);
  CHECK_FALSE(cache.append(more, slot_of(0)));
  auto found = cache.find_prefix(tokens_to(4), 1, 4);
  CHECK(found.length == 4);
  CHECK(cache.readers(found.blocks[0]) == 2);
}
