#include "assay/kernels/dropout/dropout.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/optimizer/optimizer.hpp"
#include "assay/kernels/reduction/reduction.hpp"
#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"
#include "suites/cuda_device.hpp"

namespace assay_program {

void add_cuda_elements(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  add_on_cuda<assay::Elementwise, assay::Reduction, assay::RotaryEmbedding, assay::Optimizer, assay::Dropout>(
      suite, device, options);
}

}  // namespace assay_program
