#pragma once

#include <cstddef>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/kernels/quantize/clear_rows.hpp"
#include "assay/kernels/quantize/quantize.hpp"

namespace assay::inline v0 {

namespace detail {

/// What kernels keep of a block, in float32.
struct FloatExtremes {
  float amax = 0, smallest = 0, largest = 0;
  bool special = false;

  ASSAY_FUNCTION void add(float value) {
    if (!is_finite(value)) {
      special = true;
      return;
    }
    const float magnitude = value < 0 ? -value : value;
    amax = magnitude > amax ? magnitude : amax;
    smallest = value < smallest ? value : smallest;
    largest = value > largest ? value : largest;
  }
  ASSAY_FUNCTION void join(const FloatExtremes& other) {
    amax = other.amax > amax ? other.amax : amax;
    smallest = other.smallest < smallest ? other.smallest : smallest;
    largest = other.largest > largest ? other.largest : largest;
    special = special || other.special;
  }
};

template <Format Input>
struct RowExtremes {
  StridedView<const Input, 2> matrix;

  ASSAY_FUNCTION void operator()(std::size_t row, FloatExtremes& extremes) const {
    for (Index column = 0; column < matrix.extents[1]; ++column)
      extremes.add(static_cast<float>(decode(matrix(static_cast<Index>(row), column))));
  }
};

}  // namespace detail

/// One block quantized in float32 as kernels do it: exponents from the bits of amax, the others by products with
/// rounded reciprocals.
template <Format Input>
struct PortableQuantizeBlock {
  QuantizeArguments<Input> arguments;
  BlockScaling scheme;
  BlockGrid grid;

  ASSAY_FUNCTION void operator()(std::size_t number) const {
    const auto& [matrix, quantized] = arguments;
    const CodeFormat& element = scheme.element;
    const BlockGrid::Block block = grid.block(static_cast<Index>(number));
    const Index place = quantized.layout.scales.offset(block.row, block.column);
    const float whole = scheme.tensor_scale == TensorScale::none ? 1.0F : *quantized.tensor_scale;
    detail::FloatExtremes extremes;
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column)
        extremes.add(static_cast<float>(decode(matrix(row, column))));
    if (scheme.rule != ScaleRule::given)
      detail::store_scale(quantized.scales, scheme.scale.bits, place, scale_of(extremes, whole));
    const float own = static_cast<float>(scheme.scale.decode(quantized.scale(scheme, block.row, block.column)));
    if (scheme.zero_points && scheme.rule != ScaleRule::given) {
      const float ideal = static_cast<float>(element.lowest) - extremes.smallest * (1 / own);
      quantized.zero_points[place] = static_cast<std::uint8_t>(element.encode(static_cast<double>(ideal)));
    }
    const int zero = quantized.zero_point(scheme, block.row, block.column);
    const float scale = own * whole, reciprocal = scale == 0 || is_nan(scale) ? 0 : 1 / scale;
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column) {
        const float value = static_cast<float>(decode(matrix(row, column)));
        const float scaled = is_finite(value) || reciprocal != 0 ? value * reciprocal : 0;
        write_code(quantized.codes + row * quantized.layout.code_row_bytes, scheme.packing, element.bits, column,
                   element.encode(static_cast<double>(scaled), zero));
      }
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION std::uint32_t scale_of(const detail::FloatExtremes& extremes, float whole) const {
    const CodeFormat& format = scheme.scale;
    if (extremes.special && scheme.specials == SpecialValueRule::poison_block) return format.nan_code();
    const float least = static_cast<float>(scheme.least_amax);
    const float amax = extremes.amax > least ? extremes.amax : least;
    const float least_scale = static_cast<float>(scheme.least_scale);
    if (amax == 0) return scale_code(scheme, BlockExtremes{}, static_cast<double>(whole));
    const auto stored = [&](float scale) {
      return format.encode(static_cast<double>(scale > least_scale ? scale : least_scale));
    };
    const float reciprocal_of_max = 1 / static_cast<float>(scheme.element.max_value());
    if (is_exponent_rule(scheme.rule)) {
      int exponent = scale_exponent(scheme.rule, scheme.element, static_cast<double>(amax));
      if (scheme.rule == ScaleRule::exponent_floor)
        exponent =
            static_cast<int>(__builtin_bit_cast(std::uint32_t, amax) >> 23) - 127 - scheme.element.max_exponent();
      return stored(static_cast<float>(power_of_two(exponent < -127 ? -127 : exponent > 127 ? 127 : exponent)));
    }
    if (scheme.rule == ScaleRule::range) {
      const float range = extremes.largest - extremes.smallest;
      return stored((range > least ? range : least) *
                    (1 / static_cast<float>(scheme.element.highest - scheme.element.lowest)));
    }
    return stored(scheme.tensor_scale == TensorScale::none ? amax * reciprocal_of_max
                                                           : amax * reciprocal_of_max * (1 / whole));
  }
};

/// A quantizing kernel for any parallel backend and scheme, written to be read, not to be fast. It is validated like
/// everybody else's.
template <Format Input, ParallelBackend B>
[[nodiscard]] Result<void> portable_quantize(B& backend, typename B::Stream& stream, const QuantizeProblem& problem,
                                             const QuantizeArguments<Input>& arguments) {
  const BlockScaling& scheme = problem.scheme;
  const MutableQuantizedView& quantized = arguments.quantized;
  const BlockGrid grid = BlockGrid::over(scheme, problem.rows, problem.columns);
  if (scheme.tensor_scale == TensorScale::computed) {
    auto extremes = parallel_reduce<detail::FloatExtremes>(backend, stream, static_cast<std::size_t>(problem.rows),
                                                           detail::RowExtremes<Input>{arguments.matrix});
    if (!extremes) return extremes.propagate();
    const float amax = extremes.value().amax;
    const float scale =
        amax == 0 ? 1 : amax * (1 / static_cast<float>(scheme.scale.max_value() * scheme.element.max_value()));
    if (auto copied = backend.copy_to_device(stream, quantized.tensor_scale, &scale, 1); !copied) return copied;
    if (auto done = backend.synchronize(stream); !done) return done;
  }
  const auto clear = [&](void* bytes, Index rows, Index row_bytes, Index stride) {
    return backend.parallel_for(stream, static_cast<std::size_t>(rows),
                                detail::ClearRows{static_cast<std::uint8_t*>(bytes), row_bytes, stride});
  };
  const QuantizeLayout& layout = quantized.layout;
  if (scheme.packing != CodePacking::bytes)
    if (auto cleared = clear(quantized.codes, problem.rows, layout.bytes_of_row, layout.code_row_bytes); !cleared)
      return cleared;
  if (scheme.order == ScaleOrder::tiles_128x4 && scheme.rule != ScaleRule::given)
    if (auto cleared = clear(quantized.scales, layout.scales.elements() / 512, 512, 512); !cleared) return cleared;
  return backend.parallel_for(stream, static_cast<std::size_t>(grid.blocks()),
                              PortableQuantizeBlock<Input>{arguments, scheme, grid});
}

/// One row dequantized in float32.
template <Format Output>
struct PortableDequantizeRow {
  DequantizeArguments<Output> arguments;
  BlockScaling scheme;
  BlockGrid grid;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto& [quantized, matrix] = arguments;
    const Index row = static_cast<Index>(index), block_row = row / grid.block_rows;
    for (Index column = 0; column < grid.columns; ++column) {
      const Index block_column = column / grid.block_columns;
      const float scale = static_cast<float>(scheme.scale.decode(quantized.scale(scheme, block_row, block_column))) *
                          static_cast<float>(quantized.whole_scale(scheme));
      const float multiple = static_cast<float>(scheme.element.decode(
          quantized.code(scheme, row, column), quantized.zero_point(scheme, block_row, block_column)));
      matrix(row, column) = encode<Output>(static_cast<double>(multiple * scale));
    }
  }
};

/// A plain right dequantization on any `ParallelBackend`.
template <Format Output, ParallelBackend B>
[[nodiscard]] Result<void> portable_dequantize(B& backend, typename B::Stream& stream, const QuantizeProblem& problem,
                                               const DequantizeArguments<Output>& arguments) {
  return backend.parallel_for(
      stream, static_cast<std::size_t>(problem.rows),
      PortableDequantizeRow<Output>{arguments, problem.scheme,
                                    BlockGrid::over(problem.scheme, problem.rows, problem.columns)});
}

}  // namespace assay::inline v0
