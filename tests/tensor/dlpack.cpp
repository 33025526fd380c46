#include "assay/tensor/dlpack.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>

using namespace assay;

TEST_CASE("structures of the official header go out and in like ours") {
  float values[6] = {1, 2, 3, 4, 5, 6};
  int deleted = 0;
  std::int64_t shape[] = {3, 2}, strides[] = {1, 3};
  DLManagedTensor theirs{};
  theirs.dl_tensor = {values, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
  theirs.manager_ctx = &deleted;
  theirs.deleter = [](DLManagedTensor* self) { ++*static_cast<int*>(self->manager_ctx); };
  CHECK(dlpack_operand(Host(), theirs.dl_tensor).value().at(2, 1) == 6);
  CHECK(deleted == 0);
  CHECK(ImportedTensor::take(Host(), &theirs).value().operand().at(1, 1) == 5);
  CHECK(deleted == 1);
  auto exported = export_dlpack<DLManagedTensor>(Host(), contiguous_operand(values, {2, 3}), BorrowedMemory{});
  REQUIRE(exported);
  const DLTensor& tensor = exported.value()->dl_tensor;
  CHECK((tensor.device.device_type == kDLCPU && tensor.dtype.code == kDLFloat && tensor.ndim == 2 &&
         tensor.strides[0] == 3));
#if defined(DLPACK_MAJOR_VERSION)
  const auto versioned =
      export_dlpack<DLManagedTensorVersioned>(Host(), contiguous_operand(values, {2, 3}), BorrowedMemory{}, true);
  CHECK((versioned.value()->version.major == DLPACK_MAJOR_VERSION &&
         versioned.value()->flags == DLPACK_FLAG_BITMASK_READ_ONLY));
#endif
}
#endif
