#include "assay/adapters/onednn/promises.hpp"

#include "testing/catch.hpp"

// components: onednn

using namespace assay;

TEST_CASE("dot products of bfloat16 flush where the processor has them, in kernels that use them", "[onednn]") {
  CHECK(onednn_promises("onednn", false).empty());
  CHECK(onednn_promises("onednn@avx2", true).empty());
  CHECK(onednn_promises("onednn@avx512_core", true).empty());
  for (const char* backend : {"onednn", "onednn@avx512_core_bf16", "onednn@avx512_core_amx"}) {
    const auto promises = onednn_promises(backend, true);
    REQUIRE(promises.size() == 1);
    CHECK(promises.front().is_about("gemm", backend));
    CHECK(promises.front().is_about("bf16"));
    CHECK_FALSE(promises.front().is_about("f16"));
    CHECK_FALSE(promises.front().is_about("permute", backend));
    CHECK_FALSE(promises.front().is_about("gemm", "eigen"));
  }
}
