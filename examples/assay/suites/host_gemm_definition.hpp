#pragma once

#include <utility>

#include "suites/gemm_cases.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

template <class Op>
void add_host_gemm_cases(assay::Suite& suite, assay::GemmSubject<Op> subject, const SuiteOptions& options) {
  assay_program::add_gemm_cases<Op>(suite, host_worker(), std::move(subject), options);
}

}  // namespace assay_program
