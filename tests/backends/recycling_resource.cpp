#include "assay/backends/recycling_resource.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

using namespace assay;

namespace {

/// Counts what is out, and refuses beyond a budget.
struct CountingResource {
  struct Counts {
    std::size_t bytes = 0;
    std::size_t calls = 0;
    std::size_t budget = SIZE_MAX;
  };
  Counts* counts;

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    if (counts->bytes + bytes > counts->budget) return nullptr;
    counts->bytes += bytes;
    ++counts->calls;
    return AlignedResource{}.allocate(bytes, alignment);
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) noexcept {
    counts->bytes -= bytes;
    AlignedResource{}.deallocate(pointer, bytes, alignment);
  }
};
static_assert(MemoryResource<RecyclingResource<CountingResource>>);

constexpr std::size_t mebibyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("a freed block serves the next allocation of about its size and alignment") {
  CountingResource::Counts counts;
  {
    RecyclingResource<CountingResource> resource(64 * mebibyte, {&counts});
    void* first = resource.allocate(5 * mebibyte, 64);
    resource.deallocate(first, 5 * mebibyte, 64);
    CHECK(resource.kept_bytes() >= 5 * mebibyte);
    CHECK(resource.allocate(5 * mebibyte - 100, 64) == first);
    CHECK(resource.kept_bytes() == 0);
    resource.deallocate(first, 5 * mebibyte - 100, 64);
    void* other = resource.allocate(5 * mebibyte, 128);  // another alignment, another block
    CHECK(other != first);
    CHECK(counts.calls == 2);
    resource.deallocate(other, 5 * mebibyte, 128);
  }
  CHECK(counts.bytes == 0);
}

TEST_CASE("small blocks pass through, and no more than the capacity is kept") {
  CountingResource::Counts counts;
  RecyclingResource<CountingResource> resource(8 * mebibyte, {&counts});
  void* small = resource.allocate(1000, 64);
  resource.deallocate(small, 1000, 64);
  CHECK(resource.kept_bytes() == 0);
  void* blocks[4];
  for (void*& block : blocks) block = resource.allocate(3 * mebibyte, 64);
  for (void* block : blocks) resource.deallocate(block, 3 * mebibyte, 64);
  CHECK(resource.kept_bytes() == 6 * mebibyte);
  CHECK(counts.bytes == 6 * mebibyte);
  void* large = resource.allocate(9 * mebibyte, 64);
  resource.deallocate(large, 9 * mebibyte, 64);  // would never fit
  CHECK(resource.kept_bytes() == 6 * mebibyte);
  CHECK(resource.allocate(3 * mebibyte, 64) == blocks[3]);  // the youngest: its pages are the likeliest in the cache
  resource.deallocate(blocks[3], 3 * mebibyte, 64);
  resource.release();
  CHECK(counts.bytes == 0);
}

TEST_CASE("what is kept is given back before an allocation fails, and absurd sizes are refused") {
  CountingResource::Counts counts;
  counts.budget = 10 * mebibyte;
  RecyclingResource<CountingResource> resource(10 * mebibyte, {&counts});
  void* first = resource.allocate(8 * mebibyte, 64);
  resource.deallocate(first, 8 * mebibyte, 64);
  void* second = resource.allocate(9 * mebibyte, 64);
  REQUIRE(second != nullptr);
  CHECK(resource.allocate(9 * mebibyte, 64) == nullptr);
  CHECK(resource.allocate(SIZE_MAX, 64) == nullptr);
  resource.deallocate(second, 9 * mebibyte, 64);
}

TEST_CASE("many blocks: the oldest go first, none is lost") {
  CountingResource::Counts counts;
  RecyclingResource<CountingResource> resource(1024 * mebibyte, {&counts});
  void* blocks[100];
  for (void*& block : blocks) block = resource.allocate(mebibyte, 64);
  for (void* block : blocks) resource.deallocate(block, mebibyte, 64);
  CHECK(resource.kept_bytes() == 64 * mebibyte);
  CHECK(counts.bytes == resource.kept_bytes());
}
