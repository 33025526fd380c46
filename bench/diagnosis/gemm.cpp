#include "assay/diagnosis/name_gemm_faults.hpp"
#include "parts.hpp"

namespace {

using namespace assay;

std::vector<NamedFault> name_all(const NameFaultsOptions& options) {
  std::vector<NamedFault> all = name_gemm_faults<Gemm<bfloat16, bfloat16, float32, bfloat16>>(options);
  for (NamedFault& one : name_gemm_faults<Gemm<float32, float32, float32, float32>>(options))
    all.push_back(std::move(one));
  return all;
}

}  // namespace

std::vector<diagnosis_bench::Part> diagnosis_bench::gemm_parts() {
  return {{"gemm", &name_all}};
}
