#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

/// What DLPack 1.1 lays down: how libraries of one process hand each other tensors without copying them. Declared here
/// by its text (https://dmlc.github.io/dlpack), so that nothing need be installed. Members bear the standard's names;
/// functions of Assay take the structures of the official header, dlpack/dlpack.h of version 0.6 or later, just as
/// well.
namespace assay::inline v0::dlpack {

inline constexpr std::uint32_t major_version = 1;  ///< of DLPack's ABI, as these declarations have it
inline constexpr std::uint32_t minor_version = 1;  ///< of DLPack's ABI, as these declarations have it

/// Another major version means another layout behind `ManagedTensorVersioned::flags`.
struct Version {
  std::uint32_t major;
  std::uint32_t minor;  ///< adds and never moves
};

/// Where memory is, with DLPack's numbers.
enum class DeviceType : std::int32_t {
  cpu = 1,
  cuda = 2,
  cuda_host = 3,  ///< pinned memory of the host, from cudaMallocHost
  opencl = 4,
  vulkan = 7,
  metal = 8,
  vpi = 9,
  rocm = 10,
  rocm_host = 11,
  extension = 12,  ///< means what those who exchange it agree on
  cuda_managed = 13,
  one_api = 14,
  web_gpu = 15,
  hexagon = 16,
  maia = 17,
  trainium = 18
};

/// A device, as in `DLDevice`.
struct Device {
  DeviceType device_type;  ///< kind of the device
  std::int32_t device_id;  ///< 0 for memory of the host and managed memory

  friend constexpr bool operator==(const Device& a, const Device& b) {
    return a.device_type == b.device_type && a.device_id == b.device_id;
  }
};

/// Kinds of numbers, with DLPack's codes.
enum class TypeCode : std::uint8_t {
  signed_integer = 0,
  unsigned_integer = 1,
  floating_point = 2,
  opaque_handle = 3,
  bfloat = 4,
  complex = 5,
  boolean = 6,
  float8_e3m4 = 7,
  float8_e4m3 = 8,
  float8_e4m3b11fnuz = 9,
  float8_e4m3fn = 10,
  float8_e4m3fnuz = 11,
  float8_e5m2 = 12,
  float8_e5m2fnuz = 13,
  float8_e8m0fnu = 14,
  float6_e2m3fn = 15,
  float6_e3m2fn = 16,
  float4_e2m1fn = 17
};

/// A type of elements, as in `DLDataType`.
struct DataType {
  std::uint8_t code;    ///< a `TypeCode`
  std::uint8_t bits;    ///< of one lane
  std::uint16_t lanes;  ///< of a vector type; else 1

  friend constexpr bool operator==(const DataType& a, const DataType& b) {
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
  }
};

/// A strided tensor on memory of somebody else, as in `DLTensor`.
struct Tensor {
  void* data;                 ///< of the allocation; the first element lies `byte_offset` behind it
  Device device;              ///< where `data` may be used
  std::int32_t ndim;          ///< number of dimensions
  DataType dtype;             ///< type of the elements
  std::int64_t* shape;        ///< `ndim` extents
  std::int64_t* strides;      ///< in elements; null: compact and row-major
  std::uint64_t byte_offset;  ///< from `data` to element (0, …, 0)
};

/// The form before version 1.0, which most producers still give unless they are asked for the other.
struct ManagedTensor {
  Tensor dl_tensor;
  void* manager_ctx;                     ///< the producer's; not touched by others
  void (*deleter)(ManagedTensor* self);  ///< null: nothing is to be done
};

inline constexpr std::uint64_t flag_read_only = 1;  ///< the memory must not be written
inline constexpr std::uint64_t flag_is_copied = 2;  ///< the producer made a copy for the consumer
/// Elements of fewer than 8 bits take a byte each; without it they are packed, the first in the lowest bits.
inline constexpr std::uint64_t flag_subbyte_padded = 4;

/// The form since version 1.0, as in `DLManagedTensorVersioned`.
struct ManagedTensorVersioned {
  Version version;
  void* manager_ctx;                              ///< the producer's; not touched by others
  void (*deleter)(ManagedTensorVersioned* self);  ///< null: nothing is to be done
  std::uint64_t flags;                            ///< `flag_read_only`, `flag_is_copied`; others are left alone
  Tensor dl_tensor;
};

static_assert(sizeof(Version) == 8 && sizeof(Device) == 8 && sizeof(DataType) == 4);
static_assert(sizeof(void*) != 8 ||
              (sizeof(Tensor) == 48 && offsetof(Tensor, device) == 8 && offsetof(Tensor, ndim) == 16 &&
               offsetof(Tensor, dtype) == 20 && offsetof(Tensor, shape) == 24 && offsetof(Tensor, strides) == 32 &&
               offsetof(Tensor, byte_offset) == 40));
static_assert(sizeof(void*) != 8 || (sizeof(ManagedTensor) == 64 && offsetof(ManagedTensor, manager_ctx) == 48 &&
                                     offsetof(ManagedTensor, deleter) == 56));
static_assert(sizeof(void*) != 8 ||
              (sizeof(ManagedTensorVersioned) == 80 && offsetof(ManagedTensorVersioned, manager_ctx) == 8 &&
               offsetof(ManagedTensorVersioned, deleter) == 16 && offsetof(ManagedTensorVersioned, flags) == 24 &&
               offsetof(ManagedTensorVersioned, dl_tensor) == 32));

/// Whether T is the standard's DLTensor, whoever declared it: ours, or that of dlpack/dlpack.h.
template <class T>
concept TensorStruct = sizeof(T) == sizeof(Tensor) && requires(const T& tensor) {
  tensor.data;
  static_cast<std::int32_t>(tensor.device.device_type);
  tensor.device.device_id;
  tensor.ndim;
  tensor.dtype.lanes;
  tensor.shape;
  tensor.strides;
  tensor.byte_offset;
};

/// Whether T is DLManagedTensor or DLManagedTensorVersioned, whoever declared it.
template <class T>
concept ManagedStruct = TensorStruct<decltype(T::dl_tensor)> && requires(T& managed) {
  managed.manager_ctx;
  managed.deleter(&managed);
};

/// Whether the struct is of the form since version 1.0.
template <ManagedStruct T>
inline constexpr bool is_versioned = requires(const T& managed) {
  managed.version.major;
  managed.flags;
};

/// The same in our declaration.
template <TensorStruct T>
[[nodiscard]] Tensor as_tensor(const T& given) {
  return {given.data,
          {static_cast<DeviceType>(static_cast<std::int32_t>(given.device.device_type)), given.device.device_id},
          given.ndim,
          {given.dtype.code, given.dtype.bits, given.dtype.lanes},
          given.shape,
          given.strides,
          given.byte_offset};
}

/// Calls the tensor's own deleter, which frees the structure, too.
struct CallDeleter {
  template <ManagedStruct T>
  void operator()(T* managed) const {
    if (managed->deleter != nullptr) managed->deleter(managed);
  }
};

/// A tensor that somebody must delete: `release()` hands that duty on, to a capsule of Python for instance.
template <ManagedStruct T = ManagedTensorVersioned>
using Owned = std::unique_ptr<T, CallDeleter>;

}  // namespace assay::inline v0::dlpack
