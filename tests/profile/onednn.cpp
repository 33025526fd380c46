// components: onednn
// The claims about oneDNN in include/assay/profile/README.md, derived again.

#include "assay/adapters/onednn/gemm.hpp"

#include "profile/library_profile.hpp"

using namespace assay;
using namespace assay::testing;

using Single = Gemm<float, float, float, float>;

TEST_CASE("oneDNN's kernels of the instruction set named in DNNL_MAX_CPU_ISA have the arithmetic that is told of them",
          "[.kernels]") {
  const GemmSubject<Single> subject = gemm_subject<Single>(OneDnn(1));
  const NumericProfile profile = library_profile<Single>(subject);
  const std::string set = detail::onednn_instruction_set();
  INFO(OneDnn::version());
  CHECK(profile.accumulator.value == FormatTraits<float>::layout);
  CHECK(profile.sum_rounding.value == UnitRounding::nearest_even);
  CHECK(profile.starts_from_zero.value == true);
  CHECK(profile.repeatable.value == true);
  CHECK(differing_in(profile, "one column") > 0.5);
  CHECK(differs_from_its_oracle<Single>(subject, profile, 64) == 0);
  CHECK(differs_from_its_oracle<Single>(subject, profile, 1000) == 0);
  if (set == "sse41") {
    CHECK(profile.products.value == UnitProducts::rounded);
    CHECK(profile.order.value == SummationShape{.block = 256});
  } else if (set == "avx") {
    CHECK(profile.products.value == UnitProducts::rounded);
    CHECK(profile.order.value == SummationShape{.block = 256, .halved_rest = true, .lanes = 2});
  } else if (set == "avx2") {
    CHECK(profile.products.value == UnitProducts::fused);
    CHECK(profile.order.value == SummationShape{.block = 256, .halved_rest = true});
  } else {
    FAIL("nothing is told of kernels for " << set);
  }
}

#if defined(__x86_64__)
TEST_CASE(
    "oneDNN's f32 products are rounded for SSE4.1 and AVX and fused for AVX2, AVX deals terms out to two sums, and its "
    "profile's oracle "
    "gives its bits") {
  CHECK(run_again("DNNL_MAX_CPU_ISA=SSE41", "[.kernels]") == 0);
  if (widest_instruction_set() >= InstructionSet::avx2)
    for (const char* set : {"AVX", "AVX2"}) CHECK(run_again(std::string("DNNL_MAX_CPU_ISA=") + set, "[.kernels]") == 0);
}
#endif
