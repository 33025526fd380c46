#include "assay/backends/guarded_resource.hpp"

#include <cstring>

#include "assay/backends/counting_resource.hpp"
#include "assay/backends/emulated_device.hpp"
#include "backends/failing_host.hpp"
#include "testing/catch.hpp"

using namespace assay;

static_assert(MemoryResource<GuardedResource<>>);

TEST_CASE("guarded memory is filled, aligned, and left alone passes without a finding") {
  CountingResource<> below;
  GuardedResource<CountingResource<>> resource(Host(1), below);
  for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{4096}})
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{13}, std::size_t{100000}}) {
      auto* const memory = static_cast<unsigned char*>(resource.allocate(bytes, alignment));
      REQUIRE(memory != nullptr);
      CHECK(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0);
      bool fresh = true;
      for (std::size_t i = 0; i < bytes; ++i) fresh = fresh && memory[i] == 0xFF;
      CHECK(fresh);
      std::memset(memory, 0xC5, bytes);  // the canaries' own value in the middle is nobody's concern
      resource.deallocate(memory, bytes, alignment);
    }
  CHECK(resource.findings().empty());
  CHECK(resource.errors().empty());
  CHECK(below.usage().living() == 0);
}

TEST_CASE("every byte altered around guarded memory is found, where it lies, and told once") {
  GuardedResource<> resource;
  for (const std::ptrdiff_t at : {-1, -2, -511, 100, 101, 611}) {
    auto* const memory = static_cast<unsigned char*>(resource.allocate(100, 64));
    memory[at] ^= 1;
    resource.check();
    REQUIRE(resource.findings().size() == 1);
    CHECK(resource.findings()[0].byte == at);
    CHECK(resource.findings()[0].bytes == 100);
    CHECK(resource.findings()[0].altered == 1);
    resource.deallocate(memory, 100, 64);
    CHECK(resource.findings().size() == 1);
    resource.forget();
  }
  auto* const memory = static_cast<unsigned char*>(resource.allocate(100, 64));
  memory[-9] = memory[-3] = memory[104] = 0;
  resource.deallocate(memory, 100, 64);
  REQUIRE(resource.findings().size() == 2);
  CHECK(resource.findings()[0].byte == -3);
  CHECK_THAT(resource.findings()[0].text(),
             testing::contains("2 bytes were written before it, the nearest 3 before its start"));
  CHECK(resource.findings()[1].byte == 104);
  CHECK_THAT(resource.findings()[1].text(),
             testing::contains("1 byte was written behind it, the nearest 5 past its end"));
}

TEST_CASE("guarded memory that is freed twice, or as another size, is told of and stays whole") {
  GuardedResource<> resource;
  void* const memory = resource.allocate(10, 64);
  resource.deallocate(memory, 11, 64);
  CHECK(resource.living() == 1);
  resource.deallocate(memory, 10, 64);
  resource.deallocate(memory, 10, 64);
  CHECK(resource.living() == 0);
  CHECK(resource.errors().size() == 2);
}

TEST_CASE("guards that cannot be checked are errors, not all is well") {
  testing::FailingHost failing(1);
  GuardedResource<AlignedResource, testing::FailingHost> broken(failing);
  void* const memory = broken.allocate(10, 64);
  REQUIRE(memory != nullptr);
  CHECK(broken.errors().empty());
  broken.deallocate(memory, 10, 64);
  failing.refuse = testing::FailingHost::Refuse::loop;
  GuardedResource<AlignedResource, testing::FailingHost> refused(failing);
  CHECK(refused.allocate(10, 64) == nullptr);
  CHECK(refused.errors().size() == 1);
  CHECK(GuardedResource<>().allocate(SIZE_MAX - 3, 64) == nullptr);
}

namespace {
/// The memory of an emulated device as a resource.
struct DeviceMemory {
  EmulatedDevice device;
  void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    return device.memory_resource().allocate(bytes, alignment);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    device.memory_resource().deallocate(memory, bytes, alignment);
  }
};
struct Poke {
  unsigned char* at;
  ASSAY_FUNCTION void operator()(std::size_t) const { *at = 1; }
};
}  // namespace

TEST_CASE("guards of a device's memory are filled and checked on the device") {
  EmulatedDevice device;
  GuardedResource<DeviceMemory, EmulatedDevice> resource(device, DeviceMemory{device});
  auto stream = device.make_stream();
  REQUIRE(stream);
  auto* const memory = static_cast<unsigned char*>(resource.allocate(1000, 256));
  REQUIRE(memory != nullptr);
  REQUIRE(device.parallel_for(stream.value(), 1, Poke{memory + 999}));
  REQUIRE(device.synchronize(stream.value()));
  resource.check();
  CHECK(resource.findings().empty());
  REQUIRE(device.parallel_for(stream.value(), 1, Poke{memory + 1007}));
  REQUIRE(device.synchronize(stream.value()));
  resource.deallocate(memory, 1000, 256);
  REQUIRE(resource.findings().size() == 1);
  CHECK(resource.findings()[0].byte == 1007);
  CHECK(resource.errors().empty());
  CHECK(device.misuses().empty());
}
