#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// Other values for which a kernel takes all elements of an operand: `change(value)`.
struct MisreadValues {
  FaultClass fault_class;
  std::string kind, effect;  ///< as of a diagnosis
  std::function<double(double)> change;
};

/// The operand is not looked at.
[[nodiscard]] inline std::vector<MisreadValues> ignored_values(const std::string& name) {
  return {{FaultClass::missing_work, name + "_ignored", "takes " + name + " to be 0", [](double) { return 0.0; }},
          {FaultClass::missing_work, name + "_ignored", "takes " + name + " to be 1", [](double) { return 1.0; }}};
}

/// Numbers are kept in a format that holds less of them. `rounds_twice(layout)`: nothing but the last rounding shows
/// it.
[[nodiscard]] std::vector<MisreadValues> narrowed_values(const std::string& name, const ElementFormat& format,
                                                         const std::function<bool(const FloatLayout&)>& rounds_twice);

/// NaN is taken for a number.
[[nodiscard]] std::vector<MisreadValues> values_without_nan(const std::string& name);

/// Signs, places and scales of numbers, or of integers, are misread.
[[nodiscard]] std::vector<MisreadValues> misread_values(const std::string& name, const Operand& operand);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/misread_values.ipp"
#endif
