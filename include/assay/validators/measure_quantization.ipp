#pragma once

#include "assay/validators/measure_quantization.hpp"

#include <algorithm>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE SchemeMeasurement::SchemeMeasurement(const QuantizationScheme& scheme, Index rows,
                                                                Index columns, const BlockExtremes& whole)
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

ASSAY_DETAIL_HEADER_INLINE void SchemeMeasurement::add(const double* values, Index rows, Index columns, Index stride,
                                                       const std::vector<BlockExtremes>& row_extremes) {
  const BlockScaling& scaling = scheme_.scaling;
  const Index block_rows = !scheme_.scaled || scaling.block_rows == 0 ? rows : scaling.block_rows;
  const Index block_columns = !scheme_.scaled || scaling.block_columns == 0 ? columns : scaling.block_columns;
  for (Index row = 0; row < rows; row += block_rows)
    for (Index column = 0; column < columns; column += block_columns) {
      const Index end_row = std::min(rows, row + block_rows), end_column = std::min(columns, column + block_columns);
      if (!scheme_.scaled) {
        for (Index r = row; r < end_row; ++r) {
          QuantizationQuality& channel = channels_[static_cast<std::size_t>(r)];
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

ASSAY_DETAIL_HEADER_INLINE void SchemeMeasurement::end_band(Index first_row) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const QuantizationQuality& channel = channels_[i];
    result_.tensor.join(channel);
    if (channel.count > 0 && (result_.worst_channel < 0 || channel.sqnr() < result_.worst.sqnr())) {
      result_.worst = channel;
      result_.worst_channel = first_row + static_cast<Index>(i);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void SchemeMeasurement::add_block(const BlockExtremes& extremes, const double* values,
                                                             Index rows, Index columns, Index stride, Index first_row) {
  const BlockScaling& scaling = scheme_.scaling;
  const double own = scaling.scale.decode(scale_code(scaling, extremes, tensor_scale_)), scale = own * tensor_scale_;
  const int zero = is_nan(scale) ? 0 : zero_point(scaling, extremes.smallest, own);
  const double highest = (highest_ - zero) * scale, lowest = (lowest_ - zero) * scale;
  for (Index row = 0; row < rows; ++row) {
    QuantizationQuality& channel = channels_[static_cast<std::size_t>(first_row + row)];
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

ASSAY_DETAIL_HEADER_INLINE Result<MatrixParts> MatrixParts::of(const std::vector<QuantizationScheme>& schemes,
                                                               Index columns, Index values) {
  MatrixParts parts;
  for (const QuantizationScheme& scheme : schemes) {
    if (!scheme.scaled) continue;
    if (const auto sound = check(scheme.scaling); !sound) return sound.propagate();
    const BlockScaling& scaling = scheme.scaling;
    if (scaling.rule == ScaleRule::given || scaling.tensor_scale == TensorScale::given)
      return failure(
          ErrorKind::unsupported,
          scheme.name + " has given scales; only schemes whose scales follow from the values can be measured");
    if (scaling.block_rows == 0 && scaling.block_columns != 0)
      return failure(ErrorKind::unsupported, scheme.name + " has blocks of all rows and " +
                                                 std::to_string(scaling.block_columns) +
                                                 " columns; transpose the matrix, or give them rows");
    if (scaling.block_rows > 0) parts.band_rows = std::lcm(parts.band_rows, scaling.block_rows);
    if (scaling.block_columns > 0) parts.part_columns = std::lcm(parts.part_columns, scaling.block_columns);
    if (parts.band_rows > 65536 || parts.part_columns > 65536)
      return failure(
          ErrorKind::unsupported,
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

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<TensorQuality> measure_quantization(const std::vector<QuantizationScheme>& schemes,
                                                                      Index rows, Index columns, const ReadValues& read,
                                                                      ThreadPool& pool) {
  expect(rows >= 0 && columns >= 0, [&] {
    return "extents " + std::to_string(rows) + "×" + std::to_string(columns) + "; they must be 0 or more";
  });
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
        if (auto done = read((row + r) * columns + column, count_columns, values.data() + r * count_columns); !done)
          return done;
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
    for (const QuantizationScheme& scheme : schemes) {
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
    return failure(ErrorKind::out_of_memory, "no memory to measure a matrix of " + std::to_string(rows) + "×" +
                                                 std::to_string(columns) + " values with " +
                                                 std::to_string(schemes.size()) + " schemes");
  };
  return detail::unless_out_of_memory(measured, no_memory);
}

}  // namespace assay::inline v0
