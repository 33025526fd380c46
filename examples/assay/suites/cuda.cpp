#if defined(ASSAY_HAS_CUDA_DEVICES)

#include "assay/kernels/all_operations.hpp"
#include "suites/cuda_device.hpp"
#include "suites/entries.hpp"
#include "suites/host_gemm.hpp"
#include "suites/operation_families.hpp"

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

bool started = false;

template <class... Ops>
void add_all_on_cuda(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options,
                     assay::Operations<Ops...>) {
  (add_on_cuda<Ops>(suite, device, options), ...);
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
  const auto add = [&]<class Op>() { add_host_gemm_cases<Op>(own, named_subject<Op>("cuda"), options); };
  add.operator()<GemmF64>();
  add.operator()<GemmF32>();
  add.operator()<GemmF16>();
  add.operator()<GemmBf16>();
  add_refused(suite, std::move(own));
}

void add_cuda_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend != "cuda") return;
  if (started && cuda_device()) return add_all_on_cuda(suite, cuda_device().value(), options, assay::AllOperations());
  assay::Suite own;
  for (const AddFamily add_family : operation_families()) add_family(own, "host", options);
  for (assay::Case& entry : own) {
    entry.id.replace(entry.id.find("/host/") + 1, 4, backend);
    entry.labels["backend"] = backend;
  }
  add_refused(suite, std::move(own));
}

#if defined(ASSAY_HAS_CUBLAS)
void add_cublas(assay::Suite& suite, const SuiteOptions& options) {
  std::string reason;
  if (started && !options.catalog && cuda_device()) {
    const auto added = add_cublas_gemm(suite, cuda_device().value(), options);
    if (added) return;
    reason = added.error().message;
  }
  assay::Suite own;
  const auto add = [&]<class Op>() { add_host_gemm_cases<Op>(own, named_subject<Op>("cublas"), options); };
  add.operator()<GemmF64>();
  add.operator()<GemmF32>();
  add.operator()<GemmF16>();
  add.operator()<GemmBf16>();
  add_refused(suite, std::move(own), reason);
}
#endif

}  // namespace assay_program

#endif
