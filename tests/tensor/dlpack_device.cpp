#include "assay/tensor/dlpack_device.hpp"

#include "assay/backends/device_backend.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#include "testing/recorded_runtime.hpp"

using namespace assay;
using assay::testing::contains;
using enum dlpack::DeviceType;
using FakeCuda = DeviceBackend<testing::RecordedRuntime<false>>;
using FakeHip = DeviceBackend<testing::RecordedRuntime<true>>;

namespace {

struct OwnName : FakeCuda {
  [[nodiscard]] std::string_view name() const { return "my_accelerator"; }
};
struct Extension : Host {
  [[nodiscard]] dlpack::Device dlpack_device() const { return {extension, 3}; }
};
struct Unnamed : Host {
  static constexpr bool runs_on_host = false;
  [[nodiscard]] std::string_view name() const { return "unnamed"; }
};

}  // namespace

TEST_CASE("backends have the devices that DLPack calls them by") {
  CHECK(dlpack_device(Host()).value() == dlpack::Device{cpu, 0});
  CHECK(dlpack_device(FakeCuda::open(1).value()).value() == dlpack::Device{cuda, 1});
  CHECK(dlpack_device(OwnName{FakeCuda::open(1).value()}).value() == dlpack::Device{cuda, 1});
  CHECK(dlpack_device(FakeHip::open(0).value()).value() == dlpack::Device{rocm, 0});
  CHECK(dlpack_device(Extension()).value() == dlpack::Device{extension, 3});
  const auto unnamed = dlpack_device(Unnamed());
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().kind == ErrorKind::unsupported);
  CHECK_THAT(unnamed.error().message, contains("'unnamed'") && contains("dlpack_device()"));
}

TEST_CASE("a backend reads its own device's memory, and what its device reads besides") {
  const auto readable = [](const auto& backend, const dlpack::Device& device) {
    return expect_dlpack_device(backend, device).has_value();
  };
  const Host host;
  const FakeCuda second = FakeCuda::open(1).value();
  const FakeHip hip = FakeHip::open(0).value();
  for (int type = -3; type < 30; ++type) {
    const auto device = static_cast<dlpack::DeviceType>(type);
    INFO(type);
    CHECK(readable(host, {device, 0}) ==
          (device == cpu || device == cuda_host || device == rocm_host || device == cuda_managed));
    CHECK(readable(second, {device, 1}) == (device == cuda || device == cuda_host || device == cuda_managed));
    CHECK(readable(second, {device, 0}) == (device == cuda_host || device == cuda_managed));
    CHECK(readable(hip, {device, 0}) == (device == rocm || device == rocm_host));
    CHECK(readable(Extension(), {device, 3}) == (device == extension));
  }
  const auto refused = expect_dlpack_device(second, {cuda, 0});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
  CHECK_THAT(refused.error().message, contains("lies on kDLCUDA 0") && contains("'cuda' reads kDLCUDA 1"));
  CHECK_THAT(expect_dlpack_device(host, {static_cast<dlpack::DeviceType>(99), 0}).error().message,
             contains("an unknown device"));
}
