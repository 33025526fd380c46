#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay::inline v0 {

/// What a kernel gave in its first run, in row-major order without gaps: what baselines keep.
struct ObservedOutput {
  std::string name;                   ///< of the operand
  std::string format;                 ///< of an element, as in ids
  std::vector<std::int64_t> extents;  ///< outermost first
  /// One code of the format after another, little-endian, in whole bytes each.
  std::vector<unsigned char> codes;
  std::vector<double> values;  ///< the same, decoded
  /// How far a right kernel's element may lie from the exact result in the tolerance of the case: absolute; infinite
  /// where that could not be decided. Empty where the case does not judge element by element.
  std::vector<double> allowed;
};

/// Is given every output of a case, in the thread that runs it.
using OutputObserver = std::function<void(const ObservedOutput&)>;

}  // namespace assay::inline v0
