#if defined(ASSAY_HAS_KOKKOS)

#include "assay/backends/kokkos.hpp"
#include "suites/entries.hpp"
#include "suites/gemm_cases.hpp"
#include "suites/kokkos_worker.hpp"
#include "suites/products.hpp"

namespace assay_program {

namespace {

template <class Op, class W>
void add_kokkos_gemm_cases(assay::Suite& suite, W worker, assay::GemmSubject<Op> subject, const SuiteOptions& options) {
  if constexpr (std::is_same_v<W, assay::Host>)
    add_host_gemm_cases<Op>(suite, std::move(subject), options);
  else
    add_gemm_cases<Op>(suite, std::move(worker), std::move(subject), options);
}

}  // namespace

std::string kokkos_version() {
  return std::string(assay::detail::kokkos_version()) + ", " + Kokkos::DefaultExecutionSpace::name();
}

std::shared_ptr<void> start_kokkos() {
  return std::make_shared<assay::KokkosRuntime>();
}

void add_kokkos(assay::Suite& suite, const SuiteOptions& options) {
  if (options.catalog)
    return DeviceProducts::visit(
        [&]<class Op>() { add_host_gemm_cases<Op>(suite, named_subject<Op>("kokkos"), options); });
  const assay::KokkosBackend<> backend;
  DeviceProducts::visit([&]<class Op>() {
    add_kokkos_gemm_cases<Op>(suite, kokkos_worker(), assay::portable_gemm_subject<Op>(backend), options);
  });
}

}  // namespace assay_program

#endif
