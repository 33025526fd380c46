#include "assay/kernels/gather/gather.hpp"
#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"
#include "assay/kernels/pooling/pooling.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"
#include "assay/kernels/resize/resize.hpp"
#include "assay/kernels/sampling/sampling.hpp"
#include "assay/kernels/sort/sort.hpp"
#include "suites/cuda_device.hpp"

namespace assay_program {

void add_cuda_movement(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  add_on_cuda<assay::Rearrangement, assay::Gather, assay::Pooling, assay::Resize, assay::NonMaximumSuppression,
              assay::Sort, assay::Sampling>(suite, device, options);
}

}  // namespace assay_program
