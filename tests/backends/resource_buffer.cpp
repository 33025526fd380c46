#include "assay/backends/resource_buffer.hpp"

#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/aligned_resource.hpp"
#include "testing/catch.hpp"

namespace {

struct Call {
  std::size_t bytes;
  std::size_t alignment;
};

struct LoggingResource {
  std::vector<Call> allocated, deallocated;

  void* allocate(std::size_t bytes, std::size_t alignment) {
    allocated.push_back({bytes, alignment});
    return assay::AlignedResource{}.allocate(bytes, alignment);
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) {
    deallocated.push_back({bytes, alignment});
    assay::AlignedResource{}.deallocate(pointer, bytes, alignment);
  }
};

struct alignas(256) Wide {
  float values[64];
};

template <class T>
using Buffer = assay::ResourceBuffer<T, LoggingResource>;

static_assert(!std::is_copy_constructible_v<Buffer<float>> && std::is_nothrow_move_assignable_v<Buffer<float>>);

}  // namespace

TEST_CASE("a buffer takes from its resource once and gives back the same", "[backends]") {
  const auto resource = std::make_shared<LoggingResource>();
  {
    auto floats = Buffer<float>::make(resource, 100, "test");
    auto wide = Buffer<Wide>::make(resource, 3, "test");
    REQUIRE(floats.has_value());
    REQUIRE(wide.has_value());
    CHECK(reinterpret_cast<std::uintptr_t>(wide.value().data()) % 256 == 0);
    Buffer<float> taken = std::move(floats).value();
    CHECK(taken.size() == 100);
    Buffer<float> empty;
    CHECK(std::as_const(empty).data() == nullptr);
    CHECK(resource->deallocated.empty());
  }
  REQUIRE(resource->allocated.size() == 2);
  REQUIRE(resource->deallocated.size() == 2);
  CHECK(resource->allocated[0].bytes == 400);
  CHECK(resource->allocated[0].alignment == 64);
  CHECK(resource->allocated[1].bytes == 768);
  CHECK(resource->allocated[1].alignment == 256);
  CHECK(resource->deallocated[0].bytes + resource->deallocated[1].bytes == 1168);
  CHECK(resource->deallocated[0].alignment + resource->deallocated[1].alignment == 320);
}

TEST_CASE("assigning over a buffer gives back what it held", "[backends]") {
  const auto resource = std::make_shared<LoggingResource>();
  auto first = Buffer<char>::make(resource, 10, "test").value();
  first = Buffer<char>::make(resource, 20, "test").value();
  REQUIRE(resource->deallocated.size() == 1);
  CHECK(resource->deallocated[0].bytes == 10);
  first = Buffer<char>();
  CHECK(resource->deallocated.size() == 2);
}

TEST_CASE("a size that overflows never reaches the resource, nor does a size of zero", "[backends]") {
  const auto resource = std::make_shared<LoggingResource>();
  const auto refused = Buffer<double>::make(resource, std::numeric_limits<std::size_t>::max() / 8 + 2, "test");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == assay::ErrorKind::out_of_memory);
  CHECK_THAT(refused.error().message, assay::testing::contains("more than can be addressed"));
  CHECK(Buffer<double>::make(resource, 0, "test").has_value());
  CHECK(resource->allocated.empty());
}

TEST_CASE("a refusal names the backend, the count and the size of an element", "[backends]") {
  const auto refused = Buffer<double>::make(std::make_shared<LoggingResource>(), std::size_t{1} << 57, "toaster");
  REQUIRE_FALSE(refused.has_value());
  CHECK_THAT(refused.error().message,
             assay::testing::contains("toaster could not allocate 144115188075855872 elements of 8 bytes"));
}
