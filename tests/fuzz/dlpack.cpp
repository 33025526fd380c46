#include "assay/tensor/dlpack_import.hpp"

#include "assay/backends/host.hpp"
#include "fuzz/bytes.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

struct Producer {
  dlpack::ManagedTensorVersioned managed{};
  std::int64_t shape[8] = {}, strides[8] = {};
  int deletions = 0;
};

/// No element that an accepted tensor names lies beyond what 64 bits address, in arithmetic of 128.
void promise_reach(const Operand& operand, const dlpack::Tensor& tensor) {
  if (operand.size() == 0) return;
  __int128 lowest = reinterpret_cast<std::uintptr_t>(tensor.data);
  lowest += tensor.byte_offset;
  fuzz::promise(reinterpret_cast<std::uintptr_t>(operand.data) == lowest, "the operand begins where the tensor does");
  __int128 highest = lowest + operand.format.bytes;
  for (int d = 0; d < operand.rank; ++d) {
    const __int128 reach = static_cast<__int128>(operand.extents[d] - 1) * operand.strides[d] * operand.format.bytes;
    (reach < 0 ? lowest : highest) += reach;
  }
  fuzz::promise(lowest >= 0 && highest <= static_cast<__int128>(UINTPTR_MAX), "every element has an address");
}

/// A tensor that any program may have made: it is taken or refused, and given back once.
void dlpack_tensor(std::string_view text) {
  fuzz::Bytes bytes(text);
  Producer producer;
  dlpack::ManagedTensorVersioned& managed = producer.managed;
  managed.version = {bytes.take<std::uint8_t>() % 3u, bytes.take<std::uint8_t>()};
  managed.flags = bytes.take<std::uint8_t>();
  managed.manager_ctx = &producer;
  managed.deleter = [](dlpack::ManagedTensorVersioned* self) {
    ++static_cast<Producer*>(self->manager_ctx)->deletions;
  };
  dlpack::Tensor& tensor = managed.dl_tensor;
  const std::uint8_t kinds = bytes.take<std::uint8_t>();
  alignas(16) static char memory[4096];
  tensor.data = kinds & 1 ? nullptr : memory;
  tensor.device = {static_cast<dlpack::DeviceType>(bytes.take<std::uint8_t>() % 20), kinds & 2 ? 1 : 0};
  tensor.ndim = static_cast<std::int8_t>(bytes.take<std::uint8_t>());
  if (tensor.ndim > 8) tensor.ndim %= 9;  // as many as there is room for
  tensor.dtype = {bytes.take<std::uint8_t>(), bytes.take<std::uint8_t>(), bytes.take<std::uint16_t>()};
  tensor.byte_offset = kinds & 4 ? bytes.take<std::uint64_t>() : bytes.take<std::uint8_t>();
  for (int d = 0; d < 8; ++d) {
    producer.shape[d] = kinds & 8 ? bytes.take<std::int64_t>() : bytes.take<std::int8_t>();
    producer.strides[d] = kinds & 16 ? bytes.take<std::int64_t>() : bytes.take<std::int8_t>();
  }
  tensor.shape = kinds & 32 ? nullptr : producer.shape;
  tensor.strides = kinds & 64 ? nullptr : producer.strides;

  const Host host;
  {
    const Result<ImportedTensor> imported = ImportedTensor::take(host, &managed);
    if (!imported) {
      fuzz::promise_message(imported.error().message);
    } else {
      fuzz::promise(producer.deletions == 0, "a tensor that was taken is kept");
      promise_reach(imported.value().operand(), tensor);
      (void)imported.value().writable();
    }
  }
  fuzz::promise(producer.deletions == 1, "the deleter was called once");
}

const fuzz::Registration registration_of_dlpack("dlpack", dlpack_tensor);

}  // namespace
