#include "suites/host_quantise.hpp"
#include "assay/validators/quantise_suite.hpp"
#include "suites/host_gemm.hpp"

namespace assay_program {

void add_host_quantise_cases(assay::Suite& suite) {
  assay::QuantiseSuiteOptions options;
  assay::Host& worker = host_worker();
  assay::add_quantise_cases<assay::float32>(suite, worker, assay::portable_quantise_subject<assay::float32>(worker), options);
  assay::add_quantise_cases<assay::bfloat16>(suite, worker, assay::portable_quantise_subject<assay::bfloat16>(worker), options);
  assay::add_dequantise_cases<assay::float32>(suite, worker, assay::portable_dequantise_subject<assay::float32>(worker), options);
  assay::add_dequantise_cases<assay::bfloat16>(suite, worker, assay::portable_dequantise_subject<assay::bfloat16>(worker), options);
}

}  // namespace assay_program
