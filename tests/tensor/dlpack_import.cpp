#include "assay/tensor/dlpack_import.hpp"

#include <limits>
#include <random>
#include <vector>

#include "assay/backends/device_backend.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#include "testing/dlpack_sample.hpp"
#include "testing/recorded_runtime.hpp"

using namespace assay;
using assay::testing::contains;
using dlpack::TypeCode::boolean, dlpack::TypeCode::floating_point, dlpack::TypeCode::unsigned_integer;
using Sample = testing::DLPackSample<dlpack::ManagedTensorVersioned>;
using OldSample = testing::DLPackSample<dlpack::ManagedTensor>;
using Shape = std::vector<std::int64_t>;

namespace {

const Host host;

/// The message of a refusal, after which the tensor must have been deleted once.
template <class Managed, class B = Host>
std::string refusal(testing::DLPackSample<Managed>& sample, ErrorKind kind, const B& backend = host) {
  const int before = sample.deleted;
  {
    const auto taken = ImportedTensor::take(backend, &sample.managed);
    CHECK(sample.deleted == before + (taken ? 0 : 1));
    if (taken) return "taken";
    CHECK(taken.error().kind == kind);
    CHECK_THAT(taken.error().message, contains("DLPack"));
    return taken.error().message;
  }
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

}  // namespace

TEST_CASE("a tensor is taken without a copy and deleted once, after its last copy") {
  auto values = counted(12);
  Sample sample(values.data(), floating_point, 32, {3, 4});
  {
    auto taken = ImportedTensor::take(host, &sample.managed);
    REQUIRE(taken);
    ImportedTensor tensor = std::move(taken).value();
    CHECK(tensor.operand().data == values.data());
    CHECK(tensor.operand().at(2, 3) == 11);
    CHECK(&tensor.view<float, 2>().value()(1, 2) == &values[6]);
    CHECK_FALSE(tensor.read_only());
    CHECK_FALSE(tensor.is_copied());
    CHECK(tensor.device() == dlpack::Device{dlpack::DeviceType::cpu, 0});
    const ImportedTensor copy = tensor;
    tensor = ImportedTensor::take(host, &sample.managed).value();
    CHECK(sample.deleted == 0);
    CHECK_THAT((copy.view<float, 1>().error().message), contains("format f32 and rank 2, and f32 of rank 1"));
    CHECK_THAT((copy.view<bfloat16, 2>().error().message), contains("bf16 of rank 2"));
  }
  CHECK(sample.deleted == 2);  // it was taken twice
}

TEST_CASE("the older form and a tensor without a deleter are taken, too") {
  auto values = counted(2);
  OldSample sample(values.data(), floating_point, 32, {2});
  CHECK(ImportedTensor::take(host, &sample.managed).value().operand().at(1) == 1);
  CHECK(sample.deleted == 1);
  sample.managed.deleter = nullptr;
  CHECK(ImportedTensor::take(host, &sample.managed));
  CHECK(ImportedTensor::take(host, static_cast<dlpack::ManagedTensor*>(nullptr)).error().kind == ErrorKind::invalid);
}

TEST_CASE("strides, byte offsets, scalars and empty tensors are read as the standard has them") {
  auto values = counted(24);
  Sample reversed(values.data() + 20, floating_point, 32, {2, 3}, {-12, 4});
  CHECK(ImportedTensor::take(host, &reversed.managed).value().operand().at(1, 1) == 12);
  Sample broadcast(values.data(), floating_point, 32, {5, 3}, {0, 1});
  CHECK(ImportedTensor::take(host, &broadcast.managed).value().operand().at(4, 2) == 2);
  Sample offset(values.data(), floating_point, 32, {2, 2});
  offset.managed.dl_tensor.byte_offset = 8;
  CHECK(ImportedTensor::take(host, &offset.managed).value().operand().at(1, 1) == 5);
  Sample scalar(values.data() + 7, floating_point, 32, {});
  const auto one = ImportedTensor::take(host, &scalar.managed);
  CHECK(one.value().operand().size() == 1);
  CHECK(one.value().operand().load(0) == 7);
  for (const Shape& shape : {Shape{0}, Shape{4, 0, 3}, Shape{0, 0}}) {
    Sample empty(nullptr, floating_point, 32, shape);
    empty.managed.dl_tensor.byte_offset = 3;  // of nothing
    const auto taken = ImportedTensor::take(host, &empty.managed);
    CHECK(taken.value().operand().size() == 0);
    CHECK(taken.value().operand().present());
  }
  Sample wild(nullptr, floating_point, 32, {3, 0, 4}, {std::numeric_limits<std::int64_t>::max(), -7, 0});
  const Operand none = ImportedTensor::take(host, &wild.managed).value().operand();
  CHECK((none.strides[0] == 4 && none.strides[1] == 4 &&
         none.strides[2] == 1));  // nothing is to be computed from what was given
}

TEST_CASE("strides of dimensions with one element are those of a tensor without gaps, whatever was written") {
  auto values = counted(24);
  Sample rows(values.data(), floating_point, 32, {1, 6}, {1, 1});  // as PyTorch writes them
  CHECK(ImportedTensor::take(host, &rows.managed).value().operand().strides[0] == 6);
  Sample odd(values.data(), floating_point, 32, {2, 1, 3}, {12, -999, 2});
  const Operand taken = ImportedTensor::take(host, &odd.managed).value().operand();
  CHECK(taken.strides[0] == 12);
  CHECK(taken.strides[1] == 6);
  CHECK(taken.at(1, 0, 2) == 16);
  Sample last(values.data(), floating_point, 32, {4, 1}, {5, 77});
  CHECK(ImportedTensor::take(host, &last.managed).value().operand().strides[1] == 1);
  Sample beyond(values.data(), floating_point, 32, {1, 1},
                {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
  CHECK(ImportedTensor::take(host, &beyond.managed).value().operand().load(0) == 0);
}

TEST_CASE("what is not a tensor is refused, and its deleter called") {
  auto values = counted(64);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto malformed = [&](Shape shape, Shape strides = {}) {
    Sample sample(values.data(), floating_point, 32, std::move(shape), std::move(strides));
    return refusal(sample, ErrorKind::malformed);
  };
  CHECK_THAT(malformed({2, -1}), contains("extent -1 of dimension 1"));
  CHECK_THAT(malformed({most, 2}), contains("exceeds 2^63"));
  CHECK_THAT(malformed({most, 2, 0}), contains("exceeds 2^63"));
  CHECK_THAT(malformed({0, most, 2}), contains("exceeds 2^63"));
  CHECK_THAT(malformed({most}), contains("reach beyond"));
  CHECK_THAT(malformed({3, 3}, {most / 2, 1}), contains("reach beyond"));
  CHECK_THAT(malformed({2}, {std::numeric_limits<std::int64_t>::min()}), contains("reach beyond"));
  CHECK_THAT(malformed({2}, {-(std::int64_t{1} << 60)}), contains("reach beyond"));
  {
    Sample sample(nullptr, floating_point, 32, {2, 3});
    CHECK_THAT(refusal(sample, ErrorKind::malformed), contains("null pointer was given for 6 elements"));
    sample.managed.dl_tensor.data = values.data();
    sample.managed.dl_tensor.byte_offset = ~std::uint64_t{0} - 7;
    CHECK_THAT(refusal(sample, ErrorKind::malformed), contains("reach beyond"));
    sample.managed.dl_tensor.byte_offset = 0;
    sample.managed.dl_tensor.shape = nullptr;
    CHECK_THAT(refusal(sample, ErrorKind::malformed), contains("2 dimensions and no shape"));
    sample.managed.dl_tensor.ndim = -2;
    CHECK_THAT(refusal(sample, ErrorKind::malformed), contains("-2 dimensions"));
    sample.managed.dl_tensor.ndim = std::numeric_limits<std::int32_t>::max();
    CHECK_THAT(refusal(sample, ErrorKind::unsupported), contains("an operand at most 6"));
  }
  Sample deep(values.data(), floating_point, 32, Shape(7, 1));
  CHECK_THAT(refusal(deep, ErrorKind::unsupported), contains("7 dimensions"));
  Sample misaligned(reinterpret_cast<char*>(values.data()) + 2, floating_point, 32, {2});
  CHECK_THAT(refusal(misaligned, ErrorKind::unsupported), contains("begin 2 bytes behind a multiple of the 4"));
  Sample bytes(reinterpret_cast<char*>(values.data()) + 1, unsigned_integer, 8, {2});
  CHECK(refusal(bytes, ErrorKind::unsupported) == "taken");
  Sample truth(values.data(), boolean, 8, {2});
  CHECK_THAT(refusal(truth, ErrorKind::unsupported), contains("bool"));
}

TEST_CASE("of another major version nothing is read but the deleter; unknown flags are refused") {
  Sample sample(nullptr, floating_point, 32, {1});
  sample.managed.version = {2, 0};
  sample.managed.dl_tensor.ndim = -1;
  sample.managed.dl_tensor.shape = reinterpret_cast<std::int64_t*>(8);
  CHECK_THAT(refusal(sample, ErrorKind::unsupported), contains("version 2.0"));
  sample.managed.version = {0, 8};
  CHECK_THAT(refusal(sample, ErrorKind::unsupported), contains("version 0.8"));
  float value = 5;
  Sample flagged(&value, floating_point, 32, {1});
  flagged.managed.version.minor = 9;
  CHECK(refusal(flagged, ErrorKind::unsupported) == "taken");
  flagged.managed.flags = 8;
  CHECK_THAT(refusal(flagged, ErrorKind::unsupported), contains("the flags 8"));
}

TEST_CASE("a read-only tensor, and one that overlaps itself, is not given for writing") {
  auto values = counted(12);
  Sample sample(values.data(), floating_point, 32, {3, 4});
  {
    const auto tensor = ImportedTensor::take(host, &sample.managed);
    tensor.value().writable().value().store(5, -1);
    CHECK(values[5] == -1);
  }
  sample.managed.flags = dlpack::flag_read_only | dlpack::flag_is_copied;
  {
    const auto tensor = ImportedTensor::take(host, &sample.managed);
    CHECK(tensor.value().read_only());
    CHECK(tensor.value().is_copied());
    CHECK_THAT(tensor.value().writable().error().message, contains("read-only"));
  }
  for (const Shape& strides : {Shape{0, 1}, Shape{2, 1}}) {
    Sample overlapping(values.data(), floating_point, 32, {3, 4}, strides);
    CHECK_THAT(ImportedTensor::take(host, &overlapping.managed).value().writable().error().message,
               contains("same element"));
  }
  Sample scalar(values.data(), floating_point, 32, {});
  CHECK(ImportedTensor::take(host, &scalar.managed).value().writable());
}

TEST_CASE("memory must lie where the tensor says, and be the backend's") {
  using Runtime = testing::RecordedRuntime<false>;
  const auto second = DeviceBackend<Runtime>::open(1).value();
  auto buffer = second.allocate<float>(8).value();
  Sample sample(buffer.data(), floating_point, 32, {8});
  sample.managed.dl_tensor.device = {dlpack::DeviceType::cuda, 1};
  CHECK(refusal(sample, ErrorKind::invalid, second) == "taken");
  CHECK_THAT(refusal(sample, ErrorKind::unsupported),
             contains("lies on kDLCUDA 1, and the backend 'host' reads kDLCPU"));
  sample.managed.dl_tensor.device = {dlpack::DeviceType::cuda, 0};
  CHECK_THAT(refusal(sample, ErrorKind::unsupported, second), contains("reads kDLCUDA 1"));
  CHECK_THAT(refusal(sample, ErrorKind::invalid, DeviceBackend<Runtime>::open(0).value()),
             contains("says that it lies on kDLCUDA 0, and CUDA finds its memory on device 1"));
  auto values = counted(8);
  sample.managed.dl_tensor.data = values.data();
  sample.managed.dl_tensor.device.device_id = 1;
  CHECK_THAT(refusal(sample, ErrorKind::invalid, second), contains("finds its memory on the host"));
  sample.managed.dl_tensor.device = {dlpack::DeviceType::cuda_host, 0};
  CHECK(refusal(sample, ErrorKind::invalid, second) == "taken");
  sample.managed.dl_tensor.device = {dlpack::DeviceType::cuda, 1};
  Runtime::answer_of_device_of = 7;
  Runtime::calls.clear();
  CHECK_THAT(refusal(sample, ErrorKind::device, second), contains("asking where a DLPack tensor lies"));
  CHECK(Runtime::calls == std::vector<std::string>{"last_error"});
  Runtime::answer_of_device_of = 0;
}

TEST_CASE("packed elements of 4 and 6 bits are read in place") {
  std::vector<std::uint8_t> bytes(3);
  const PackedView<float6_e3m2fn> written{bytes.data(), 4};
  const double expected[] = {1, -2, 28, 0.0625};
  for (Index i = 0; i < 4; ++i) written.set(i, encode<float6_e3m2fn>(expected[i]));
  Sample sample(bytes.data(), dlpack::TypeCode::float6_e3m2fn, 6, {2, 2});
  const auto view = dlpack_packed_view<float6_e3m2fn>(host, sample.managed.dl_tensor);
  REQUIRE(view);
  for (Index i = 0; i < 4; ++i) CHECK(decode(view.value().get(i)) == expected[i]);
  CHECK_THAT(refusal(sample, ErrorKind::unsupported), contains("packed"));
}

TEST_CASE("lanes of packed elements are elements; strides, other types and padding are refused") {
  std::vector<std::uint8_t> bytes{0x21, 0x43, 0x65};  // 0.5, 1, 1.5, 2, 3, 4
  Sample pairs(bytes.data(), dlpack::TypeCode::float4_e2m1fn, 4, {3});
  pairs.managed.dl_tensor.dtype.lanes = 2;
  const auto view = dlpack_packed_view<float4_e2m1fn>(host, pairs.managed.dl_tensor);
  CHECK(view.value().size() == 6);
  CHECK(decode(view.value().get(4)) == 3);
  CHECK_THAT((dlpack_packed_view<int4_t>(host, pairs.managed.dl_tensor).error().message),
             contains("elements are float4_e2m1fnx2, and packed int4"));
  CHECK_THAT(
      (dlpack_packed_view<float4_e2m1fn>(host, pairs.managed.dl_tensor, dlpack::flag_subbyte_padded).error().message),
      contains("each in a byte of its own"));
  Sample strided(bytes.data(), dlpack::TypeCode::float4_e2m1fn, 4, {2, 2}, {4, 1});
  CHECK_THAT((dlpack_packed_view<float4_e2m1fn>(host, strided.managed.dl_tensor).error().message),
             contains("4 apart in dimension 0"));
  Sample many(bytes.data(), dlpack::TypeCode::float4_e2m1fn, 4, {std::int64_t{1} << 62});
  many.managed.dl_tensor.dtype.lanes = 2;
  CHECK(dlpack_packed_view<float4_e2m1fn>(host, many.managed.dl_tensor).error().kind == ErrorKind::malformed);
  Sample padded(bytes.data(), dlpack::TypeCode::float4_e2m1fn, 4, {3});
  padded.managed.flags = dlpack::flag_subbyte_padded;
  CHECK(ImportedTensor::take(host, &padded.managed).value().operand().at(1) == 1.5);  // of 0x43 the lowest four bits
}

TEST_CASE("any bytes are refused, or lead to elements inside the memory that was given") {
  std::vector<float> values(4096);
  std::mt19937_64 random(5);
  const auto first = reinterpret_cast<std::uintptr_t>(values.data());
  const std::int64_t odd[] = {0,
                              1,
                              2,
                              3,
                              -1,
                              7,
                              4096,
                              std::int64_t{1} << 31,
                              std::int64_t{1} << 62,
                              std::numeric_limits<std::int64_t>::max(),
                              std::numeric_limits<std::int64_t>::min()};
  int taken = 0, deleted = 0, made = 0;
  for (int round = 0; round < 200000; ++round) {
    Shape shape(random() % 8), strides(random() % 4 == 0 ? 0 : shape.size());
    for (auto& extent : shape) extent = odd[random() % (random() % 4 == 0 ? std::size(odd) : 4)];
    for (auto& stride : strides) stride = odd[random() % (random() % 4 == 0 ? std::size(odd) : 6)];
    Sample sample(random() % 16 == 0 ? nullptr : values.data() + 2048, static_cast<dlpack::TypeCode>(random() % 3),
                  8 << random() % 4, shape, strides);
    sample.managed.dl_tensor.byte_offset = random() % 8 == 0 ? random() : random() % 3 * 4;
    sample.managed.flags = random() % 16;
    sample.managed.version.major = random() % 8 == 0 ? 2 : 1;
    if (const auto tensor = ImportedTensor::take(host, &sample.managed)) {
      ++taken;
      const Operand& operand = tensor.value().operand();
      REQUIRE(operand.rank == static_cast<int>(shape.size()));
      if (operand.size() > 0) {
        Index lowest = 0, highest = 0;
        REQUIRE(detail::byte_reach(operand, lowest, highest));
        REQUIRE(operand.offset_of(operand.size() - 1) * operand.format.bytes < highest);
        const bool inside = reinterpret_cast<std::uintptr_t>(operand.data) - first < 4096 * 4;
        if (inside && lowest > -8192 && highest < 4096) static_cast<void>(operand.load(operand.size() - 1));
      }
      static_cast<void>(tensor.value().writable());
    }
    ++made;
    deleted += sample.deleted;
  }
  CHECK(deleted == made);
  CHECK(taken > 10000);
}
