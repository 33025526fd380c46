#if defined(ASSAY_HAS_KOKKOS)

#include "assay/kernels/dropout/dropout.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/optimizer/optimizer.hpp"
#include "assay/kernels/reduction/reduction.hpp"
#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"
#include "suites/kokkos_operations.hpp"

namespace assay_program {

void add_kokkos_elements(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  add_on_kokkos<assay::Elementwise, assay::Reduction, assay::RotaryEmbedding, assay::Optimizer, assay::Dropout>(
      suite, options);
}

}  // namespace assay_program

#endif
