#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/quantize/bound.hpp"
#include "assay/kernels/quantize/clear_rows.hpp"
#include "assay/kernels/quantize/quantize.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

namespace detail {

/// The extremes of each block of a matrix.
template <Format Input>
struct FindExtremes {
  StridedView<const Input, 2> matrix;
  BlockGrid grid;
  BlockExtremes* extremes;

  ASSAY_FUNCTION void operator()(std::size_t number) const {
    const BlockGrid::Block block = grid.block(static_cast<Index>(number));
    BlockExtremes found;
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column)
        found.add(decode(matrix(row, column)));
    extremes[number] = found;
  }
};

struct JoinExtremes {
  static constexpr Index chunk = 1024;
  const BlockExtremes* extremes;
  Index count;

  ASSAY_FUNCTION void operator()(std::size_t index, BlockExtremes& joined) const {
    const Index first = static_cast<Index>(index) * chunk;
    for (Index i = first; i < first + chunk && i < count; ++i) joined.join(extremes[i]);
  }
};

/// Scale, zero point and codes of one block, by definition.
template <Format Input>
struct QuantizeBlock {
  QuantizeArguments<Input> arguments;
  BlockScaling scheme;
  BlockGrid grid;
  const BlockExtremes* extremes;

  ASSAY_FUNCTION void operator()(std::size_t number) const {
    const auto& [matrix, quantized] = arguments;
    const BlockGrid::Block block = grid.block(static_cast<Index>(number));
    const Index place = quantized.layout.scales.offset(block.row, block.column);
    const double whole = quantized.whole_scale(scheme);
    if (scheme.rule != ScaleRule::given)
      store_scale(quantized.scales, scheme.scale.bits, place, scale_code(scheme, extremes[number], whole));
    const double own = scheme.scale.decode(quantized.scale(scheme, block.row, block.column));
    if (scheme.zero_points && scheme.rule != ScaleRule::given)
      quantized.zero_points[place] = static_cast<std::uint8_t>(
          static_cast<std::uint32_t>(zero_point(scheme, extremes[number].smallest, own)) & scheme.element.code_mask());
    const int zero = quantized.zero_point(scheme, block.row, block.column);
    const double scale = own * whole;
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column) {
        const std::uint32_t code = is_nan(scale) ? 0 : element_code(scheme, decode(matrix(row, column)), scale, zero);
        write_code(quantized.codes + row * quantized.layout.code_row_bytes, scheme.packing, scheme.element.bits, column,
                   code);
      }
  }
};

}  // namespace detail

/// The extremes of every block of a matrix, row by row of blocks, on a backend, and of all together.
template <ParallelBackend B>
struct MatrixExtremes {
  typename B::template Buffer<BlockExtremes> blocks;
  BlockExtremes all;
};

/// O(elements); one thread a block.
template <Format Input, ParallelBackend B>
[[nodiscard]] Result<MatrixExtremes<B>> matrix_extremes(B& backend, typename B::Stream& stream,
                                                        const StridedView<const Input, 2>& matrix,
                                                        const BlockGrid& grid) {
  auto blocks = backend.template allocate<BlockExtremes>(static_cast<std::size_t>(grid.blocks()) + 1);
  if (!blocks) return blocks.propagate();
  detail::WaitAtEnd work_on_them(backend, stream);
  const detail::FindExtremes<Input> work{matrix, grid, blocks.value().data()};
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(grid.blocks()), work); !run)
    return run.propagate();
  const detail::JoinExtremes join{blocks.value().data(), grid.blocks()};
  auto all = parallel_reduce<BlockExtremes>(
      backend, stream, static_cast<std::size_t>((grid.blocks() + join.chunk - 1) / join.chunk), join);
  if (!all) return all.propagate();
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  return MatrixExtremes<B>{std::move(blocks).value(), all.value()};
}

/// The codes, scales, zero points and scale of the tensor that the definition gives, computed in double, every result
/// rounded once. Writes the padding of tables in tiles (zeros), not the gaps of strided ones. Scales that the scheme
/// calls given are read. O(elements). Precondition: `arguments.quantized.layout` is that of `lay_out(problem)`.
template <Format Input, ParallelBackend B>
[[nodiscard]] Result<void> quantize_reference(B& backend, typename B::Stream& stream, const QuantizeProblem& problem,
                                              const QuantizeArguments<Input>& arguments) {
  static_assert(FormatTraits<Input>::layout.precision() <= 24,
                "quotients of wider inputs may round to the wrong side of a tie");
  const BlockScaling& scheme = problem.scheme;
  const auto& quantized = arguments.quantized;
  const BlockGrid grid = BlockGrid::over(scheme, problem.rows, problem.columns);
  auto extremes = matrix_extremes<Input>(backend, stream, arguments.matrix, grid);
  if (!extremes) return extremes.propagate();
  if (scheme.tensor_scale == TensorScale::computed) {
    const float scale = encode<float32>(ideal_tensor_scale(scheme, extremes.value().all.amax));
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
  if (scheme.order == ScaleOrder::tiles_128x4 && scheme.rule != ScaleRule::given) {
    const Index tiles = layout.scales.elements() / 512;
    if (auto cleared = clear(quantized.scales, tiles, 512, 512); !cleared) return cleared;
    if (scheme.zero_points)
      if (auto cleared = clear(quantized.zero_points, tiles, 512, 512); !cleared) return cleared;
  }
  const detail::QuantizeBlock<Input> work{arguments, scheme, grid, extremes.value().blocks.data()};
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(grid.blocks()), work); !run) return run;
  return backend.synchronize(stream);
}

/// What dequantizing gives, element by element: code times scale in double, exact, and how far a correct kernel may be
/// from it before it rounds its output, whichever of code, scale and scale of the tensor it multiplies first. For
/// `compare`.
struct DequantizeExpected {
  ConstQuantizedView quantized;
  BlockScaling scheme;
  Index block_rows = 1, block_columns = 1;
  double relative_error = 0;  ///< where the scale is no power of two

  /// The expectation that reads these codes.
  [[nodiscard]] static DequantizeExpected of(const QuantizeProblem& problem, const ConstQuantizedView& quantized,
                                             const QuantizeArithmetic& arithmetic) {
    return {quantized, problem.scheme, problem.scheme.rows_of_block(problem.rows),
            problem.scheme.columns_of_block(problem.columns), QuantizeBound::of(arithmetic).value};
  }
  ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index block_row = row / block_rows, block_column = column / block_columns;
    const double own = scheme.scale.decode(quantized.scale(scheme, block_row, block_column)),
                 whole = quantized.whole_scale(scheme), scale = own * whole;
    const std::uint32_t code = quantized.code(scheme, row, column);
    const int zero_point = quantized.zero_point(scheme, block_row, block_column);
    const double value = element_value(scheme, code, scale, zero_point);
    const bool exact = detail::is_power_of_two_or_zero(scale) || !is_finite(value);
    const double error = exact ? 0 : detail::absolute(value) * relative_error + min_subnormal<float32>();
    if (scheme.tensor_scale == TensorScale::none || !is_finite(value)) return {value, error};
    return {value, error + lost_on_the_way(own, whole, element_value(scheme, code, 1, zero_point))};
  }

 private:
  /// What is lost in float32 where the scale of the tensor meets the block's or the code first: each underflow errs by
  /// the smallest number times the third factor. Infinite where such a product overflows.
  [[nodiscard]] ASSAY_FUNCTION static double lost_on_the_way(double own, double whole, double code) {
    const double scale = detail::absolute(own), size = detail::absolute(code), factor = detail::absolute(whole);
    if ((scale > size ? scale : size) * factor > max_finite<float32>())
      return detail::double_of(binary64_layout.infinity_bits());
    if ((scale < size ? scale : size) * factor >= min_normal<float32>()) return 0;
    return min_subnormal<float32>() * (scale + size);
  }
};

}  // namespace assay::inline v0
