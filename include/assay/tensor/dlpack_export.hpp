#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/tensor/dlpack_abi.hpp"
#include "assay/tensor/dlpack_device.hpp"
#include "assay/tensor/dlpack_format.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// As an owner: the memory is somebody else's, who keeps it until the tensor is deleted.
struct BorrowedMemory {};

namespace detail {

/// A managed tensor with all that it points to.
template <class Managed, class Owner>
struct ExportedTensor {
  Managed managed{};
  std::int64_t extents[Operand::most_dimensions];
  std::int64_t strides[Operand::most_dimensions];
  Owner owner;

  explicit ExportedTensor(Owner given) : owner(std::move(given)) {}
  static void destroy(Managed* self) { delete static_cast<ExportedTensor*>(self->manager_ctx); }
};

}  // namespace detail

/// Memory of `backend` as a tensor for another library, without a copy. `owner` is kept until the deleter is called,
/// and frees the memory then: a `Buffer`, a `Tensor`, an `OperandTensor`, a `std::shared_ptr`, or `BorrowedMemory`.
/// `Managed` is `dlpack::ManagedTensorVersioned`, the older `dlpack::ManagedTensor`, or one of them as dlpack/dlpack.h
/// declares it.
///
/// What wrote the memory must be done, or ordered before the consumer's stream (`order_for_dlpack`); and whoever calls
/// the deleter must have waited for his own work on the memory, of which DLPack tells us nothing. Elements of fewer
/// than 8 bits are padded. Strides are always given; without elements, the address is null. O(dimensions). Errors:
/// `unsupported` for a format or backend without a name in DLPack, and for what the older form cannot say: read-only,
/// padded.
template <dlpack::ManagedStruct Managed = dlpack::ManagedTensorVersioned, class B, class Owner>
[[nodiscard]] Result<dlpack::Owned<Managed>> export_dlpack(const B& backend, const Operand& operand, Owner owner,
                                                           bool read_only = false) {
  expect(operand.present(), [] { return std::string("an operand that is absent was to be exported"); });
  const auto device = dlpack_device(backend);
  if (!device) return device.propagate();
  const auto type = dlpack_type_of(operand.format);
  if (!type) return type.propagate();
  const bool padded = type.value().bits < 8;
  if (!dlpack::is_versioned<Managed> && (padded || read_only))
    return failure(ErrorKind::unsupported,
                   std::string("DLPack: the form before version 1.0 cannot say that a tensor is ") +
                       (padded ? "padded" : "read-only") + "; export a ManagedTensorVersioned");
  using Exported = detail::ExportedTensor<Managed, Owner>;
  auto* const exported = new Exported(std::move(owner));
  std::copy_n(operand.extents, operand.rank, exported->extents);
  std::copy_n(operand.strides, operand.rank, exported->strides);
  Managed& managed = exported->managed;
  managed.manager_ctx = exported;
  managed.deleter = &Exported::destroy;
  if constexpr (dlpack::is_versioned<Managed>) {
    managed.version = {dlpack::major_version, dlpack::minor_version};
    managed.flags = (read_only ? dlpack::flag_read_only : 0) | (padded ? dlpack::flag_subbyte_padded : 0);
  }
  auto& tensor = managed.dl_tensor;
  tensor.data = operand.size() == 0 ? nullptr : operand.data;
  tensor.device.device_type =
      static_cast<std::remove_cvref_t<decltype(tensor.device.device_type)>>(device.value().device_type);
  tensor.device.device_id = device.value().device_id;
  tensor.ndim = operand.rank;
  tensor.dtype = {type.value().code, type.value().bits, type.value().lanes};
  tensor.shape = exported->extents;
  tensor.strides = exported->strides;
  tensor.byte_offset = 0;
  return dlpack::Owned<Managed>(&managed);
}

/// Row-major elements: a `Buffer` or `Tensor` of as many as the extents say. Misuse: of fewer, or more dimensions than
/// an operand has.
template <dlpack::ManagedStruct Managed = dlpack::ManagedTensorVersioned, class B, class Owner>
requires requires(Owner& owner) {
  element_format<std::remove_cvref_t<decltype(*owner.data())>>();
}
[[nodiscard]] Result<dlpack::Owned<Managed>> export_dlpack(const B& backend, Owner owner,
                                                           std::initializer_list<Index> extents,
                                                           bool read_only = false) {
  Index size = 1;
  for (const Index extent : extents) size = checked_product(size, extent);
  expect(size >= 0 && static_cast<std::uint64_t>(size) <= static_cast<std::uint64_t>(owner.size()), [&] {
    return "a tensor of " + std::to_string(size) + " elements was to be exported from memory of " +
           std::to_string(owner.size()) + "; give extents that it holds";
  });
  const Operand operand = contiguous_operand(owner.data(), extents);
  return export_dlpack<Managed>(backend, operand, std::move(owner), read_only);
}

}  // namespace assay::inline v0
