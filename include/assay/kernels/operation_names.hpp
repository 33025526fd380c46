#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// "4x1000x1".
[[nodiscard]] std::string extents_name(const std::vector<Index>& extents);

/// Four significant digits at most, for names: "0.5", "1e-05".
[[nodiscard]] inline std::string plain_number(double value) {
  return detail::printed_number(value, 4);
}

/// Extents of 0 or more whose product fits 64 bits; `invalid` names the field at fault.
[[nodiscard]] Result<void> check_extents(std::initializer_list<std::pair<const char*, Index>> extents);

/// Formats of floating-point numbers; `invalid` names the field at fault.
[[nodiscard]] inline Result<void> check_float_formats(
    std::initializer_list<std::pair<const char*, ElementFormat>> formats) {
  for (const auto& [name, format] : formats)
    if (!format.is_float())
      return failure(ErrorKind::invalid,
                     std::string(name) + " is " + format.name + "; it must be a floating-point format");
  return {};
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/operation_names.ipp"
#endif
