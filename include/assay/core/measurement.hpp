#pragma once

#include <string>

namespace assay::inline v0 {

/// One number with its unit. `unit` is "1" for a pure number, else an SI unit or the field's own ("ulp", "elements").
struct Measurement {
  std::string name;
  double value = 0;
  std::string unit = "1";
};

}  // namespace assay::inline v0
