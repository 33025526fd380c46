// Compiled twice, for different instruction sets, and linked into one program: see mixed_flags_main.cpp.
#include <cstdint>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/kernels/gemm/reference.hpp"

#define ASSAY_TEXT_OF(name) #name
#define ASSAY_TEXT(name) ASSAY_TEXT_OF(name)

/// Fingerprints of a reference and of what a comparison finds, under every instruction set of this machine.
std::vector<std::uint64_t> FINGERPRINTS() {
  using namespace assay;
  using Op = Gemm<float32, float32, float32, float32>;
  GemmProblem problem;
  problem.m = 50;
  problem.n = 61;
  problem.k = 300;
  std::vector<float> a(50 * 300), b(300 * 61), c(50 * 61);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7919 % 1009) / 1009 - 0.5F;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 6007 % 997) / 997 - 0.5F;
  const Op::Arguments arguments{{a.data(), {1, 50, 300}, {15000, 300, 1}},
                                {b.data(), {1, 300, 61}, {18300, 61, 1}},
                                {c.data(), {1, 50, 61}, {3050, 61, 1}}};
  const ExplainedGemmBound explained =
      gemm_bound(problem, accumulation_in<float32>(), RoundingModel::statistical, 300, false);
  Host host(2);
  auto stream = host.make_stream();
  std::vector<std::uint64_t> found;
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    auto reference =
        gemm_reference<Op>(host, stream.value(), problem, arguments, explained.bound, {GemmScales::bounded, set});
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const double value = reference.value().value.data()[i];
      bits = bits * 31 + detail::bits_of(value);
      c[i] = static_cast<float>(value) + (i % 100 == 0 ? 1e-3F : 0);
    }
    found.push_back(bits);
    const auto compared = detail::compare_on({true, set}, host, stream.value(), arguments.c,
                                             reference.value().expected(), DerivedTolerance{});
    found.push_back(compared.value().violations);
  }
  return found;
}

std::string VARIANT() {
  return ASSAY_TEXT(ASSAY_DETAIL_UNIT_VARIANT);
}
