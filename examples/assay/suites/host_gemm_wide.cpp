#include "suites/host_gemm_definition.hpp"

namespace assay_program {

template void add_host_gemm_cases<GemmF64>(assay::Suite&, assay::GemmSubject<GemmF64>, const SuiteOptions&);
template void add_host_gemm_cases<GemmF32>(assay::Suite&, assay::GemmSubject<GemmF32>, const SuiteOptions&);

}  // namespace assay_program
