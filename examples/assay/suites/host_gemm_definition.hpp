#pragma once

#include <utility>

#include "assay/backends/host.hpp"
#include "suites/gemm_cases.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

/// The backend that gives out memory and computes references for all libraries of the host: one pool of threads.
[[nodiscard]] assay::Host& host_worker();

template <class Op>
void add_host_gemm_cases(assay::Suite& suite, assay::GemmSubject<Op> subject, const SuiteOptions& options) {
  assay_program::add_gemm_cases<Op>(suite, host_worker(), std::move(subject), options);
}

}  // namespace assay_program
