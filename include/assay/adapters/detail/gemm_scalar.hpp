#pragma once

#include <string>

#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/classify.hpp"
#include "assay/formats/format_traits.hpp"

namespace assay::inline v0::detail {

/// α or β in a library's scalar type T, rounded to nearest: one of the roundings that a bound on α·P + β·C counts.
/// `ErrorKind::unsupported` where a finite value would become an infinity. `library` and `scalar` name it in messages.
template <Format T>
[[nodiscard]] Result<T> gemm_scalar(const char* library, const char* scalar, double value) {
  const T rounded = encode<T>(value);
  if (is_finite(value) && !is_finite(rounded))
    return failure(ErrorKind::unsupported, std::string(scalar) + " is " + printed_number(value) + "; " + library +
                                               " takes it as " + FormatTraits<T>::name() + ", where it overflows");
  return rounded;
}

}  // namespace assay::inline v0::detail
