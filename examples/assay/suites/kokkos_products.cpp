#if defined(ASSAY_HAS_KOKKOS)

#include "assay/kernels/convolution/convolution.hpp"
#include "assay/kernels/linear/linear.hpp"
#include "suites/kokkos_operations.hpp"

namespace assay_program {

void add_kokkos_products(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  add_on_kokkos<assay::Convolution, assay::Linear>(suite, options);
}

}  // namespace assay_program

#endif
