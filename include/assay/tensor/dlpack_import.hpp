#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/formats/packed_view.hpp"
#include "assay/tensor/detail/dlpack_layout.hpp"
#include "assay/tensor/dlpack_abi.hpp"
#include "assay/tensor/dlpack_device.hpp"
#include "assay/tensor/dlpack_format.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tensor/overlap.hpp"

namespace assay::inline v0 {

/// A view of somebody else's tensor, without a copy, for work on `backend`; `flags` are those of
/// `dlpack::ManagedTensorVersioned`. The tensor stays its owner's, and must outlive the view.
///
/// Compact where strides are null; `byte_offset` is in the address; strides may be 0 or negative; a dimension of one
/// element gets the stride that it would have in a tensor without gaps, whatever its producer wrote; null without
/// elements. O(dimensions); device memory is not touched. Errors: `unsupported` (a type without a format here, packed
/// or misaligned elements, more than `Operand::most_dimensions`, a device that the backend does not read), `malformed`
/// (no shape, negative or overflowing extents, null with elements, a reach beyond the address space), `invalid` (memory
/// elsewhere than the tensor says). Messages begin with "DLPack".
template <class B, dlpack::TensorStruct T>
[[nodiscard]] Result<Operand> dlpack_operand(const B& backend, const T& given, std::uint64_t flags = 0) {
  const dlpack::Tensor tensor = dlpack::as_tensor(given);
  if (auto readable = expect_dlpack_device(backend, tensor.device); !readable) return readable.propagate();
  const auto format = element_format_of(tensor.dtype, (flags & dlpack::flag_subbyte_padded) != 0);
  if (!format) return format.propagate();
  auto operand = detail::dlpack_extents(tensor, format.value());
  if (!operand) return operand;
  const auto address = detail::dlpack_address(tensor, operand.value());
  if (!address) return address.propagate();
  if (auto there = detail::expect_residence(backend, tensor.device, address.value()); !there) return there.propagate();
  operand.value().data = address.value();
  return operand;
}

/// The elements of a compact tensor of fewer than 8 bits each, packed as DLPack has it: the first in the lowest bits.
/// Lanes count as elements, as in PyTorch's `float4_e2m1fn_x2`. Errors: those of `dlpack_operand`; `unsupported` for
/// another type than T's, padded elements, and strides other than those of a compact tensor.
template <class T, class B, dlpack::TensorStruct Given>
requires(Format<T>&& FormatTraits<T>::bits < 8)
    [[nodiscard]] Result<PackedView<const T>> dlpack_packed_view(const B& backend, const Given& given,
                                                                 std::uint64_t flags = 0) {
  dlpack::Tensor tensor = dlpack::as_tensor(given);
  if (auto readable = expect_dlpack_device(backend, tensor.device); !readable) return readable.propagate();
  const auto wanted = dlpack_type_of(element_format<T>());
  if (!wanted) return wanted.propagate();
  if (tensor.dtype.code != wanted.value().code || tensor.dtype.bits != wanted.value().bits ||
      (flags & dlpack::flag_subbyte_padded) != 0)
    return failure(ErrorKind::unsupported,
                   "DLPack: elements are " + name_of(tensor.dtype) +
                       ((flags & dlpack::flag_subbyte_padded) != 0 ? ", each in a byte of its own" : "") +
                       ", and packed " + name_of(wanted.value()) + " were expected");
  // Bytes have no alignment to fail, and reach at least as far as what is packed into them.
  const auto bytes = detail::dlpack_extents(tensor, element_format<std::uint8_t>());
  if (!bytes) return bytes.propagate();
  tensor.strides = nullptr;
  const auto compact = detail::dlpack_extents(tensor, element_format<std::uint8_t>());
  if (!compact) return compact.propagate();
  for (int d = 0; d < tensor.ndim; ++d)
    if (bytes.value().strides[d] != compact.value().strides[d])
      return failure(ErrorKind::unsupported, "DLPack: packed elements lie " + std::to_string(bytes.value().strides[d]) +
                                                 " apart in dimension " + std::to_string(d) +
                                                 ", where a compact tensor has " +
                                                 std::to_string(compact.value().strides[d]) + "; copy the tensor");
  const Index count = checked_product(compact.value().size(), tensor.dtype.lanes);
  if (count < 0 || count > INT64_MAX / 8)
    return detail::malformed_dlpack("the product of the extents exceeds 2^60 packed elements");
  const auto address = detail::dlpack_address(tensor, compact.value());
  if (!address) return address.propagate();
  if (auto there = detail::expect_residence(backend, tensor.device, address.value()); !there) return there.propagate();
  return PackedView<const T>{static_cast<const std::uint8_t*>(address.value()), count};
}

/// A tensor that another library made, owned until it is given back: its deleter is called once, when the last copy of
/// this is gone. The memory is not copied.
class ImportedTensor {
 public:
  /// Takes a tensor over, for work on `backend`. Whatever comes of it, the tensor is ours from here on: where it is
  /// refused, its deleter has been called. Errors: those of `dlpack_operand`; `unsupported` for another major version,
  /// of which nothing is read but the deleter, and for flags that DLPack 1.1 does not know; `invalid` for null.
  template <class B, dlpack::ManagedStruct M>
  [[nodiscard]] static Result<ImportedTensor> take(const B& backend, dlpack::Owned<M> managed) {
    if (managed == nullptr) return failure(ErrorKind::invalid, "DLPack: a null pointer was given for a managed tensor");
    ImportedTensor imported;
    if constexpr (dlpack::is_versioned<M>) {
      if (managed->version.major != dlpack::major_version)
        return failure(ErrorKind::unsupported,
                       "DLPack: the tensor is of version " + std::to_string(managed->version.major) + "." +
                           std::to_string(managed->version.minor) +
                           ", and versions 1.x are read; ask its producer for max_version=(1, 1)");
      imported.flags_ = managed->flags;
      if (const std::uint64_t unknown =
              imported.flags_ & ~(dlpack::flag_read_only | dlpack::flag_is_copied | dlpack::flag_subbyte_padded);
          unknown != 0)
        return failure(ErrorKind::unsupported, "DLPack: the tensor of version 1." +
                                                   std::to_string(managed->version.minor) + " has the flags " +
                                                   std::to_string(unknown) +
                                                   ", which version 1.1 does not know, and which may change what its "
                                                   "elements are; ask its producer for max_version=(1, 1)");
    }
    auto operand = dlpack_operand(backend, managed->dl_tensor, imported.flags_);
    if (!operand) return operand.propagate();
    imported.operand_ = operand.value();
    imported.device_ = dlpack::as_tensor(managed->dl_tensor).device;
    imported.owner_ = std::shared_ptr<M>(std::move(managed));
    return Result<ImportedTensor>(std::move(imported));
  }
  template <class B, dlpack::ManagedStruct M>
  [[nodiscard]] static Result<ImportedTensor> take(const B& backend, M* managed) {
    return take(backend, dlpack::Owned<M>(managed));
  }

  /// To read.
  [[nodiscard]] const Operand& operand() const { return operand_; }
  /// To write. Errors: `unsupported` for a read-only tensor, and for one in which two indices name one element.
  [[nodiscard]] Result<Operand> writable() const {
    if (read_only())
      return failure(ErrorKind::unsupported,
                     "DLPack: the tensor is read-only, and was to be written; give a writable one");
    StridedView<const char, Operand::most_dimensions> view{static_cast<const char*>(operand_.data), {}, {}};
    std::fill_n(view.extents, Operand::most_dimensions, 1);
    std::copy_n(operand_.extents, operand_.rank, view.extents);
    std::copy_n(operand_.strides, operand_.rank, view.strides);
    if (overlaps_itself(view))
      return failure(ErrorKind::unsupported,
                     "DLPack: two indices of the tensor name the same element (a broadcast?), and it was to be "
                     "written; give a tensor of "
                     "its own memory");
    return operand_;
  }
  /// To read, in a format and rank known beforehand. Errors: `invalid` where they are others.
  template <class T, std::size_t Rank>
  [[nodiscard]] Result<StridedView<const T, Rank>> view() const {
    if (operand_.format == element_format<T>() && operand_.rank == static_cast<int>(Rank))
      return operand_.view<const T, Rank>();
    return failure(ErrorKind::invalid, std::string("DLPack: the tensor is of format ") + operand_.format.name +
                                           " and rank " + std::to_string(operand_.rank) + ", and " +
                                           element_format<T>().name + " of rank " + std::to_string(Rank) +
                                           " was expected");
  }
  /// False, too, for tensors in the older form, which does not say.
  [[nodiscard]] bool read_only() const { return (flags_ & dlpack::flag_read_only) != 0; }
  /// Whether its producer copied it for us: then what is validated is not what the kernel wrote.
  [[nodiscard]] bool is_copied() const { return (flags_ & dlpack::flag_is_copied) != 0; }
  /// Where the memory is.
  [[nodiscard]] const dlpack::Device& device() const { return device_; }

 private:
  Operand operand_;
  dlpack::Device device_{};
  std::uint64_t flags_ = 0;
  std::shared_ptr<void> owner_;
};

}  // namespace assay::inline v0
