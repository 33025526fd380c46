// components: openblas
// The claims about OpenBLAS in include/assay/profile/README.md, derived again.

#include "assay/adapters/openblas/gemm.hpp"

#include "profile/library_profile.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <class T>
void check_kernels(bool fused, Index block) {
  using Op = Gemm<T, T, T, T>;
  const GemmSubject<Op> subject = gemm_subject<Op>(OpenBlas(1));
  const NumericProfile profile = library_profile<Op>(subject);
  INFO(OpenBlas::version() << ", " << Op::formats());
  CHECK(profile.products.value == (fused ? UnitProducts::fused : UnitProducts::rounded));
  CHECK(profile.accumulator.value == FormatTraits<T>::layout);
  CHECK(profile.sum_rounding.value == UnitRounding::nearest_even);
  CHECK(profile.order.value == SummationShape{.block = block, .halved_rest = true});
  CHECK(profile.input_subnormals.value == UnitSubnormals::kept);
  CHECK(profile.sum_subnormals.value == UnitSubnormals::kept);
  CHECK(profile.starts_from_zero.value == true);
  CHECK(profile.repeatable.value == true);
  CHECK(differing_in(profile, "the last of three in a batch") == 0);
  CHECK(differing_in(profile, "misaligned by one element") == 0);
  for (const Index k : {64, 200, 700}) CHECK(differs_from_its_oracle<Op>(subject, profile, k) == 0);
}

}  // namespace

TEST_CASE("OpenBLAS's kernels of the processor named in OPENBLAS_CORETYPE have the arithmetic that is told of them",
          "[.kernels]") {
  const std::string core = openblas_get_corename();
  if (core == "Nehalem") {
    check_kernels<float>(false, 512);
    check_kernels<double>(false, 256);
  } else if (core == "Haswell" || core == "Zen") {
    check_kernels<float>(true, 320);
    check_kernels<double>(true, 256);
  } else {
    FAIL("nothing is told of kernels for " << core);
  }
}

#if defined(__x86_64__)
TEST_CASE(
    "OpenBLAS's products are rounded on Nehalem and fused on Haswell and Zen, its blocks of K are 512, 320 and 256, "
    "and its profile's "
    "oracle gives its bits") {
  CHECK(run_again("OPENBLAS_CORETYPE=Nehalem", "[.kernels]") == 0);
  if (widest_instruction_set() >= InstructionSet::avx2)
    for (const char* core : {"Haswell", "Zen"})
      CHECK(run_again(std::string("OPENBLAS_CORETYPE=") + core, "[.kernels]") == 0);
}
#endif
