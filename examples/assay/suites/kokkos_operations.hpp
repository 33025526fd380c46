#pragma once

#include "assay/backends/kokkos.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

/// Where kernels on Kokkos get their memory, references and comparisons from: the host, where Kokkos runs there; else
/// Kokkos.
[[nodiscard]] inline auto kokkos_worker() {
  if constexpr (assay::backend_runs_on_host<assay::KokkosBackend<>>)
    return host_worker();
  else
    return assay::KokkosBackend<>();
}

/// Adds the cases of Assay's own kernels of these operations on Kokkos.
template <class... Ops>
void add_on_kokkos(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  const assay::KokkosBackend<> backend;
  (assay::add_operation_cases<Ops>(suite, kokkos_worker(), assay::portable_operation_subject<Ops>(backend), options),
   ...);
}

// Parts of the operations, one source each to keep compilation short.
void add_kokkos_rows(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_elements(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_movement(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_products(assay::Suite& suite, const assay::OperationSuiteOptions& options);
void add_kokkos_attention(assay::Suite& suite, const assay::OperationSuiteOptions& options);

}  // namespace assay_program
