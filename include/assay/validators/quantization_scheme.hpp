#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

/// A way to quantize weights whose quality is measured: block scaling, or a plain format, of which only
/// `scaling.element` counts. Plain formats saturate.
struct QuantizationScheme {
  std::string name;  ///< in reports
  BlockScaling scaling;
  bool scaled = true;  ///< false: a plain format

  /// Bits that a matrix takes for each of its values: the element's, and what scales, zero points and the scale of the
  /// tensor add to them. 0 for an empty matrix.
  [[nodiscard]] double bits_per_value(Index rows, Index columns) const;

  /// "int4, a f32 scale and a zero point for each 1×128", "bf16".
  [[nodiscard]] std::string description() const;
};

/// A plain format: values are rounded to it, and saturate.
template <Format T>
[[nodiscard]] QuantizationScheme plain_scheme() {
  QuantizationScheme scheme{FormatTraits<T>::name(), {}, false};
  scheme.scaling.name = FormatTraits<T>::name();
  scheme.scaling.element = code_format<T>();
  return scheme;
}

/// Every scheme that has a name: 16-bit and 8-bit formats plain, and all named block scaling whose scales follow from
/// the values, wide elements first.
[[nodiscard]] std::vector<QuantizationScheme> all_quantization_schemes();

/// The schemes with these names, or that these globs (`*`, `?`) describe, in the order of `all_quantization_schemes`;
/// all of them for no names. `ErrorKind::not_found` for a name that none has, with the nearest.
[[nodiscard]] Result<std::vector<QuantizationScheme>> quantization_schemes_named(const std::vector<std::string>& names);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/quantization_scheme.ipp"
#endif
