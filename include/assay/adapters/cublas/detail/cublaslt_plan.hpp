#pragma once

#include <memory>
#include <utility>

#include "assay/adapters/cublas/detail/cublaslt_product.hpp"
#include "assay/adapters/cublas/detail/status.hpp"

namespace assay::inline v0::detail {

/// What a cuBLASLt function makes and another destroys.
template <auto Destroy>
struct CublasLtDeleter {
  template <class T>
  void operator()(T* made) const {
    static_cast<void>(Destroy(made));
  }
};
template <class Handle, auto Destroy>
using CublasLtOwned = std::unique_ptr<std::remove_pointer_t<Handle>, CublasLtDeleter<Destroy>>;

/// A product in cuBLASLt's descriptors. To make it needs no device.
class CublasLtPlan {
 public:
  [[nodiscard]] static Result<CublasLtPlan> make(const CublasLtProduct& product) {
    CublasLtPlan plan;
    plan.product_ = product;
    cublasLtMatmulDesc_t operation = nullptr;
    if (auto made = cublas_result("cublasLtMatmulDescCreate",
                                  cublasLtMatmulDescCreate(&operation, product.compute, product.scalar_type));
        !made)
      return made.propagate();
    plan.operation_.reset(operation);
    if (auto set = plan.describe_operation(); !set) return set.propagate();
    const BlasGemm& gemm = product.gemm;
    const Index ld_added = product.added != nullptr ? product.added_leading_dimension : gemm.ldc;
    const auto layout = [&](Layout& to, cudaDataType_t type, Index rows, Index columns, Index leading_dimension,
                            Index stride) -> Result<void> {
      cublasLtMatrixLayout_t made = nullptr;
      if (auto created =
              cublas_result("cublasLtMatrixLayoutCreate",
                            cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(rows),
                                                       static_cast<std::uint64_t>(columns), leading_dimension));
          !created)
        return created;
      to.reset(made);
      const auto count = static_cast<std::int32_t>(gemm.batch);
      const auto offset = static_cast<std::int64_t>(stride);
      if (auto set = set_layout(to, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count); !set) return set;
      return set_layout(to, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, offset);
    };
    if (auto made = layout(plan.a_, product.type_a, gemm.rows_a(), gemm.columns_a(), gemm.lda, gemm.stride_a); !made)
      return made.propagate();
    if (auto made = layout(plan.b_, product.type_b, gemm.rows_b(), gemm.columns_b(), gemm.ldb, gemm.stride_b); !made)
      return made.propagate();
    if (auto made = layout(plan.c_, product.type_c, gemm.m, gemm.n, ld_added, gemm.stride_c); !made)
      return made.propagate();
    if (auto made = layout(plan.d_, product.type_d, gemm.m, gemm.n, gemm.ldc, gemm.stride_c); !made)
      return made.propagate();
    return Result<CublasLtPlan>(std::move(plan));  // spelled out: nvcc would copy
  }

  [[nodiscard]] const CublasLtProduct& product() const { return product_; }
  [[nodiscard]] cublasLtMatmulDesc_t operation() const { return operation_.get(); }
  [[nodiscard]] cublasLtMatrixLayout_t a() const { return a_.get(); }
  [[nodiscard]] cublasLtMatrixLayout_t b() const { return b_.get(); }
  [[nodiscard]] cublasLtMatrixLayout_t c() const { return c_.get(); }
  [[nodiscard]] cublasLtMatrixLayout_t d() const { return d_.get(); }
  [[nodiscard]] const void* added() const { return product_.added != nullptr ? product_.added : product_.gemm.c; }

  /// The library's choice among algorithms that need at most so much workspace, and keep sums that are split over k in
  /// the compute type.
  [[nodiscard]] Result<cublasLtMatmulHeuristicResult_t> algorithm(cublasLtHandle_t handle, std::size_t workspace_bytes,
                                                                  const std::string& about) const {
    cublasLtMatmulPreference_t made = nullptr;
    if (auto created = cublas_result("cublasLtMatmulPreferenceCreate", cublasLtMatmulPreferenceCreate(&made)); !created)
      return created.propagate();
    const CublasLtOwned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> preference(made);
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
      return cublas_result("cublasLtMatmulPreferenceSetAttribute",
                           cublasLtMatmulPreferenceSetAttribute(made, attribute, &value, sizeof value));
    };
    const auto reductions = std::uint32_t{CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE};
    if (auto done = set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace_bytes}); !done)
      return done.propagate();
    if (auto done = set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions); !done) return done.propagate();
    // unless it is told, the library takes all addresses for multiples of 256
    if (auto done = set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(product_.gemm.a)); !done)
      return done.propagate();
    if (auto done = set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(product_.gemm.b)); !done)
      return done.propagate();
    if (auto done = set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(added())); !done)
      return done.propagate();
    if (auto done = set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(product_.gemm.c)); !done)
      return done.propagate();
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    if (auto asked = cublas_result(
            "cublasLtMatmulAlgoGetHeuristic",
            cublasLtMatmulAlgoGetHeuristic(handle, operation(), a(), b(), c(), d(), made, 1, &found, &count), about);
        !asked)
      return asked.propagate();
    if (count == 0)
      return failure(ErrorKind::unsupported, "cublasLtMatmulAlgoGetHeuristic finds no algorithm (" + about + ")");
    if (auto stated = cublas_result("cublasLtMatmulAlgoGetHeuristic", found.state, about); !stated)
      return stated.propagate();
    return found;
  }

 private:
  using Layout = CublasLtOwned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;

  template <class T>
  [[nodiscard]] static Result<void> set_layout(const Layout& layout, cublasLtMatrixLayoutAttribute_t attribute,
                                               const T& value) {
    return cublas_result("cublasLtMatrixLayoutSetAttribute",
                         cublasLtMatrixLayoutSetAttribute(layout.get(), attribute, &value, sizeof value));
  }
  [[nodiscard]] Result<void> describe_operation() {
    Result<void> result;
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
      if (result)
        static_cast<void>(
            result = cublas_result("cublasLtMatmulDescSetAttribute",
                                   cublasLtMatmulDescSetAttribute(operation_.get(), attribute, &value, sizeof value)));
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(product_.gemm.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N));
    set(CUBLASLT_MATMUL_DESC_TRANSB, static_cast<std::int32_t>(product_.gemm.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N));
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<std::uint32_t>(product_.epilogue));
    if (product_.bias != nullptr) {
      set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, product_.bias);
      set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<std::int32_t>(product_.bias_type));
    }
    const auto scale = [&](const CublasLtScale& own, cublasLtMatmulDescAttributes_t pointer,
                           cublasLtMatmulDescAttributes_t mode) {
      if (own.factors == nullptr) return;
      set(pointer, own.factors);
      set(mode, static_cast<std::int32_t>(own.mode));
    };
    scale(product_.scale_a, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_A_SCALE_MODE);
    scale(product_.scale_b, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_MODE);
    return result;
  }

  CublasLtProduct product_;
  CublasLtOwned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> operation_;
  Layout a_, b_, c_, d_;
};

}  // namespace assay::inline v0::detail
