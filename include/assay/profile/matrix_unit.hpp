#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/formats/element_format.hpp"

namespace assay::inline v0 {

/// The row of A and the column of B whose product is asked for, as codes of their formats: of equal length.
struct DotProbe {
  /// Of equal length.
  std::vector<std::uint64_t> a, b;
};

/// A matrix unit as a black box: what it stores, and what it answers.
struct MatrixUnit {
  std::string name;  ///< for reports
  /// Of the factors, and of what is added and stored.
  ElementFormat a, b, c;
  /// One code of C a probe, from as few launches as may be. All probes of a call have as many terms.
  std::function<Result<std::vector<std::uint64_t>>(const std::vector<DotProbe>&)> ask;
};

}  // namespace assay::inline v0
