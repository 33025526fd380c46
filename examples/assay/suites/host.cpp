#include "assay/core/version.hpp"
#include "suites/entries.hpp"
#include "suites/host_quantize.hpp"
#include "suites/products.hpp"

namespace assay_program {

assay::Host& host_worker() {
  static assay::Host worker;
  return worker;
}

std::string host_version() {
  return assay::version;
}

/// Not with 16-bit accumulators: Eigen's promise alone, and slow to emulate.
void add_host(assay::Suite& suite, const SuiteOptions& options) {
  UsualProducts::visit(
      [&]<class Op>() { add_host_gemm_cases<Op>(suite, assay::portable_gemm_subject<Op>(host_worker()), options); });
  if (!options.relations && !options.matrices && options.gemm.check.method == assay::GemmCheckMethod::full)
    add_host_quantize_cases(suite);
}

}  // namespace assay_program
