#if defined(ASSAY_HAS_KOKKOS)

#include "suites/kokkos_operations.hpp"

namespace assay_program {

/// A catalog, for which Kokkos is not started, has the host's cases under its name: their problems and promises are the
/// same.
void add_kokkos_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend != "kokkos") return;
  if (Kokkos::is_initialized()) {
    for (const auto add :
         {add_kokkos_rows, add_kokkos_elements, add_kokkos_movement, add_kokkos_products, add_kokkos_attention})
      add(suite, options);
    return;
  }
  assay::Suite own;
  for (const AddFamily add_family : operation_families()) add_family(own, "host", options);
  for (assay::Case& entry : own) {
    entry.id.replace(entry.id.find("/host/") + 1, 4, backend);
    entry.labels["backend"] = backend;
    suite.push_back(std::move(entry));
  }
}

}  // namespace assay_program

#endif
