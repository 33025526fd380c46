#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "assay/backends/host.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/profile/profile_gemm.hpp"
#include "assay/profile/simulated_unit.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

template <class Op>
NumericProfile library_profile(const GemmSubject<Op>& subject) {
  auto profile = profile_gemm<Op>(Host(1), subject);
  REQUIRE(profile);
  return std::move(profile).value();
}

/// The share of the elements of tile × tile × k, at the places where the kernel does what it mostly does, in which it
/// and the unit of its profile differ.
template <class Op>
double differs_from_its_oracle(const GemmSubject<Op>& subject, const NumericProfile& profile, Index k,
                               Index tile = 64) {
  const auto model = model_of(profile, element_format<typename Op::FormatA>(), element_format<typename Op::FormatB>(),
                              element_format<typename Op::FormatC>());
  REQUIRE(model);
  Host host(1);
  auto stream = host.make_stream().value();
  const auto codes = [&](const GemmSubject<Op>& kernel) {
    return detail::gemm_codes<Op>(
               host, stream, kernel, GemmProblem{.m = tile, .n = tile, .k = k}, 0,
               [](Index row, Index place) {
                 return FormatTraits<typename Op::FormatA>::to_bits(
                     encode<typename Op::FormatA>(detail::probing_number(11, row, place)));
               },
               [](Index place, Index column) {
                 return FormatTraits<typename Op::FormatB>::to_bits(
                     encode<typename Op::FormatB>(detail::probing_number(12, column, place)));
               })
        .value();
  };
  const auto own = codes(subject), oracle = codes(simulated_gemm_subject<Op>(model.value()));
  const GemmPlaces places = gemm_places<Op>(host, stream, subject, tile, k).value();
  double differing = 0;
  for (const auto& [row, column] : places.chosen)
    differing +=
        own[static_cast<std::size_t>(row * tile + column)] == oracle[static_cast<std::size_t>(row * tile + column)] ? 0
                                                                                                                    : 1;
  return differing / static_cast<double>(places.chosen.size());
}

/// How a launch compares to the first; misuse where there is none of that name.
inline double differing_in(const NumericProfile& profile, const std::string& launch) {
  for (const LaunchComparison& found : profile.launches)
    if (found.launch == launch) return found.differing.value_or(-1);
  FAIL("no launch " << launch);
  return -1;
}

/// Runs a hidden test of this program in a process of its own, with a variable of the environment that a library reads
/// when it is loaded.
inline int run_again(const std::string& environment, const std::string& test) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  return std::system((environment + " '" + program + "' '" + test + "' > /dev/null").c_str());
}

}  // namespace assay::testing
