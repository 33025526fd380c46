#include "assay/adapters/rocblas/gemm.hpp"

#include <tuple>

#include "adapters/blas_interpreter.hpp"
#include "adapters/gemm_exactness.hpp"
#include "assay/backends/host.hpp"

using namespace assay::testing;
using assay::bfloat16;
using assay::float16;

namespace {

/// rocBLAS's calls, done on the host.
struct InterpretedRocBlas : assay::Host {
  using BasicHost::BasicHost;
};

}  // namespace

template <assay::Format Input, assay::Format Accumulator, assay::Format Output>
struct assay::kernel<InterpretedRocBlas, assay::Gemm<Input, Input, Accumulator, Output>> {
  static Result<void> run(InterpretedRocBlas&, InterpretedRocBlas::Stream&, const GemmProblem& problem,
                          const GemmArguments<Input, Input, Output>& arguments) {
    const auto call = detail::rocblas_gemm_call<Input, Accumulator, Output>(problem, arguments);
    if (!call) return call.propagate();
    detail::BlasGemm gemm = call.value().gemm;
#if defined(ASSAY_TEST_WITH_ROCM_STUBS)
    REQUIRE(call.value()(nullptr) == rocblas_status_success);
    const rocblas_stub_gemm& told = rocblas_stub_last();
    REQUIRE(told.c == told.d);
    REQUIRE((told.ldc == told.ldd && told.stride_c == told.stride_d));
    REQUIRE((told.a_type == detail::rocblas_type<Input>() && told.b_type == told.a_type &&
             told.c_type == detail::rocblas_type<Output>() && told.d_type == told.c_type));
    REQUIRE(told.compute_type == detail::rocblas_type<Accumulator>());
    gemm = {told.a,
            told.b,
            told.d,
            told.trans_a == rocblas_operation_transpose,
            told.trans_b == rocblas_operation_transpose,
            gemm.exchanged,
            told.m,
            told.n,
            told.k,
            told.batch_count,
            told.lda,
            told.ldb,
            told.ldc,
            told.stride_a,
            told.stride_b,
            told.stride_c};
#endif
    interpret_blas<Input, Input, Output>(gemm, decode(call.value().alpha), decode(call.value().beta),
                                         static_cast<const Output*>(gemm.c), gemm.ldc);
    return {};
  }
};

using Formats =
    std::tuple<assay::Gemm<double, double, double, double>, assay::Gemm<bfloat16, bfloat16, float, bfloat16>>;

TEMPLATE_LIST_TEST_CASE("rocBLAS is told every layout, transposition, batch and scalar as it is", "", Formats) {
  InterpretedRocBlas backend(1);
  const ExactnessTally tally = check_exact_everywhere<InterpretedRocBlas, TestType>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.right == 640);
}

TEST_CASE("Products beyond 32 bits are refused before rocBLAS is asked") {
  const auto call =
      assay::detail::rocblas_gemm_call<float, float, float>({.m = 1, .n = 1, .k = assay::Index{1} << 31}, {});
  REQUIRE_FALSE(call);
  CHECK(call.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(call.error().message, contains("32-bit") && contains("2147483648"));
  const auto overflow =
      assay::detail::rocblas_gemm_call<float16, float16, float16>({.m = 1, .n = 1, .k = 1, .beta = 1e9}, {});
  REQUIRE_FALSE(overflow);
  CHECK_THAT(overflow.error().message, contains("beta"));
}

TEST_CASE("rocBLAS is offered for the formats that it has") {
  static_assert(assay::kernel<assay::RocBlas, assay::Gemm<float16, float16, float, float>>::available);
  static_assert(assay::kernel<assay::RocBlas, assay::Gemm<bfloat16, bfloat16, float, bfloat16>>::available);
  static_assert(!assay::kernel<assay::RocBlas, assay::Gemm<bfloat16, bfloat16, bfloat16, bfloat16>>::available);
}
