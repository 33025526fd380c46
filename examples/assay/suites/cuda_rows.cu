#include "assay/kernels/cross_entropy/cross_entropy.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/normalization_backward/normalization_backward.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/kernels/softmax_backward/softmax_backward.hpp"
#include "suites/cuda_device.hpp"

namespace assay_program {

void add_cuda_rows(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  add_on_cuda<assay::Softmax, assay::SoftmaxBackward, assay::CrossEntropy, assay::Normalization,
              assay::NormalizationBackward>(suite, device, options);
}

}  // namespace assay_program
