#pragma once

#include "suites/cuda_device.hpp"

namespace assay_program {

template <class Op>
void add_on_cuda(assay::Suite& suite, const assay::Cuda& device, const assay::OperationSuiteOptions& options) {
  assay::add_operation_cases<Op>(suite, device, assay::portable_operation_subject<Op>(device), options);
}

}  // namespace assay_program
