#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/thread_pool.hpp"
#include "assay/core/detail/unless_out_of_memory.hpp"
#include "assay/formats/block_values.hpp"
#include "assay/validators/magnitude_distribution.hpp"
#include "assay/validators/quantisation_quality.hpp"
#include "assay/validators/quantisation_scheme.hpp"

namespace assay::inline v0 {

/// What a scheme makes of a tensor.
struct SchemeQuality {
  QuantisationQuality tensor;
  QuantisationQuality worst;  ///< the row (output channel) with the lowest signal-to-noise ratio
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
  SchemeMeasurement(const QuantisationScheme& scheme, Index rows, Index columns, const BlockExtremes& whole)
      : scheme_(scheme), whole_(whole) {
    result_.bits_per_value = scheme.bits_per_value(rows, columns);
    const BlockScaling& scaling = scheme.scaling;
    if (scheme.scaled && scaling.tensor_scale == TensorScale::computed)
      tensor_scale_ = static_cast<double>(encode<float32>(ideal_tensor_scale(scaling, whole.amax)));
    const CodeFormat& element = scaling.element;
    switch (element.kind) {
      case CodeKind::floating_point: {
        const double largest = element.max_value(), below = decode(element.layout, element.layout.max_finite_bits() - 1);
        highest_ = largest + (largest - below) / 2;
        lowest_ = element.layout.has_sign() ? -highest_ : 0;
        break;
      }
      case CodeKind::integer:
        highest_ = (element.highest + 0.5) * power_of_two(element.quantum_exponent);
        lowest_ = (element.lowest - 0.5) * power_of_two(element.quantum_exponent);
        break;
      case CodeKind::table: {
        const std::uint32_t last = element.code_mask();
        highest_ = element.values[last] + (element.values[last] - element.values[last - 1]) / 2;
        lowest_ = element.values[0] - (element.values[1] - element.values[0]) / 2;
        break;
      }
    }
  }

  void begin_band(Index rows) { channels_.assign(static_cast<std::size_t>(rows), {}); }

  /// Takes rows of a band, a part of their columns, that begins and ends with blocks. `values` has rows of `stride` values;
  /// `row_extremes` are those of the whole rows.
  void add(const double* values, Index rows, Index columns, Index stride, const std::vector<BlockExtremes>& row_extremes) {
    const BlockScaling& scaling = scheme_.scaling;
    const Index block_rows = !scheme_.scaled || scaling.block_rows == 0 ? rows : scaling.block_rows;
    const Index block_columns = !scheme_.scaled || scaling.block_columns == 0 ? columns : scaling.block_columns;
    for (Index row = 0; row < rows; row += block_rows)
      for (Index column = 0; column < columns; column += block_columns) {
        const Index end_row = std::min(rows, row + block_rows), end_column = std::min(columns, column + block_columns);
        if (!scheme_.scaled) {
          for (Index r = row; r < end_row; ++r) {
            QuantisationQuality& channel = channels_[static_cast<std::size_t>(r)];
            for (Index c = column; c < end_column; ++c) add_plain(channel, values[r * stride + c]);
          }
          continue;
        }
        BlockExtremes extremes;
        if (scaling.block_rows == 0)
          extremes = whole_;
        else if (scaling.block_columns == 0)
          for (Index r = row; r < end_row; ++r) extremes.join(row_extremes[static_cast<std::size_t>(r)]);
        else
          for (Index r = row; r < end_row; ++r)
            for (Index c = column; c < end_column; ++c) extremes.add(stored(values[r * stride + c]));
        add_block(extremes, values + row * stride + column, end_row - row, end_column - column, stride, row);
      }
  }

  /// Ends a band of rows, the first of which is `first_row` of the tensor.
  void end_band(Index first_row) {
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const QuantisationQuality& channel = channels_[i];
      result_.tensor.join(channel);
      if (channel.count > 0 && (result_.worst_channel < 0 || channel.sqnr() < result_.worst.sqnr())) {
        result_.worst = channel;
        result_.worst_channel = first_row + static_cast<Index>(i);
      }
    }
  }

  [[nodiscard]] const SchemeQuality& result() const { return result_; }

  /// Kernels are given float32: what the error is measured against may be wider, what is quantised is not.
  [[nodiscard]] static double stored(double value) { return static_cast<double>(static_cast<float>(value)); }

 private:
  void add_plain(QuantisationQuality& channel, double value) const {
    const CodeFormat& element = scheme_.scaling.element;
    const double given = stored(value);
    channel.add(is_finite(given) ? value : given, element.decode(element.encode(given)), given > highest_ || given < lowest_);
  }

  void add_block(const BlockExtremes& extremes, const double* values, Index rows, Index columns, Index stride, Index first_row) {
    const BlockScaling& scaling = scheme_.scaling;
    const double own = scaling.scale.decode(scale_code(scaling, extremes, tensor_scale_)), scale = own * tensor_scale_;
    const int zero = is_nan(scale) ? 0 : zero_point(scaling, extremes.smallest, own);
    const double highest = (highest_ - zero) * scale, lowest = (lowest_ - zero) * scale;
    for (Index row = 0; row < rows; ++row) {
      QuantisationQuality& channel = channels_[static_cast<std::size_t>(first_row + row)];
      for (Index column = 0; column < columns; ++column) {
        const double value = values[row * stride + column], given = stored(value);
        if (!is_finite(given))
          channel.add(given, 0);
        else if (is_nan(scale))
          channel.add(value, scale);
        else
          channel.add(value, element_value(scaling, element_code(scaling, given, scale, zero), scale, zero),
                      scale > 0 && (given > highest || given < lowest));
      }
    }
  }

  const QuantisationScheme& scheme_;
  const BlockExtremes& whole_;
  double tensor_scale_ = 1;
  double highest_ = 0, lowest_ = 0;  ///< beyond these a value of scale 1 would round to one that the codes do not have
  std::vector<QuantisationQuality> channels_;
  SchemeQuality result_;
};

/// How a matrix is cut so that no block of any scheme is: bands of rows, parts of columns, some `values` values at a time.
struct MatrixParts {
  Index band_rows = 1;
  Index part_columns = 1;

  [[nodiscard]] static Result<MatrixParts> of(const std::vector<QuantisationScheme>& schemes, Index columns, Index values) {
    MatrixParts parts;
    for (const QuantisationScheme& scheme : schemes) {
      if (!scheme.scaled) continue;
      if (const auto sound = check(scheme.scaling); !sound) return sound.propagate();
      const BlockScaling& scaling = scheme.scaling;
      if (scaling.rule == ScaleRule::given || scaling.tensor_scale == TensorScale::given)
        return failure(ErrorKind::unsupported,
                       scheme.name + " has given scales; only schemes whose scales follow from the values can be measured");
      if (scaling.block_rows == 0 && scaling.block_columns != 0)
        return failure(ErrorKind::unsupported, scheme.name + " has blocks of all rows and " + std::to_string(scaling.block_columns) +
                                                   " columns; transpose the matrix, or give them rows");
      if (scaling.block_rows > 0) parts.band_rows = std::lcm(parts.band_rows, scaling.block_rows);
      if (scaling.block_columns > 0) parts.part_columns = std::lcm(parts.part_columns, scaling.block_columns);
      if (parts.band_rows > 65536 || parts.part_columns > 65536)
        return failure(ErrorKind::unsupported,
                       "the blocks of " + scheme.name +
                           " and of the schemes before it only fit each other beyond 65536 rows or columns; measure them apart");
    }
    if (columns <= std::max(parts.part_columns, values / parts.band_rows)) {
      parts.part_columns = columns;
      parts.band_rows *= std::max<Index>(1, values / std::max<Index>(1, parts.band_rows * columns));
    } else {
      parts.part_columns *= std::max<Index>(1, values / parts.band_rows / parts.part_columns);
    }
    return parts;
  }
};

}  // namespace detail

/// Reads `count` values of a tensor, row-major, from position `first`.
using ReadValues = std::function<Result<void>(Index first, Index count, double* values)>;

/// Measures what each scheme makes of a matrix of `rows` × `columns` values, the rows of which are the output channels. The
/// values are read two or three times, in parts: memory is a few MB and O(schemes · rows of a part), whatever the size.
/// Values are quantised as float32; errors are told against the values given. Schemes share the threads of the pool; the
/// result is the same for any number of them. O(schemes · elements).
/// Errors: those of `read`; `unsupported` and `invalid` for schemes that cannot be measured; `out_of_memory`.
[[nodiscard]] inline Result<TensorQuality> measure_quantisation(const std::vector<QuantisationScheme>& schemes, Index rows, Index columns,
                                                                const ReadValues& read, ThreadPool& pool) {
  expect(rows >= 0 && columns >= 0,
         [&] { return "extents " + std::to_string(rows) + "×" + std::to_string(columns) + "; they must be 0 or more"; });
  TensorQuality quality{rows, columns, {}, {}};
  constexpr Index values_at_a_time = 1 << 18;
  const auto cut = detail::MatrixParts::of(schemes, columns, values_at_a_time);
  if (!cut) return cut.propagate();
  const auto [band_rows, part_columns] = cut.value();
  const auto measured = [&]() -> Result<TensorQuality> {
    std::vector<double> values;
    const auto read_part = [&](Index row, Index count_rows, Index column, Index count_columns) -> Result<void> {
      values.resize(static_cast<std::size_t>(count_rows * count_columns));
      if (count_columns == columns) return read(row * columns, count_rows * columns, values.data());
      for (Index r = 0; r < count_rows; ++r)
        if (auto done = read((row + r) * columns + column, count_columns, values.data() + r * count_columns); !done) return done;
      return {};
    };
    BlockExtremes whole;
    const Index elements = columns == 0 ? 0 : rows * columns;
    for (Index first = 0; first < elements; first += values_at_a_time) {
      const Index count = std::min(values_at_a_time, elements - first);
      values.resize(static_cast<std::size_t>(count));
      if (auto done = read(first, count, values.data()); !done) return done.propagate();
      for (const double value : values) {
        quality.values.add(value);
        whole.add(detail::SchemeMeasurement::stored(value));
      }
    }
    std::vector<detail::SchemeMeasurement> measurements;
    bool whole_rows = false;
    for (const QuantisationScheme& scheme : schemes) {
      measurements.emplace_back(scheme, rows, columns, whole);
      whole_rows = whole_rows || (scheme.scaled && scheme.scaling.block_rows > 0 && scheme.scaling.block_columns == 0);
    }
    std::vector<BlockExtremes> row_extremes;
    for (Index row = 0; elements > 0 && row < rows; row += band_rows) {
      const Index count_rows = std::min(band_rows, rows - row);
      const auto each_part = [&](const auto& work) -> Result<void> {
        for (Index column = 0; column < columns; column += part_columns) {
          const Index count_columns = std::min(part_columns, columns - column);
          if (auto done = read_part(row, count_rows, column, count_columns); !done) return done;
          work(count_columns);
        }
        return {};
      };
      row_extremes.assign(static_cast<std::size_t>(count_rows), {});
      for (detail::SchemeMeasurement& measurement : measurements) measurement.begin_band(count_rows);
      const auto find_extremes = [&](Index count_columns) {
        for (Index r = 0; r < count_rows; ++r)
          for (Index c = 0; c < count_columns; ++c)
            row_extremes[static_cast<std::size_t>(r)].add(
                detail::SchemeMeasurement::stored(values[static_cast<std::size_t>(r * count_columns + c)]));
      };
      const bool one_part = part_columns >= columns;
      if (whole_rows && !one_part)
        if (auto done = each_part(find_extremes); !done) return done.propagate();
      const auto measure = [&](Index count_columns) {
        if (whole_rows && one_part) find_extremes(count_columns);
        pool.for_each_index(measurements.size(), [&](std::size_t i) {
          measurements[i].add(values.data(), count_rows, count_columns, count_columns, row_extremes);
        });
      };
      if (auto done = each_part(measure); !done) return done.propagate();
      for (detail::SchemeMeasurement& measurement : measurements) measurement.end_band(row);
    }
    for (const detail::SchemeMeasurement& measurement : measurements) quality.schemes.push_back(measurement.result());
    return quality;
  };
  const auto no_memory = [&]() -> Result<TensorQuality> {
    return failure(ErrorKind::out_of_memory, "no memory to measure a matrix of " + std::to_string(rows) + "×" + std::to_string(columns) +
                                                 " values with " + std::to_string(schemes.size()) + " schemes");
  };
  return detail::unless_out_of_memory(measured, no_memory);
}

}  // namespace assay::inline v0
