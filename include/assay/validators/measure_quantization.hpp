#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/thread_pool.hpp"
#include "assay/core/unless_out_of_memory.hpp"
#include "assay/formats/block_values.hpp"
#include "assay/validators/magnitude_distribution.hpp"
#include "assay/validators/quantization_quality.hpp"
#include "assay/validators/quantization_scheme.hpp"

namespace assay::inline v0 {

/// What a scheme makes of a tensor.
struct SchemeQuality {
  QuantizationQuality tensor;
  QuantizationQuality worst;  ///< the row (output channel) with the lowest signal-to-noise ratio
  Index worst_channel = -1;   ///< its number; −1 if no row has a finite value
  double bits_per_value = 0;  ///< with what scales add
};

/// A tensor's values, and what each scheme makes of them, in the order in which the schemes were given.
struct TensorQuality {
  Index rows = 0;     ///< of the tensor as a matrix
  Index columns = 0;  ///< of the tensor as a matrix
  MagnitudeDistribution values;
  std::vector<SchemeQuality> schemes;
};

namespace detail {

/// A scheme at work on one tensor.
class SchemeMeasurement {
 public:
  SchemeMeasurement(const QuantizationScheme& scheme, Index rows, Index columns, const BlockExtremes& whole);

  void begin_band(Index rows) { channels_.assign(static_cast<std::size_t>(rows), {}); }

  /// Takes rows of a band, a part of their columns, that begins and ends with blocks. `values` has rows of `stride`
  /// values; `row_extremes` are those of the whole rows.
  void add(const double* values, Index rows, Index columns, Index stride,
           const std::vector<BlockExtremes>& row_extremes);

  /// Ends a band of rows, the first of which is `first_row` of the tensor.
  void end_band(Index first_row);

  [[nodiscard]] const SchemeQuality& result() const { return result_; }

  /// Kernels are given float32: what the error is measured against may be wider, what is quantized is not.
  [[nodiscard]] static double stored(double value) { return static_cast<double>(static_cast<float>(value)); }

 private:
  void add_plain(QuantizationQuality& channel, double value) const {
    const CodeFormat& element = scheme_.scaling.element;
    const double given = stored(value);
    channel.add(is_finite(given) ? value : given, element.decode(element.encode(given)),
                given > highest_ || given < lowest_);
  }

  void add_block(const BlockExtremes& extremes, const double* values, Index rows, Index columns, Index stride,
                 Index first_row);

  const QuantizationScheme& scheme_;
  const BlockExtremes& whole_;
  double tensor_scale_ = 1;
  double highest_ = 0, lowest_ = 0;  ///< beyond these a value of scale 1 would round to one that the codes do not have
  std::vector<QuantizationQuality> channels_;
  SchemeQuality result_;
};

/// How a matrix is cut so that no block of any scheme is: bands of rows, parts of columns, some `values` values at a
/// time.
struct MatrixParts {
  Index band_rows = 1;
  Index part_columns = 1;

  [[nodiscard]] static Result<MatrixParts> of(const std::vector<QuantizationScheme>& schemes, Index columns,
                                              Index values);
};

}  // namespace detail

/// Reads `count` values of a tensor, row-major, from position `first`.
using ReadValues = std::function<Result<void>(Index first, Index count, double* values)>;

/// Measures what each scheme makes of a matrix of `rows` × `columns` values, the rows of which are the output channels.
/// The values are read two or three times, in parts: memory is a few MB and O(schemes · rows of a part), whatever the
/// size. Values are quantized as float32; errors are told against the values given. Schemes share the threads of the
/// pool; the result is the same for any number of them. O(schemes · elements). Errors: those of `read`; `unsupported`
/// and `invalid` for schemes that cannot be measured; `out_of_memory`.
[[nodiscard]] Result<TensorQuality> measure_quantization(const std::vector<QuantizationScheme>& schemes, Index rows,
                                                         Index columns, const ReadValues& read, ThreadPool& pool);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/measure_quantization.ipp"
#endif
