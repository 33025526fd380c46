#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/attention_backward/attention_backward.hpp"
#include "assay/kernels/attention_merge/attention_merge.hpp"
#include "assay/kernels/convolution/convolution.hpp"
#include "assay/kernels/linear/linear.hpp"
#include "suites/cuda_device.hpp"

namespace assay_program {

void add_cuda_products(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  add_on_cuda<assay::Convolution, assay::Linear, assay::Attention, assay::AttentionMerge, assay::AttentionBackward>(
      suite, device, options);
}

}  // namespace assay_program
