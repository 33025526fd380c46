#include "assay/adapters/cudnn/cudnn.hpp"

#include "adapters/cudnn/planned_device.hpp"
#include "testing/catch.hpp"

static_assert(assay::Backend<assay::Cudnn>);

using namespace assay;
using assay::testing::contains;

TEST_CASE("cuDNN gives the version that runs, and opens where a device is or says why not") {
  CHECK_THAT(Cudnn::version(), testing::matches("9\\.[0-9]+\\.[0-9]+"));
  const auto opened = Cudnn::open();
  if (opened) {
    CHECK(opened.value().name() == "cudnn");
  } else {
    CHECK(opened.error().kind == ErrorKind::unsupported);
    CHECK_THAT(opened.error().message, contains("CUDA") && contains("driver"));
  }
}

TEST_CASE("What cuDNN answers becomes an error of its kind, with the call, the library's words and the problem") {
  const auto kind = [](cudnnStatus_t status) { return detail::cudnn_result("cudnnFoo", status, "n2").error().kind; };
  CHECK(detail::cudnn_result("cudnnFoo", CUDNN_STATUS_SUCCESS));
  CHECK(kind(CUDNN_STATUS_NOT_SUPPORTED) == ErrorKind::unsupported);
  CHECK(kind(CUDNN_STATUS_NOT_SUPPORTED_SHAPE) == ErrorKind::unsupported);
  CHECK(kind(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH) == ErrorKind::unsupported);
  CHECK(kind(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) == ErrorKind::out_of_memory);
  for (const auto status : {CUDNN_STATUS_NOT_INITIALIZED, CUDNN_STATUS_INTERNAL_ERROR, CUDNN_STATUS_EXECUTION_FAILED,
                            CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER})
    CHECK(kind(status) == ErrorKind::device);
  CHECK_THAT(detail::cudnn_result("cudnnFoo", CUDNN_STATUS_NOT_SUPPORTED_SHAPE, "n2").error().message,
             contains("cudnnFoo: CUDNN_STATUS_NOT_SUPPORTED_SHAPE") && contains("n2"));
}

TEST_CASE("The first call that fails decides what a descriptor says, and what holds it") {
  detail::CudnnDescriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_POINTWISE_MODE, std::int64_t{1})
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, std::int64_t{1})
      .finalize("a tensor");
  REQUIRE_FALSE(tensor.status());
  CHECK_THAT(tensor.status().error().message, contains("cudnnBackendSetAttribute") && contains("attribute 0"));
  detail::CudnnDescriptor holder(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  holder.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, tensor);
  REQUIRE_FALSE(holder.status());
  CHECK(holder.status().error().message == tensor.status().error().message);
}

TEST_CASE("A plan of a graph that is wrong, or without operations, is the library's error") {
  const detail::CudnnGraph empty;
  const auto none = detail::CudnnPlan::make(empty, {}, {}, "nothing");
  REQUIRE_FALSE(none);
  CHECK_THAT(none.error().message, contains("cudnn"));
  detail::CudnnGraph wrong;
  const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
    return wrong.intermediate(detail::CudnnShape::dense({1, 1, rows, columns}));
  };
  wrong.multiply(matrix(2, 3), matrix(4, 5), matrix(2, 5));
  REQUIRE_FALSE(wrong.status());
  CHECK_THAT(wrong.status().error().message, contains("a product's operation"));
  const auto plan = detail::CudnnPlan::make(wrong, {}, {}, "wrong");
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message == wrong.status().error().message);
}
