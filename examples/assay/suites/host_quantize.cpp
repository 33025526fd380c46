#include "suites/host_quantize.hpp"
#include "assay/validators/quantize_suite.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

void add_host_quantize_cases(assay::Suite& suite) {
  assay::QuantizeSuiteOptions options;
  assay::Host& worker = host_worker();
  assay::add_quantize_cases<assay::float32>(suite, worker, assay::portable_quantize_subject<assay::float32>(worker),
                                            options);
  assay::add_quantize_cases<assay::bfloat16>(suite, worker, assay::portable_quantize_subject<assay::bfloat16>(worker),
                                             options);
  assay::add_dequantize_cases<assay::float32>(suite, worker, assay::portable_dequantize_subject<assay::float32>(worker),
                                              options);
  assay::add_dequantize_cases<assay::bfloat16>(suite, worker,
                                               assay::portable_dequantize_subject<assay::bfloat16>(worker), options);
}

}  // namespace assay_program
