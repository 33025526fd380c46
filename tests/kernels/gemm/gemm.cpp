#include "assay/kernels/gemm/gemm.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("an operation's formats name inputs, accumulator and output") {
  CHECK(Gemm<bfloat16, bfloat16, float32, bfloat16>::formats() == "bf16.f32.bf16");
  CHECK(Gemm<float16, bfloat16, float32, float64>::formats() == "f16xbf16.f32.f64");
  CHECK(std::string(Gemm<float32, float32, float32, float32>::name()) == "gemm");
}
