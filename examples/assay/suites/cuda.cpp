#if defined(ASSAY_HAS_CUDA_DEVICES)

#include "assay/kernels/all_operations.hpp"
#include "suites/cuda_device.hpp"
#include "suites/entries.hpp"
#include "suites/operation_families.hpp"
#include "suites/products.hpp"

namespace assay_program {

namespace {

/// Where no device is open, cases are named and explained as the host's are, and say why they cannot run: `reason`, or
/// the device's.
void add_refused(assay::Suite& suite, assay::Suite own, const std::string& reason = "") {
  for (assay::Case& entry : own) {
    entry.run = [reason](const assay::CaseContext&) {
      assay::Outcome outcome;
      const auto& device = cuda_device();
      outcome.verdict = assay::Verdict::unsupported;
      outcome.reason = !reason.empty() ? reason
                       : device        ? "the device was opened after its cases were listed"
                                       : device.error().message;
      return outcome;
    };
    entry.kernel = nullptr;
  }
  append(suite, std::move(own));
}

/// The host's cases as those of another backend.
assay::Suite named_after(assay::Suite own, std::string_view backend) {
  for (assay::Case& entry : own) {
    entry.id.replace(entry.id.find("/host/") + 1, 4, backend);
    entry.labels["backend"] = backend;
  }
  return own;
}

bool started = false;

template <class... Ops>
void add_all_on_cuda(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options,
                     assay::Operations<Ops...>) {
  (add_on_cuda<Ops>(suite, device, options), ...);
}

/// The cases of a library of NVIDIA's, where it has kernels of the operation; such that are refused with the reason
/// where there is no device, or the library does not open on it.
template <class Op>
void add_library_cases(assay::Suite& suite, std::string_view library, const assay::OperationSuiteOptions& options) {
  if (!has_on_cuda<Op>(library)) return;
  std::string reason;
  if (started && cuda_device()) {
    const auto added = add_of_cuda_library<Op>(suite, library, cuda_device().value(), options);
    if (added) return;
    reason = added.error().message;
  }
  assay::Suite own;
  add_cases_of<Op>(own, "host", options);
  add_refused(suite, named_after(std::move(own), library), reason);
}

template <class... Ops>
void add_all_of_library(assay::Suite& suite, std::string_view library, const assay::OperationSuiteOptions& options,
                        assay::Operations<Ops...>) {
  (add_library_cases<Ops>(suite, library, options), ...);
}

}  // namespace

assay::Result<assay::Cuda>& cuda_device() {
  static assay::Result<assay::Cuda> device = assay::Cuda::open();
  return device;
}

std::string cuda_version() {
  int version = 0;
  static_cast<void>(cudaRuntimeGetVersion(&version));
  const auto& device = cuda_device();
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) + ", " +
         (device ? device.value().capabilities().device : device.error().message);
}

std::shared_ptr<void> start_cuda() {
  started = true;
  return nullptr;
}

void add_cuda(assay::Suite& suite, const SuiteOptions& options) {
  if (started && !options.catalog && cuda_device()) return add_cuda_gemm(suite, cuda_device().value(), options);
  assay::Suite own;
  DeviceProducts::visit([&]<class Op>() { add_host_gemm_cases<Op>(own, named_subject<Op>("cuda"), options); });
  add_refused(suite, std::move(own));
}

void add_cuda_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend == "cudnn" || backend == "cublaslt")
    return add_all_of_library(suite, backend, options, assay::AllOperations());
  if (backend != "cuda") return;
  if (started && cuda_device()) return add_all_on_cuda(suite, cuda_device().value(), options, assay::AllOperations());
  assay::Suite own;
  for (const AddFamily add_family : operation_families()) add_family(own, "host", options);
  add_refused(suite, named_after(std::move(own), backend));
}

#if defined(ASSAY_HAS_CUBLAS)
namespace {

using AddProducts = assay::Result<void> (*)(assay::Suite&, const assay::Cuda&, const SuiteOptions&);

void add_products_of(const std::string& library, AddProducts add_products, assay::Suite& suite,
                     const SuiteOptions& options) {
  std::string reason;
  if (started && !options.catalog && cuda_device()) {
    const auto added = add_products(suite, cuda_device().value(), options);
    if (added) return;
    reason = added.error().message;
  }
  assay::Suite own;
  DeviceProducts::visit([&]<class Op>() { add_host_gemm_cases<Op>(own, named_subject<Op>(library), options); });
  add_refused(suite, std::move(own), reason);
}

}  // namespace

void add_cublas(assay::Suite& suite, const SuiteOptions& options) {
  add_products_of("cublas", &add_cublas_gemm, suite, options);
}

void add_cublaslt(assay::Suite& suite, const SuiteOptions& options) {
  add_products_of("cublaslt", &add_cublaslt_gemm, suite, options);
}
#endif

}  // namespace assay_program

#endif
