#include "suites/cuda_device.hpp"
#include "suites/gemm_cases.hpp"
#include "suites/host_gemm.hpp"
#if defined(ASSAY_HAS_CUBLAS)
#include "assay/adapters/cublas/gemm.hpp"
#endif

namespace assay_program {

namespace {

template <class Op, class Make>
void add_product(assay::Suite& suite, const assay::Cuda& device, const Make& make, const SuiteOptions& options) {
  add_gemm_cases<Op>(suite, device, make(Op{}), options);
}

template <class Make>
void add_products(assay::Suite& suite, const assay::Cuda& device, const Make& make, const SuiteOptions& options) {
  add_product<GemmF64>(suite, device, make, options);
  add_product<GemmF32>(suite, device, make, options);
  add_product<GemmF16>(suite, device, make, options);
  add_product<GemmBf16>(suite, device, make, options);
}

}  // namespace

void add_cuda_gemm(assay::Suite& suite, const assay::Cuda& device, const SuiteOptions& options) {
  add_products(
      suite, device, [&]<class Op>(Op) { return assay::portable_gemm_subject<Op>(device); }, options);
}

#if defined(ASSAY_HAS_CUBLAS)
assay::Result<void> add_cublas_gemm(assay::Suite& suite, const assay::Cuda& device, const SuiteOptions& options) {
  const auto cublas = assay::Cublas::open(device);
  if (!cublas) return cublas.propagate();
  add_products(
      suite, device, [&]<class Op>(Op) { return assay::gemm_subject<Op>(cublas.value()); }, options);
  return {};
}

assay::Result<void> add_cublaslt_gemm(assay::Suite& suite, const assay::Cuda& device, const SuiteOptions& options) {
  const auto cublaslt = assay::CublasLt::open(device);
  if (!cublaslt) return cublaslt.propagate();
  add_products(
      suite, device, [&]<class Op>(Op) { return assay::gemm_subject<Op>(cublaslt.value()); }, options);
  return {};
}
#endif

}  // namespace assay_program
