#pragma once

#include <string>

namespace assay::inline v0 {

/// One number with its unit. `unit` is "1" for a pure number, else an SI unit or the field's own ("ulp", "elements").
struct Measurement {
  std::string name;  ///< one of `assay::measurement` where it fits: gates look for names
  double value = 0;  ///< in `unit`
  std::string unit = "1";
};

}  // namespace assay::inline v0
