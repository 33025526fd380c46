#include "assay/kernels/detail/vector_exponential.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace assay;

namespace {

struct Exponentials {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const float* const& from, const std::size_t& count, double* const& to) {
    for (std::size_t i = 0; i + Bytes / 8 <= count; i += Bytes / 8) {
      typename detail::Vector<double, Bytes>::Type x;
      detail::WidenSingles<Bytes>::load(from + i, x);
      detail::VectorExponential<Bytes>::apply(x);
      *reinterpret_cast<typename detail::Vector<double, Bytes>::Unaligned*>(to + i) = x;
    }
  }
};

struct SingleExponentials {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const float* const& from, const std::size_t& count, float* const& to) {
    using Place = typename detail::Vector<float, Bytes>::Unaligned;
    for (std::size_t i = 0; i + Bytes / 4 <= count; i += Bytes / 4) {
      typename detail::Vector<float, Bytes>::Type x = *reinterpret_cast<const Place*>(from + i);
      detail::SingleExponential<Bytes>::apply(x);
      *reinterpret_cast<Place*>(to + i) = x;
    }
  }
};

}  // namespace

TEST_CASE("the exponential of vectors of singles is off by less than a unit in the last place") {
  std::vector<float> x;
  for (int i = 0; i < 1600000; ++i) x.push_back(static_cast<float>(-87 + 0.000109375 * i));
  for (int i = 0; i < 400000; ++i) x.push_back(static_cast<float>(-0.4 + 2e-6 * i));
  x[0] = 0;
  std::vector<float> y(x.size());
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
    if (set > widest_instruction_set()) continue;
    const float* const from = x.data();
    const std::size_t count = x.size();
    float* const to = y.data();
    detail::run_variant<SingleExponentials>(set, from, count, to);
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double exact = std::exp(static_cast<double>(x[i]));
      worst = std::fmax(worst, std::fabs((static_cast<double>(y[i]) - exact) / exact));
    }
    INFO(name_of(set));
    CHECK(worst < 0x1p-23);
    CHECK(worst > 0x1p-26);
    CHECK(y[0] == 1);
  }
}

TEST_CASE("the exponential of vectors is off by less than 1e-15 of itself, on every instruction set") {
  std::vector<float> x;
  for (int i = 0; i < 400000; ++i) x.push_back(static_cast<float>(-708 + 0.0035425 * i));
  for (int i = 0; i < 80000; ++i) x.push_back(static_cast<float>(-1 + 2.5e-5 * i));
  x[0] = 0;
  std::vector<double> y(x.size());
  for (const InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    const float* const from = x.data();
    const std::size_t count = x.size();
    double* const to = y.data();
    detail::run_variant<Exponentials>(set, from, count, to);
    long double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const long double exact = std::exp(static_cast<long double>(x[i]));
      worst = std::fmax(worst, std::fabs((static_cast<long double>(y[i]) - exact) / exact));
    }
    INFO(name_of(set));
    CHECK(worst < 1e-15L);
    CHECK(worst > 1e-18L);
    CHECK(y[0] == 1);
  }
}
