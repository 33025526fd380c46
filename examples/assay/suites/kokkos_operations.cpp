#if defined(ASSAY_HAS_KOKKOS)

#include "assay/backends/kokkos.hpp"
#include "assay/kernels/all_operations.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

template <class Op>
void add_on_kokkos(assay::Suite& suite, const assay::OperationSuiteOptions& options);

namespace {

template <class... Ops>
void add_all_on_kokkos(assay::Suite& suite, const assay::OperationSuiteOptions& options, assay::Operations<Ops...>) {
  (add_on_kokkos<Ops>(suite, options), ...);
}

}  // namespace

/// A catalog, for which Kokkos is not started, has the host's cases under its name: their problems and promises are the
/// same.
void add_kokkos_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (backend != "kokkos") return;
  if (Kokkos::is_initialized()) return add_all_on_kokkos(suite, options, assay::AllOperations());
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
