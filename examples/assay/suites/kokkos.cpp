#if defined(ASSAY_HAS_KOKKOS)

#include "assay/backends/kokkos.hpp"
#include "suites/entries.hpp"
#include "suites/gemm_cases.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

std::string kokkos_version() {
  return std::string(assay::detail::kokkos_version()) + ", " + Kokkos::DefaultExecutionSpace::name();
}

std::shared_ptr<void> start_kokkos() { return std::make_shared<assay::KokkosRuntime>(); }

/// Memory, fills, references and comparisons are Kokkos's, too: nothing here is shared with the host's cases.
void add_kokkos(assay::Suite& suite, const SuiteOptions& options) {
  const assay::KokkosBackend<> backend;
  const auto add = [&]<class Op>() { add_gemm_cases<Op>(suite, backend, assay::portable_gemm_subject<Op>(backend), options); };
  add.operator()<GemmF64>();
  add.operator()<GemmF32>();
  add.operator()<GemmF16>();
  add.operator()<GemmBf16>();
}

}  // namespace assay_program

#endif
