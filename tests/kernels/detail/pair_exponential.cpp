#include "assay/kernels/detail/pair_exponential.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/core/instruction_set.hpp"

using namespace assay;

namespace {

struct PairExponentials {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const std::vector<float>& x, const std::vector<float>& added,
                                      const double& factor, std::vector<float>& value, std::vector<float>& rest) {
    using Singles = typename detail::Vector<float, Bytes>::Type;
    using Place = typename detail::Vector<float, Bytes>::Unaligned;
    detail::PairPowers powers;
    detail::PairExponential<Bytes>::fill(factor, true, powers);
    for (std::size_t i = 0; i + Bytes / 4 <= x.size(); i += Bytes / 4) {
      const Singles argument = *reinterpret_cast<const Place*>(x.data() + i),
                    small = *reinterpret_cast<const Place*>(added.data() + i);
      Singles power, r, q, v, w;
      detail::PairExponential<Bytes>::apply(powers, argument, small, power, r, q);
      detail::PairExponential<Bytes>::pair(power, r, q, v, w);
      *reinterpret_cast<Place*>(value.data() + i) = v;
      *reinterpret_cast<Place*>(rest.data() + i) = w;
    }
  }
};

struct SingleExponentials {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const std::vector<float>& x, const double& factor, std::vector<float>& value) {
    using Singles = typename detail::Vector<float, Bytes>::Type;
    using Place = typename detail::Vector<float, Bytes>::Unaligned;
    detail::PairPowers powers;
    detail::PairExponential<Bytes>::fill(factor, true, powers);
    for (std::size_t i = 0; i + Bytes / 4 <= x.size(); i += Bytes / 4) {
      Singles power = *reinterpret_cast<const Place*>(x.data() + i);
      detail::PairExponential<Bytes>::apply(powers, power);
      *reinterpret_cast<Place*>(value.data() + i) = power;
    }
  }
};

/// From −80 to 80, many of them small.
std::vector<float> arguments() {
  std::vector<float> x;
  for (int i = 0; i < 320000; ++i) x.push_back(static_cast<float>(-80 + 0.0005 * i));
  for (int i = 0; i < 80000; ++i) x.push_back(static_cast<float>(-0.1 + 2.5e-6 * i));
  for (int i = 0; i < 1600; ++i) x.push_back(std::ldexp(i % 2 == 0 ? 1.01F : -0.99F, -i % 140));
  return x;
}

}  // namespace

TEST_CASE("the exponential of vectors by a table is off by as little as it says, on every instruction set") {
  const std::vector<float> x = arguments();
  std::vector<float> value(x.size());
  for (const InstructionSet set : all_instruction_sets)
    for (const double factor : {1.0, 0.7, 0x1.fffffep-1, 3e-3}) {
      if (set > widest_instruction_set()) continue;
      detail::run_variant<SingleExponentials>(set, x, factor, value);
      double worst = 0;  // error over what is said
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double argument = static_cast<double>(x[i]), exact = std::exp(argument) * factor;
        worst = std::fmax(worst, std::fabs(static_cast<double>(value[i]) - exact) /
                                     (exact * 0x1p-24 * (3 + std::fabs(argument) / 16)));
      }
      INFO(name_of(set) << ", factor " << factor);
      CHECK(worst < 1);
      CHECK(worst > 0.5);
    }
}

TEST_CASE("the exponential of vectors as pairs of singles is off by as little as it says, on every instruction set") {
  std::vector<float> x = arguments(), added;
  for (std::size_t i = 0; i < x.size(); ++i) added.push_back(std::fabs(x[i]) * 0x1p-26F * static_cast<float>(i % 5));
  x[0] = 0;
  added[0] = 0;
  std::vector<float> value(x.size()), rest(x.size());
  for (const InstructionSet set : all_instruction_sets)
    for (const double factor : {1.0, 0.7, 0x1.fffffep-1, 3e-3}) {
      if (set > widest_instruction_set()) continue;
      detail::run_variant<PairExponentials>(set, x, added, factor, value, rest);
      long double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (static_cast<double>(value[i]) < 0x1p-100) continue;  // whose rests are subnormal
        const long double exact =
                              std::exp(static_cast<long double>(x[i]) + static_cast<long double>(added[i])) * factor,
                          told = static_cast<long double>(value[i]) + static_cast<long double>(rest[i]);
        worst = std::fmax(worst, std::fabs((told - exact) / exact));
      }
      INFO(name_of(set) << ", factor " << factor << ": 2^" << std::log2(worst));
      CHECK(worst < static_cast<long double>(detail::PairExponential<16>::error));
      CHECK(worst > 0x1p-38L);
      if (factor == 1) {
        CHECK(value[0] == 1);
        CHECK(rest[0] == 0);
      }
    }
}
