#include "assay/adapters/cublas/gemm.hpp"

#include <tuple>

#include "adapters/cublas/cublaslt_interpreter.hpp"
#include "adapters/gemm_exactness.hpp"
#include "assay/backends/host.hpp"

using namespace assay::testing;
using assay::bfloat16;
using assay::float16;
using assay::float8_e4m3fn;
using assay::float8_e5m2;
using assay::GemmProblem;
using assay::Index;
using assay::tfloat32;

namespace {

/// cuBLAS's calls, done on the host.
struct InterpretedCublas : assay::Host {
  using BasicHost::BasicHost;
};
/// cuBLASLt's descriptors, done on the host.
struct InterpretedCublasLt : assay::Host {
  using BasicHost::BasicHost;
};

constexpr int hopper = 90;

}  // namespace

template <assay::Format Input, assay::Format Accumulator, assay::Format Output>
struct assay::kernel<InterpretedCublas, assay::Gemm<Input, Input, Accumulator, Output>> {
  static Result<void> run(InterpretedCublas&, InterpretedCublas::Stream&, const GemmProblem& problem,
                          const GemmArguments<Input, Input, Output>& arguments) {
    const auto call = detail::cublas_gemm_call<Input, Accumulator, Output>(problem, arguments);
    if (!call) return call.propagate();
    const detail::BlasGemm& gemm = call.value().gemm;
    REQUIRE(gemm.lda >= std::max<Index>(1, gemm.rows_a()));
    REQUIRE(gemm.ldb >= std::max<Index>(1, gemm.rows_b()));
    REQUIRE(gemm.ldc >= std::max<Index>(1, gemm.m));
    interpret_blas<Input, Input, Output>(gemm, decode(call.value().alpha), decode(call.value().beta),
                                         static_cast<const Output*>(gemm.c), gemm.ldc);
    return {};
  }
};

template <assay::Format A, assay::Format B, assay::Format Accumulator, assay::Format Output>
struct assay::kernel<InterpretedCublasLt, assay::Gemm<A, B, Accumulator, Output>> {
  static Result<void> run(InterpretedCublasLt&, InterpretedCublasLt::Stream&, const GemmProblem& problem,
                          const GemmArguments<A, B, Output>& arguments) {
    const auto product = detail::cublaslt_product<A, B, Accumulator, Output>(problem, arguments);
    if (!product) return product.propagate();
    if (const std::string refusal = detail::cublaslt_refusal(product.value(), hopper); !refusal.empty())
      return failure(ErrorKind::unsupported, refusal);
    const auto plan = detail::CublasLtPlan::make(product.value());
    if (!plan) return plan.propagate();
    Accumulator alpha, beta;
    std::memcpy(&alpha, product.value().alpha.bytes, sizeof alpha);
    std::memcpy(&beta, product.value().beta.bytes, sizeof beta);
    const detail::BlasGemm gemm = described(plan.value());
    const auto* added = static_cast<const Output*>(plan.value().added());
    if (gemm.a == arguments.a.data)
      interpret_blas<A, B, Output>(gemm, decode(alpha), decode(beta), added,
                                   read<std::int64_t>(plan.value().c(), CUBLASLT_MATRIX_LAYOUT_LD));
    else
      interpret_blas<B, A, Output>(gemm, decode(alpha), decode(beta), added,
                                   read<std::int64_t>(plan.value().c(), CUBLASLT_MATRIX_LAYOUT_LD));
    return {};
  }
};

using Usual = std::tuple<assay::Gemm<double, double, double, double>, assay::Gemm<float, float, float, float>,
                         assay::Gemm<bfloat16, bfloat16, float, float>>;

TEMPLATE_LIST_TEST_CASE("cuBLAS is told every layout, transposition, batch and scalar as it is", "", Usual) {
  InterpretedCublas backend(1);
  const ExactnessTally tally = check_exact_everywhere<InterpretedCublas, TestType>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.right == 640);
}

TEMPLATE_LIST_TEST_CASE("cuBLASLt's descriptors say every layout, transposition, batch and scalar as it is", "",
                        Usual) {
  InterpretedCublasLt backend(1);
  const ExactnessTally tally = check_exact_everywhere<InterpretedCublasLt, TestType>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.right == 640);
}

TEST_CASE(
    "Products of 8-bit floats on Hopper are those with k contiguous and all 16 bytes aligned, the others are refused "
    "with the reason") {
  using Eight = assay::Gemm<float8_e4m3fn, float8_e5m2, float, bfloat16>;
  InterpretedCublasLt backend(1);
  ExactnessTally tally;
  const GemmProblem right{.m = 16, .n = 8, .k = 32, .transpose_b = true};
  check_exact<InterpretedCublasLt, Eight>(backend, right, tally);
  check_exact<InterpretedCublasLt, Eight>(
      backend, {.m = 8, .n = 3, .k = 16, .transpose_a = true, .order = assay::StorageOrder::column_major}, tally);
  check_exact<InterpretedCublasLt, Eight>(
      backend,
      {.m = 5, .n = 16, .k = 48, .batch = 3, .transpose_b = true, .alpha = 2, .beta = 1, .leading_dimension_c = 24},
      tally);
  CHECK(tally.first_fault == "");
  CHECK(tally.right == 3);
  const auto reason = [&](auto change) {
    GemmProblem problem = right;
    change(problem);
    ExactnessTally refused;
    check_exact<InterpretedCublasLt, Eight>(backend, problem, refused);
    CHECK(refused.unsupported == 1);
    return refused.reason;
  };
  CHECK_THAT(reason([](GemmProblem& problem) { problem.transpose_b = false; }),
             contains("k contiguous") && contains("transpose_b"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.transpose_a = true; }), contains("k contiguous"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.k = 33; }), contains("k is a multiple of 16 bytes; it is 33"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.n = 9; }),
             contains("row of the output is a multiple of 16 bytes; it is 18"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.leading_dimension_a = 40; }),
             contains("leading dimension of A") && contains("40"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.batch = 2, problem.batch_stride_b = 8 * 32 + 8; }),
             contains("distance between matrices"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.k = 0; }), contains("without elements"));
  CHECK_THAT(reason([](GemmProblem& problem) { problem.m = 0; }), contains("without elements"));
}

TEST_CASE("What 8-bit floats need depends on the device: none before Ada, any order on Blackwell's data-center parts") {
  alignas(256) static const float8_e4m3fn values[256 * 2] = {};
  alignas(256) static bfloat16 output[256];
  const assay::GemmArguments<float8_e4m3fn, float8_e4m3fn, bfloat16> arguments{
      {values, {}, {}}, {values, {}, {}}, {output, {}, {}}};
  const auto product = assay::detail::cublaslt_product<float8_e4m3fn, float8_e4m3fn, float, bfloat16>(
                           {.m = 16, .n = 16, .k = 16}, arguments)
                           .value();
  CHECK_THAT(assay::detail::cublaslt_refusal(product, 80), contains("8.9") && contains("8.0"));
  CHECK_THAT(assay::detail::cublaslt_refusal(product, 90), contains("k contiguous"));
  CHECK(assay::detail::cublaslt_refusal(product, 100) == "");
  CHECK_THAT(assay::detail::cublaslt_refusal(product, 120), contains("k contiguous"));
  auto misaligned = product;
  misaligned.gemm.b = values + 1;
  CHECK_THAT(assay::detail::cublaslt_refusal(misaligned, 100), contains("address") && contains("16 bytes; it is 1"));
}

TEST_CASE("The library takes addresses for as aligned as they are, at most for 256 bytes") {
  const auto at = [](std::uintptr_t address) {
    return assay::detail::alignment_of(reinterpret_cast<const void*>(address));
  };
  CHECK(at(0) == 256);
  CHECK(at(4096) == 256);
  CHECK(at(4096 + 128) == 128);
  CHECK(at(4096 + 2) == 2);
  CHECK(at(4097) == 1);
}

TEST_CASE("Scalars that overflow and problems that contradict themselves are refused before the library is asked") {
  const auto overflow =
      assay::detail::cublas_gemm_call<float16, float16, float16>({.m = 1, .n = 1, .k = 1, .alpha = 1e6}, {});
  REQUIRE_FALSE(overflow);
  CHECK(overflow.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(overflow.error().message, contains("alpha") && contains("f16"));
  const auto invalid = assay::detail::cublaslt_product<float, float, float, float>({.m = 1, .n = 1, .k = -1}, {});
  REQUIRE_FALSE(invalid);
  CHECK(invalid.error().kind == assay::ErrorKind::invalid);
}

TEST_CASE("Every product is asked for in the arithmetic that its operation names") {
  using namespace assay::detail;
  CHECK(cublas_compute_type<float, float>() == CUBLAS_COMPUTE_32F);
  CHECK(cublas_compute_type<tfloat32, float>() == CUBLAS_COMPUTE_32F_FAST_TF32);
  CHECK(cublas_compute_type<float16, float16>() == CUBLAS_COMPUTE_16F);
  CHECK(cublas_compute_type<bfloat16, float>() == CUBLAS_COMPUTE_32F);
  CHECK(cublas_compute_type<double, double>() == CUBLAS_COMPUTE_64F);
  REQUIRE(cuda_type_of(assay::element_format<tfloat32>()));
  CHECK(*cuda_type_of(assay::element_format<tfloat32>()) == CUDA_R_32F);
  CHECK_FALSE(cuda_type_of(assay::element_format<assay::float8_e4m3fnuz>()));
  CHECK(assay::kernel<assay::Cublas, assay::Gemm<float, float, float, float>>::accumulation({}).block == 1);
  CHECK(assay::kernel<assay::Cublas, assay::Gemm<bfloat16, bfloat16, float, bfloat16>>::accumulation({}).truncating);
  CHECK(assay::kernel<assay::CublasLt, assay::Gemm<float8_e4m3fn, float8_e4m3fn, float, float>>::accumulation({})
            .promotion == 128);
  static_assert(!assay::kernel<assay::CublasLt, assay::Gemm<float8_e5m2, float8_e5m2, float, float>>::available);
  static_assert(!assay::kernel<assay::Cublas, assay::Gemm<float8_e4m3fn, float8_e4m3fn, float, float>>::available,
                "cuBLAS proper has no 8-bit floats");
}
