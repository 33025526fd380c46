#include "suites/host_gemm_definition.hpp"

namespace assay_program {

template void add_host_gemm_cases<GemmF16ToF32>(assay::Suite&, assay::GemmSubject<GemmF16ToF32>, const SuiteOptions&);
template void add_host_gemm_cases<GemmF16>(assay::Suite&, assay::GemmSubject<GemmF16>, const SuiteOptions&);
template void add_host_gemm_cases<GemmF16InF16>(assay::Suite&, assay::GemmSubject<GemmF16InF16>, const SuiteOptions&);

}  // namespace assay_program
