#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

void add_rotary_embedding_family(assay::Suite& suite, std::string_view backend,
                                 const assay::OperationSuiteOptions& options) {
  add_plugin_cases<assay::RotaryEmbedding>(suite, backend, options);
  if (backend == "host")
    assay::add_operation_cases<assay::RotaryEmbedding>(
        suite, host_worker(), assay::portable_operation_subject<assay::RotaryEmbedding>(host_worker()), options);
}

}  // namespace assay_program
