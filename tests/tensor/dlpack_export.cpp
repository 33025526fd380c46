#include "assay/tensor/dlpack_export.hpp"

#include <memory>
#include <vector>

#include "assay/backends/device_backend.hpp"
#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/formats/format_list.hpp"
#include "assay/tensor/dlpack_import.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "testing/catch.hpp"
#include "testing/recorded_runtime.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// An owner that counts how many of it live.
struct Counted {
  std::shared_ptr<int> alive;
};

/// A device whose memory kills the host that touches it.
struct Untouchable : EmulatedDevice {
  [[nodiscard]] dlpack::Device dlpack_device() const { return {dlpack::DeviceType::extension, 2}; }
};

/// Elements with all bits of their format, out and in again: the same memory, and the same values.
template <class T>
void check_round_trip() {
  Host host;
  Host::Stream stream;
  INFO(element_format<T>().name);
  auto made = OperandTensor<Host>::create(host, stream, element_format<T>(), {2, 3, 5}, 4, 1);
  REQUIRE(made);
  const Operand operand = made.value().view();
  for (Index i = 0; i < operand.size(); ++i)
    operand.format.store_code(operand.data, operand.offset_of(i), static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u);
  auto exported = export_dlpack(host, operand, std::move(made).value());
  REQUIRE(exported);
  CHECK(exported.value()->dl_tensor.data == operand.data);
  const auto imported = ImportedTensor::take(host, std::move(exported).value());
  REQUIRE(imported);
  const Operand& back = imported.value().operand();
  CHECK(back.data == operand.data);
  CHECK(back.format == operand.format);
  REQUIRE(back.size() == 30);
  for (int d = 0; d < 3; ++d) CHECK((back.extents[d] == operand.extents[d] && back.strides[d] == operand.strides[d]));
  for (Index i = 0; i < operand.size(); ++i) CHECK(detail::bits_of(back.load(i)) == detail::bits_of(operand.load(i)));
}

}  // namespace

TEST_CASE("every format that DLPack has goes out and comes in again, gaps and all") {
  [&]<class... Formats>(FormatList<Formats...>) {
    const auto one = []<class T>() {
      if constexpr (!std::is_same_v<T, tfloat32> && (FloatFormat<T> || IntegerFormat<T>)) check_round_trip<T>();
    };
    (one.template operator()<Formats>(), ...);
  }(AllFormats{});
  check_round_trip<std::int32_t>();
  check_round_trip<std::int64_t>();
}

TEST_CASE("the memory lives until the deleter is called, and no longer") {
  float values[4] = {1, 2, 3, 4};
  const auto alive = std::make_shared<int>(0);
  dlpack::ManagedTensorVersioned* capsule = nullptr;
  {
    auto exported = export_dlpack(Host(), contiguous_operand(values, {2, 2}), Counted{alive}, true);
    REQUIRE(exported);
    capsule = exported.value().release();
  }
  CHECK(alive.use_count() == 2);
  CHECK(capsule->flags == dlpack::flag_read_only);
  CHECK((capsule->version.major == 1 && capsule->version.minor == 1));
  CHECK(
      (capsule->dl_tensor.shape[1] == 2 && capsule->dl_tensor.strides[0] == 2 && capsule->dl_tensor.byte_offset == 0));
  CHECK(ImportedTensor::take(Host(), capsule).value().read_only());
  CHECK(alive.use_count() == 1);
  { const auto dropped = export_dlpack(Host(), contiguous_operand(values, {4}), Counted{alive}); }
  CHECK(alive.use_count() == 1);
  const auto refused =
      export_dlpack<dlpack::ManagedTensor>(Host(), contiguous_operand(values, {4}), Counted{alive}, true);
  CHECK(alive.use_count() == 1);
  CHECK_THAT(refused.error().message, contains("before version 1.0 cannot say that a tensor is read-only"));
}

TEST_CASE("buffers and tensors go out by their extents, in either form") {
  Host host;
  Host::Stream stream;
  auto buffer = host.allocate<double>(6).value();
  buffer.data()[5] = 2.5;
  auto old_form = export_dlpack<dlpack::ManagedTensor>(host, std::move(buffer), {2, 3});
  CHECK(ImportedTensor::take(host, std::move(old_form).value()).value().operand().at(1, 2) == 2.5);
  auto tensor = Tensor<bfloat16, Host>::create(host, stream, 8).value();
  const void* const place = tensor.data();
  const auto exported = export_dlpack(host, std::move(tensor), {4, 2});
  CHECK(exported.value()->dl_tensor.data == place);
  CHECK_THROWS_AS(export_dlpack(host, host.allocate<float>(5).value(), {2, 3}), Misuse);
  CHECK_THROWS_AS(export_dlpack(host, host.allocate<float>(5).value(), {Index{1} << 62, 4}), Misuse);
  CHECK_THROWS_AS(export_dlpack(host, Operand{}, BorrowedMemory{}), Misuse);
  float one = 1;
  CHECK(export_dlpack(host, contiguous_operand(&one, {2, 0}), BorrowedMemory{}).value()->dl_tensor.data == nullptr);
  const auto empty = export_dlpack(host, host.allocate<float>(0).value(), {0, 3});
  CHECK(empty.value()->dl_tensor.data == nullptr);
  CHECK(ImportedTensor::take(host, export_dlpack(host, host.allocate<float>(0).value(), {0, 3}).value())
            .value()
            .operand()
            .size() == 0);
}

TEST_CASE("what DLPack cannot say is unsupported") {
  tfloat32 tf32[1] = {};
  float4_e2m1fn small[2] = {};
  CHECK_THAT(export_dlpack(Host(), contiguous_operand(tf32, {1}), BorrowedMemory{}).error().message,
             contains("no type for tf32"));
  CHECK_THAT(
      export_dlpack<dlpack::ManagedTensor>(Host(), contiguous_operand(small, {2}), BorrowedMemory{}).error().message,
      contains("padded"));
  CHECK(export_dlpack(Host(), contiguous_operand(small, {2}), BorrowedMemory{}).value()->flags ==
        dlpack::flag_subbyte_padded);
}

TEST_CASE("memory of a device goes out with its device") {
  const auto cuda = DeviceBackend<testing::RecordedRuntime<false>>::open(1).value();
  const auto hip = DeviceBackend<testing::RecordedRuntime<true>>::open(0).value();
  CHECK(export_dlpack(cuda, cuda.allocate<float>(4).value(), {4}).value()->dl_tensor.device ==
        dlpack::Device{dlpack::DeviceType::cuda, 1});
  CHECK(export_dlpack(hip, hip.allocate<float>(4).value(), {4}).value()->dl_tensor.device ==
        dlpack::Device{dlpack::DeviceType::rocm, 0});
}

TEST_CASE("memory that the host may not touch goes out and in, and is not touched") {
  Untouchable device;
  auto buffer = device.allocate<float>(6).value();
  const void* const place = buffer.data();
  auto exported = export_dlpack(device, std::move(buffer), {2, 3});
  CHECK(exported.value()->dl_tensor.device == dlpack::Device{dlpack::DeviceType::extension, 2});
  const auto imported = ImportedTensor::take(device, std::move(exported).value());
  CHECK(imported.value().operand().data == place);
  CHECK(imported.value().writable());
  const auto elsewhere =
      ImportedTensor::take(Host(), export_dlpack(device, device.allocate<float>(6).value(), {6}).value());
  CHECK_THAT(elsewhere.error().message, contains("lies on kDLExtDev 2"));
}
