#include "assay/backends/memory_resource.hpp"

#include "assay/backends/aligned_resource.hpp"
#include "testing/catch.hpp"

namespace {

struct WithoutAlignment {
  void* allocate(std::size_t);
  void deallocate(void*, std::size_t);
};
struct Typed {
  char* allocate(std::size_t, std::size_t);
  void deallocate(void*, std::size_t, std::size_t);
};
struct WithoutReturn {
  void* allocate(std::size_t, std::size_t);
};

}  // namespace

TEST_CASE("what does not give and take memory is no memory resource", "[backends]") {
  static_assert(assay::MemoryResource<assay::AlignedResource>);
  static_assert(!assay::MemoryResource<WithoutAlignment> && !assay::MemoryResource<Typed> &&
                !assay::MemoryResource<WithoutReturn>);
  static_assert(!assay::MemoryResource<int>);
  SUCCEED("checked by the compiler");
}
