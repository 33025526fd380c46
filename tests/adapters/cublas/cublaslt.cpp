#include "assay/adapters/cublas/cublaslt.hpp"

#include "adapters/cublas/cublaslt_interpreter.hpp"
#include "testing/catch.hpp"

static_assert(assay::Backend<assay::CublasLt>);

using assay::testing::contains;
using assay::testing::read;

TEST_CASE("cuBLASLt gives the version that runs, and opens where a device is or says why not") {
  CHECK_THAT(assay::CublasLt::version(), assay::testing::matches("[0-9]+\\.[0-9]+\\.[0-9]+"));
  const auto opened = assay::CublasLt::open();
  if (opened) {
    CHECK(opened.value().name() == "cublaslt");
  } else {
    CHECK(opened.error().kind == assay::ErrorKind::unsupported);
    CHECK_THAT(opened.error().message, contains("CUDA") && contains("driver"));
  }
}

TEST_CASE("A plan holds what it was made of, and takes C for D where nothing is added") {
  float matrix[16] = {}, added[16] = {}, bias[4] = {}, factor = 2;
  assay::detail::CublasLtProduct product;
  product.gemm.m = product.gemm.n = product.gemm.k = product.gemm.lda = product.gemm.ldb = product.gemm.ldc = 4;
  product.gemm.a = product.gemm.b = product.gemm.c = matrix;
  const auto plain = assay::detail::CublasLtPlan::make(product);
  REQUIRE(plain);
  CHECK(plain.value().added() == matrix);
  CHECK(read<const void*>(plain.value().operation(), CUBLASLT_MATMUL_DESC_BIAS_POINTER) == nullptr);
  CHECK(read<const void*>(plain.value().operation(), CUBLASLT_MATMUL_DESC_A_SCALE_POINTER) == nullptr);
  product.added = added;
  product.added_leading_dimension = 7;
  product.bias = bias;
  product.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  product.scale_b = {&factor, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F};
  const auto fused = assay::detail::CublasLtPlan::make(product);
  REQUIRE(fused);
  CHECK(fused.value().added() == added);
  CHECK(read<std::int64_t>(fused.value().c(), CUBLASLT_MATRIX_LAYOUT_LD) == 7);
  CHECK(read<std::int64_t>(fused.value().d(), CUBLASLT_MATRIX_LAYOUT_LD) == 4);
  CHECK(read<const void*>(fused.value().operation(), CUBLASLT_MATMUL_DESC_BIAS_POINTER) == bias);
  CHECK(read<std::uint32_t>(fused.value().operation(), CUBLASLT_MATMUL_DESC_EPILOGUE) == CUBLASLT_EPILOGUE_RELU_BIAS);
  CHECK(read<const void*>(fused.value().operation(), CUBLASLT_MATMUL_DESC_B_SCALE_POINTER) == &factor);
  CHECK(read<std::int32_t>(fused.value().operation(), CUBLASLT_MATMUL_DESC_B_SCALE_MODE) ==
        CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
}
