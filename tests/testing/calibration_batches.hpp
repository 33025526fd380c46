#pragma once

#include <cstdint>
#include <vector>

namespace assay::testing {

/// Values of spread·y³, y even in [−1, 1) from a congruential generator, as the program that made golden ranges draws
/// them; of a ReLU negative ones are 0.
inline std::vector<float> calibration_batch(std::uint32_t seed, int size, double spread, bool relu = false) {
  std::vector<float> values;
  for (int i = 0; i < size; ++i) {
    seed = seed * 1664525U + 1013904223U;
    const double y = (static_cast<double>(seed >> 9) - 4194304.0) / 4194304.0;
    const double value = spread * y * y * y;
    values.push_back(static_cast<float>(relu && value < 0 ? 0.0 : value));
  }
  return values;
}

}  // namespace assay::testing
