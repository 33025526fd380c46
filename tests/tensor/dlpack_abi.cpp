#include "assay/tensor/dlpack_abi.hpp"

#include <type_traits>

#include "testing/catch.hpp"
#include "testing/dlpack_sample.hpp"
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif

using namespace assay;

TEST_CASE("structures of DLPack are recognized whoever declared them, and no others") {
  static_assert(dlpack::TensorStruct<dlpack::Tensor> && !dlpack::TensorStruct<dlpack::ManagedTensor>);
  static_assert(dlpack::ManagedStruct<dlpack::ManagedTensor> && !dlpack::is_versioned<dlpack::ManagedTensor>);
  static_assert(dlpack::ManagedStruct<dlpack::ManagedTensorVersioned> &&
                dlpack::is_versioned<dlpack::ManagedTensorVersioned>);
  static_assert(!dlpack::ManagedStruct<dlpack::Tensor> && !dlpack::ManagedStruct<int>);
  static_assert(std::is_standard_layout_v<dlpack::ManagedTensorVersioned> &&
                std::is_trivial_v<dlpack::ManagedTensorVersioned>);
}

TEST_CASE("an owned tensor is deleted once, and one without a deleter is let go") {
  testing::DLPackSample<dlpack::ManagedTensor> sample(nullptr, dlpack::TypeCode::floating_point, 32, {0});
  { dlpack::Owned<dlpack::ManagedTensor> owned(&sample.managed); }
  CHECK(sample.deleted == 1);
  {
    dlpack::Owned<dlpack::ManagedTensor> owned(&sample.managed);
    CHECK(owned.release() == &sample.managed);
  }
  CHECK(sample.deleted == 1);
  sample.managed.deleter = nullptr;
  { dlpack::Owned<dlpack::ManagedTensor> owned(&sample.managed); }
  CHECK(sample.deleted == 1);
}

#if __has_include(<dlpack/dlpack.h>)
#define SAME_PLACE(ours, theirs, member) \
  static_assert(offsetof(ours, member) == offsetof(theirs, member) && sizeof(ours::member) == sizeof(theirs::member))

TEST_CASE("our declarations lie in memory as those of dlpack/dlpack.h do") {
  static_assert(dlpack::TensorStruct<DLTensor> && dlpack::ManagedStruct<DLManagedTensor> &&
                !dlpack::is_versioned<DLManagedTensor>);
  SAME_PLACE(dlpack::Tensor, DLTensor, data);
  SAME_PLACE(dlpack::Tensor, DLTensor, device);
  SAME_PLACE(dlpack::Tensor, DLTensor, ndim);
  SAME_PLACE(dlpack::Tensor, DLTensor, dtype);
  SAME_PLACE(dlpack::Tensor, DLTensor, shape);
  SAME_PLACE(dlpack::Tensor, DLTensor, strides);
  SAME_PLACE(dlpack::Tensor, DLTensor, byte_offset);
  SAME_PLACE(dlpack::DataType, DLDataType, code);
  SAME_PLACE(dlpack::DataType, DLDataType, bits);
  SAME_PLACE(dlpack::DataType, DLDataType, lanes);
  SAME_PLACE(dlpack::Device, DLDevice, device_type);
  SAME_PLACE(dlpack::Device, DLDevice, device_id);
  SAME_PLACE(dlpack::ManagedTensor, DLManagedTensor, dl_tensor);
  SAME_PLACE(dlpack::ManagedTensor, DLManagedTensor, manager_ctx);
  SAME_PLACE(dlpack::ManagedTensor, DLManagedTensor, deleter);
  static_assert(sizeof(dlpack::Tensor) == sizeof(DLTensor) && sizeof(dlpack::ManagedTensor) == sizeof(DLManagedTensor));

  const auto same = [](auto ours, auto theirs) { return static_cast<int>(ours) == static_cast<int>(theirs); };
  CHECK((same(dlpack::DeviceType::cpu, kDLCPU) && same(dlpack::DeviceType::cuda, kDLCUDA) &&
         same(dlpack::DeviceType::cuda_host, kDLCUDAHost)));
  CHECK((same(dlpack::DeviceType::opencl, kDLOpenCL) && same(dlpack::DeviceType::vulkan, kDLVulkan) &&
         same(dlpack::DeviceType::metal, kDLMetal) && same(dlpack::DeviceType::vpi, kDLVPI)));
  CHECK((same(dlpack::DeviceType::rocm, kDLROCM) && same(dlpack::DeviceType::rocm_host, kDLROCMHost) &&
         same(dlpack::DeviceType::extension, kDLExtDev)));
  CHECK(same(dlpack::DeviceType::cuda_managed, kDLCUDAManaged));
  CHECK((same(dlpack::TypeCode::signed_integer, kDLInt) && same(dlpack::TypeCode::unsigned_integer, kDLUInt) &&
         same(dlpack::TypeCode::floating_point, kDLFloat)));
  CHECK((same(dlpack::TypeCode::opaque_handle, kDLOpaqueHandle) && same(dlpack::TypeCode::bfloat, kDLBfloat) &&
         same(dlpack::TypeCode::complex, kDLComplex)));
#if defined(DLPACK_MAJOR_VERSION)
  static_assert(dlpack::ManagedStruct<DLManagedTensorVersioned> && dlpack::is_versioned<DLManagedTensorVersioned>);
  SAME_PLACE(dlpack::ManagedTensorVersioned, DLManagedTensorVersioned, version);
  SAME_PLACE(dlpack::ManagedTensorVersioned, DLManagedTensorVersioned, manager_ctx);
  SAME_PLACE(dlpack::ManagedTensorVersioned, DLManagedTensorVersioned, deleter);
  SAME_PLACE(dlpack::ManagedTensorVersioned, DLManagedTensorVersioned, flags);
  SAME_PLACE(dlpack::ManagedTensorVersioned, DLManagedTensorVersioned, dl_tensor);
  static_assert(sizeof(dlpack::ManagedTensorVersioned) == sizeof(DLManagedTensorVersioned) &&
                dlpack::major_version == DLPACK_MAJOR_VERSION);
  CHECK((dlpack::flag_read_only == DLPACK_FLAG_BITMASK_READ_ONLY &&
         dlpack::flag_is_copied == DLPACK_FLAG_BITMASK_IS_COPIED));
  CHECK((same(dlpack::TypeCode::boolean, kDLBool) && same(dlpack::DeviceType::one_api, kDLOneAPI) &&
         same(dlpack::DeviceType::maia, kDLMAIA)));
#if DLPACK_MINOR_VERSION >= 1
  CHECK(dlpack::flag_subbyte_padded == DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  CHECK((same(dlpack::TypeCode::float8_e3m4, kDLFloat8_e3m4) && same(dlpack::TypeCode::float8_e4m3, kDLFloat8_e4m3) &&
         same(dlpack::TypeCode::float8_e4m3b11fnuz, kDLFloat8_e4m3b11fnuz)));
  CHECK((same(dlpack::TypeCode::float8_e4m3fn, kDLFloat8_e4m3fn) &&
         same(dlpack::TypeCode::float8_e4m3fnuz, kDLFloat8_e4m3fnuz) &&
         same(dlpack::TypeCode::float8_e5m2, kDLFloat8_e5m2)));
  CHECK((same(dlpack::TypeCode::float8_e5m2fnuz, kDLFloat8_e5m2fnuz) &&
         same(dlpack::TypeCode::float8_e8m0fnu, kDLFloat8_e8m0fnu)));
  CHECK((same(dlpack::TypeCode::float6_e2m3fn, kDLFloat6_e2m3fn) &&
         same(dlpack::TypeCode::float6_e3m2fn, kDLFloat6_e3m2fn) &&
         same(dlpack::TypeCode::float4_e2m1fn, kDLFloat4_e2m1fn)));
#endif
#endif
}
#endif
