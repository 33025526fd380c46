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

}  // namespace assay_program
