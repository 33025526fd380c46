#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/kernels/quantize/reference.hpp"

namespace assay::inline v0 {

/// A quantized matrix on the host, with memory of its own. Scales are stored as bytes of the scale format, in the
/// machine's order.
struct QuantizedMatrix {
  std::vector<std::uint8_t> codes;         ///< packed as the scheme says
  std::vector<std::uint32_t> scale_words;  ///< aligned storage of `layout.scale_bytes` bytes
  std::vector<std::uint8_t> zero_points;   ///< one a block; empty without
  float tensor_scale = 1;                  ///< of the whole tensor
  QuantizeLayout layout;

  /// Room for the quantized matrix of a problem, all zeros. Errors as of `lay_out`.
  [[nodiscard]] static Result<QuantizedMatrix> create(const QuantizeProblem& problem);
  /// What kernels take; valid as long as this lives.
  [[nodiscard]] MutableQuantizedView view() {
    return {codes.data(), scale_words.data(), zero_points.data(), &tensor_scale, layout};
  }
  /// What kernels take; valid as long as this lives.
  [[nodiscard]] ConstQuantizedView view() const {
    return {codes.data(), scale_words.data(), zero_points.data(), &tensor_scale, layout};
  }
};

/// Whether a quantized matrix that somebody else made can be read as a problem says: its memory has the extents, scales
/// of blocks and tensor are positive numbers, where the scheme does not mark blocks by NaN. A scale of zero is accepted
/// only in formats narrower than float32, in which small scales round to it. `ErrorKind::malformed` names what was
/// found.
[[nodiscard]] Result<void> check(const QuantizeProblem& problem, const QuantizedMatrix& matrix);

/// A matrix quantized by definition on the host: `values` has rows of `leading_dimension` elements. Scales and zero
/// points that the scheme calls given are taken from `given`. Errors: as of `lay_out`; `ErrorKind::malformed` for given
/// scales that are unusable. Misuse: fewer values than the problem says.
[[nodiscard]] Result<QuantizedMatrix> quantize(const QuantizeProblem& problem, const std::vector<float>& values,
                                               const QuantizedMatrix* given = nullptr);

/// The values of a quantized matrix, row by row without gaps: exact products. Errors: as of `check`.
[[nodiscard]] Result<std::vector<double>> dequantize(const QuantizeProblem& problem, const QuantizedMatrix& matrix);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/quantize/quantized_matrix.ipp"
#endif
