// Which suites vrt is held to. The default suites of four operations: what vrt lacks of them comes out as unsupported.
#include "suites.hpp"

#include "assay/diagnosis/budget.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/operation_suite.hpp"
#include "assay_vrt.hpp"

using namespace vrt_validation;

namespace {

/// The default problems of at most a million products: vrt computes on the host.
std::vector<GemmShape> small_gemm_shapes() {
  std::vector<GemmShape> shapes = default_gemm_shapes();
  std::erase_if(shapes,
                [](const GemmShape& shape) { return shape.problem.m * shape.problem.n * shape.problem.k > 1000000; });
  return shapes;
}

}  // namespace

void add_diagnosed_cases(Suite& suite, vrt_device device) {
  GemmSuiteOptions options{small_gemm_shapes(), {}};
  options.check.diagnosis.by = &diagnose_within_budget;
  add_gemm_cases<VrtGemm>(suite, Vrt<true>{std::make_shared<VrtMemory>(VrtMemory{device})}, options);
  limit_diagnoses(suite);
}

void add_cases_in_place(Suite& suite, vrt_device device) {
  const Vrt<false> vrt{std::make_shared<VrtMemory>(VrtMemory{device})};
  add_gemm_cases<VrtGemm>(suite, vrt, {small_gemm_shapes(), {}});
  add_operation_cases<Softmax>(suite, vrt, operation_subject<Softmax>(vrt));
  add_operation_cases<Normalization>(suite, vrt, operation_subject<Normalization>(vrt));
  add_operation_cases<Elementwise>(suite, vrt, operation_subject<Elementwise>(vrt));
}
