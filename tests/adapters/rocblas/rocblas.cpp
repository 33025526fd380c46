#include "assay/adapters/rocblas/rocblas.hpp"

#include "testing/catch.hpp"

static_assert(assay::Backend<assay::RocBlas>);

using assay::testing::contains;

TEST_CASE("rocBLAS gives its version, and opens where a device is or says why not") {
  CHECK_FALSE(assay::RocBlas::version().empty());
  const auto opened = assay::RocBlas::open();
  if (opened)
    CHECK(opened.value().name() == "rocblas");
  else
    CHECK(opened.error().kind == assay::ErrorKind::unsupported);
}

TEST_CASE("What rocBLAS answers becomes an error of its kind, with the call, the library's words and the problem") {
  using assay::ErrorKind;
  const auto error = [](rocblas_status status) {
    return assay::detail::rocblas_result("rocblas_foo", status, "m3").error();
  };
  CHECK(assay::detail::rocblas_result("rocblas_foo", rocblas_status_success));
  CHECK(error(rocblas_status_not_implemented).kind == ErrorKind::unsupported);
  CHECK(error(rocblas_status_memory_error).kind == ErrorKind::out_of_memory);
  CHECK(error(rocblas_status_invalid_size).kind == ErrorKind::invalid);
  CHECK(error(rocblas_status_internal_error).kind == ErrorKind::device);
  CHECK_THAT(error(rocblas_status_not_implemented).message,
             contains("rocblas_foo: rocblas_status_not_implemented") && contains("m3"));
}
