#include "assay/diagnosis/name_gemm_faults.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "assay/diagnosis/diagnose.hpp"

using namespace assay;

TEST_CASE("most failures of GEMM kernels are named rightly, few wrongly and for certain") {
  NameFaultsOptions options;
  options.diagnosis = {&diagnose, 0.5, true};
  options.half = 0;
  options.seeds = {11};
  options.cases_a_fault = 1;
  options.most_tried = 12;
  std::size_t right = 0, wrongly_certain = 0;
  std::string wrong;
  const auto named = name_gemm_faults<Gemm<bfloat16, bfloat16, float32, bfloat16>>(options);
  for (const NamedFault& one : named) {
    CHECK(one.operation == "gemm");
    right += one.rightly() ? 1 : 0;
    wrongly_certain += one.wrongly_certain() ? 1 : 0;
    if (!one.rightly())
      wrong +=
          "\n" + one.fault + " on " + one.shape + ": " + (one.diagnosed() ? one.diagnoses.front().text() : "nothing");
  }
  INFO(right << " of " << named.size() << wrong);
  CHECK(named.size() >= 20);
  CHECK(right * 10 >= named.size() * 6);
  CHECK(wrongly_certain * 10 <= named.size());
}
