#include "assay/validators/gemm_check_options.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("check methods have names that are read back; the full check is the default") {
  for (GemmCheckMethod method : all_gemm_check_methods) CHECK(gemm_check_method_named(name_of(method)) == method);
  CHECK(!gemm_check_method_named("quick"));
  CHECK(GemmCheckOptions{}.method == GemmCheckMethod::full);
}
