#pragma once

#include <vector>

namespace diagnosis_bench {

/// The faults of several lists in one.
template <class Fault>
[[nodiscard]] std::vector<Fault> joined(const auto&... lists) {
  std::vector<Fault> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

}  // namespace diagnosis_bench
