#include "assay/adapters/cublas/cublas.hpp"

#include "testing/catch.hpp"

static_assert(assay::Backend<assay::Cublas>);

using assay::testing::contains;

TEST_CASE("cuBLAS gives the version that runs, and opens where a device is or says why not") {
  CHECK_THAT(assay::Cublas::version(), assay::testing::matches("[0-9]+\\.[0-9]+\\.[0-9]+"));
  const auto opened = assay::Cublas::open();
  if (opened) {
    CHECK(opened.value().name() == "cublas");
  } else {
    CHECK(opened.error().kind == assay::ErrorKind::unsupported);
    CHECK_THAT(opened.error().message, contains("CUDA") && contains("driver"));
  }
  CHECK_FALSE(assay::Cublas::open(4711));
}

TEST_CASE("What cuBLAS answers becomes an error of its kind, with the call, the library's words and the problem") {
  using assay::ErrorKind;
  CHECK(assay::detail::cublas_result("call", CUBLAS_STATUS_SUCCESS));
  const auto kind = [](cublasStatus_t status) {
    return assay::detail::cublas_result("cublasFoo", status, "m3").error().kind;
  };
  CHECK(kind(CUBLAS_STATUS_NOT_SUPPORTED) == ErrorKind::unsupported);
  CHECK(kind(CUBLAS_STATUS_ARCH_MISMATCH) == ErrorKind::unsupported);
  CHECK(kind(CUBLAS_STATUS_ALLOC_FAILED) == ErrorKind::out_of_memory);
  CHECK(kind(CUBLAS_STATUS_INVALID_VALUE) == ErrorKind::invalid);
  for (const auto status : {CUBLAS_STATUS_NOT_INITIALIZED, CUBLAS_STATUS_EXECUTION_FAILED, CUBLAS_STATUS_INTERNAL_ERROR,
                            CUBLAS_STATUS_MAPPING_ERROR, CUBLAS_STATUS_LICENSE_ERROR})
    CHECK(kind(status) == ErrorKind::device);
  CHECK_THAT(assay::detail::cublas_result("cublasFoo", CUBLAS_STATUS_EXECUTION_FAILED, "m3").error().message,
             contains("cublasFoo: CUBLAS_STATUS_EXECUTION_FAILED") && contains("m3"));
}

TEST_CASE("Reductions of split sums are not made in the output's format unless the caller says so") {
  static_assert((assay::Cublas::promised_math & CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) != 0);
}
