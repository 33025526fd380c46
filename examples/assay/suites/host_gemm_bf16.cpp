#include "suites/host_gemm_definition.hpp"

namespace assay_program {

template void add_host_gemm_cases<GemmBf16ToF32>(assay::Suite&, assay::GemmSubject<GemmBf16ToF32>, const SuiteOptions&);
template void add_host_gemm_cases<GemmBf16>(assay::Suite&, assay::GemmSubject<GemmBf16>, const SuiteOptions&);
template void add_host_gemm_cases<GemmBf16InBf16>(assay::Suite&, assay::GemmSubject<GemmBf16InBf16>,
                                                  const SuiteOptions&);

}  // namespace assay_program
