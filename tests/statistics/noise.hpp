#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// Numbers for tests of statistics, the same on every machine up to the last digits of libm.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double uniform() { return (static_cast<double>(random_.next() >> 11) + 0.5) / 9007199254740992.0; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
  std::vector<double> normals(std::size_t count, double mean = 0, double deviation = 1) {
    std::vector<double> values(count);
    for (double& value : values) value = mean + deviation * normal();
    return values;
  }

 private:
  detail::RandomSequence random_;
};

/// A function of samples refuses what is none of them.
template <class Function>
void check_refuses_what_is_no_sample(const Function& function, std::size_t fewest) {
  std::vector<double> samples;
  for (std::size_t i = 0; i < fewest + 20; ++i) samples.push_back(1 + static_cast<double>(i * i % 7));
  CHECK_NOTHROW(function(samples));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(), 1e200}) {
    std::vector<double> spoilt = samples;
    spoilt[samples.size() / 2] = bad;
    CHECK_THROWS_AS(function(spoilt), Misuse);
    spoilt = samples;
    spoilt.back() = bad;
    CHECK_THROWS_AS(function(spoilt), Misuse);
  }
  if (fewest == 0) return;
  samples.resize(fewest);
  CHECK_NOTHROW(function(samples));
  samples.resize(fewest - 1);
  CHECK_THROWS_AS(function(samples), Misuse);
}

}  // namespace assay::testing
