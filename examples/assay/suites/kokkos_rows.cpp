#if defined(ASSAY_HAS_KOKKOS)

#include "assay/kernels/cross_entropy/cross_entropy.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/normalization_backward/normalization_backward.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/kernels/softmax_backward/softmax_backward.hpp"
#include "suites/kokkos_operations.hpp"

namespace assay_program {

void add_kokkos_rows(assay::Suite& suite, const assay::OperationSuiteOptions& options) {
  add_on_kokkos<assay::Softmax, assay::SoftmaxBackward, assay::CrossEntropy, assay::Normalization,
                assay::NormalizationBackward>(suite, options);
}

}  // namespace assay_program

#endif
