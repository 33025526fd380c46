#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/kernels/quantize/reference.hpp"

namespace assay::inline v0 {

/// What is wrong with one result of a quantizer.
enum class QuantizeMismatchKind { tensor_scale, scale, zero_point, code, padding };

/// One wrong result, and what would have been right.
struct QuantizeMismatch {
  QuantizeMismatchKind kind = QuantizeMismatchKind::code;
  /// Of the element; of the block for scales and zero points; of the padded table for padding.
  Index row = 0, column = 0;
  std::uint32_t code = 0;          ///< that was found
  double actual = 0;               ///< its value; of elements as a multiple of the scale
  double lowest = 0, highest = 0;  ///< that would have been accepted
  double value = 0;                ///< of the element that was quantized; of scales amax
};

/// What one pass over a quantized matrix tells: counts, the first mismatches, and what the mismatches have in common.
struct QuantizeJudgment {
  static constexpr int kept = 8;  ///< mismatches that are kept

  /// That were judged.
  std::uint64_t elements = 0, scales = 0;
  /// What was wrong, counted.
  std::uint64_t wrong_tensor_scales = 0, wrong_scales = 0, wrong_zero_points = 0, wrong_codes = 0, wrong_padding = 0;
  std::uint64_t neighbors = 0;  ///< codes that are not the exactly rounded ones, accepted beside a tie
  std::uint64_t undefined = 0;  ///< elements of blocks of which the scheme says nothing

  // of the wrong scales
  std::uint64_t scales_doubled = 0, scales_halved = 0;  ///< by the rule of the scheme
  std::uint64_t scales_too_large = 0;                   ///< scales above the largest right one
  std::uint64_t scales_in_tail = 0;                     ///< of blocks that are partly filled
  std::uint64_t scales_not_finite = 0;                  ///< scales that are NaN or infinite where they must not be
  std::uint64_t scales_stored_row_major =
      0;  ///< the right scale stands where a row-major table without gaps would have it
  std::uint64_t codes_of_right_scales = 0;  ///< codes of blocks with a wrong scale that follow from the right one
  // of the wrong codes
  std::uint64_t codes_not_finite = 0;          ///< codes that are NaN or infinite where they must not be
  std::uint64_t codes_tie_away = 0;            ///< what rounding halves away from zero gives
  std::uint64_t codes_swapped = 0;             ///< the code that its neighbor in the byte should have
  std::uint64_t codes_without_zero_point = 0;  ///< codes that would be right if the zero point were 0
  std::uint64_t codes_sign_of_zero = 0;        ///< zeros with the other sign
  std::uint64_t codes_in_tail = 0;             ///< wrong codes in blocks that are partly filled

  QuantizeMismatch first[kept];
  int mismatches_kept = 0;  ///< in `first`

  /// Keeps a mismatch where there is room.
  ASSAY_FUNCTION void keep(const QuantizeMismatch& mismatch) {
    if (mismatches_kept < kept) first[mismatches_kept++] = mismatch;
  }
  /// Takes what was found in another part of the same output.
  ASSAY_FUNCTION void join(const QuantizeJudgment& other) {
    elements += other.elements, scales += other.scales, neighbors += other.neighbors, undefined += other.undefined;
    wrong_tensor_scales += other.wrong_tensor_scales, wrong_scales += other.wrong_scales,
        wrong_zero_points += other.wrong_zero_points;
    wrong_codes += other.wrong_codes, wrong_padding += other.wrong_padding;
    scales_doubled += other.scales_doubled, scales_halved += other.scales_halved,
        scales_too_large += other.scales_too_large;
    scales_in_tail += other.scales_in_tail, scales_not_finite += other.scales_not_finite,
        scales_stored_row_major += other.scales_stored_row_major;
    codes_of_right_scales += other.codes_of_right_scales, codes_not_finite += other.codes_not_finite,
        codes_tie_away += other.codes_tie_away;
    codes_swapped += other.codes_swapped, codes_without_zero_point += other.codes_without_zero_point;
    codes_sign_of_zero += other.codes_sign_of_zero, codes_in_tail += other.codes_in_tail;
    for (int i = 0; i < other.mismatches_kept; ++i) keep(other.first[i]);
  }
  /// All that was wrong.
  [[nodiscard]] std::uint64_t violations() const {
    return wrong_tensor_scales + wrong_scales + wrong_zero_points + wrong_codes + wrong_padding;
  }
};

namespace detail {

/// Judges a chunk of blocks.
template <Format Input>
struct JudgeBlocks {
  StridedView<const Input, 2> matrix;
  ConstQuantizedView quantized;
  BlockScaling scheme;
  QuantizeBound bound;
  BlockGrid grid;
  const BlockExtremes* extremes;
  Index blocks_per_chunk;

  ASSAY_FUNCTION void operator()(std::size_t chunk, QuantizeJudgment& judged) const {
    const Index first = static_cast<Index>(chunk) * blocks_per_chunk;
    for (Index number = first; number < first + blocks_per_chunk && number < grid.blocks(); ++number)
      judge(grid.block(number), extremes[number], judged);
  }

 private:
  ASSAY_FUNCTION void judge(const BlockGrid::Block& block, const BlockExtremes& of, QuantizeJudgment& judged) const {
    const double whole = quantized.whole_scale(scheme);
    const std::uint32_t code = quantized.scale(scheme, block.row, block.column);
    const double own = scheme.scale.decode(code);
    const auto elements =
        static_cast<std::uint64_t>((block.end_row - block.first_row) * (block.end_column - block.first_column));
    judged.elements += elements;
    ++judged.scales;
    const bool poisoned = of.special && scheme.specials == SpecialValueRule::poison_block;
    const bool unusable = !is_finite(whole) || (scheme.rule == ScaleRule::given && !is_finite(own));
    if (unusable || (of.special && scheme.specials == SpecialValueRule::undefined)) {
      judged.undefined += elements;
      return;
    }
    const bool zeros = is_zero_block(scheme, of) && scheme.rule != ScaleRule::given;
    bool right_scale = true;
    if (scheme.rule != ScaleRule::given) {
      right_scale = poisoned ? is_nan(own)
                    : zeros  ? zero_block_scale_is_right(own)
                             : scale_is_admitted(scheme, bound, of, whole, own);
      if (!right_scale) wrong_scale(block, of, whole, code, own, poisoned, judged);
    }
    if (poisoned) return;
    const double scale = own * whole;
    const double reference_scale = right_scale ? scale : scheme.scale.decode(scale_code(scheme, of, whole)) * whole;
    const int zero = quantized.zero_point(scheme, block.row, block.column);
    if (scheme.zero_points && scheme.rule != ScaleRule::given && !zeros && is_finite(own)) {
      const AdmittedValues admitted = admitted_zero_points(scheme, bound, of.smallest, own);
      if (!admitted.admit(zero)) {
        ++judged.wrong_zero_points;
        judged.keep({QuantizeMismatchKind::zero_point, block.row, block.column,
                     static_cast<std::uint32_t>(zero) & scheme.element.code_mask(), static_cast<double>(zero),
                     admitted.lowest, admitted.highest, of.smallest});
      }
    }
    for (Index row = block.first_row; row < block.end_row; ++row)
      for (Index column = block.first_column; column < block.end_column; ++column)
        judge_code(block, row, column, scale, right_scale, reference_scale, zero, zeros, judged);
  }

  [[nodiscard]] ASSAY_FUNCTION bool zero_block_scale_is_right(double own) const {
    if (scheme.zero_block == ZeroBlockScale::any) return is_finite(own) && own >= 0;
    return own == scheme.scale.decode(scale_code(scheme, BlockExtremes{}));
  }

  ASSAY_FUNCTION void wrong_scale(const BlockGrid::Block& block, const BlockExtremes& of, double whole,
                                  std::uint32_t code, double own, bool poisoned, QuantizeJudgment& judged) const {
    ++judged.wrong_scales;
    const std::uint32_t right = scale_code(scheme, of, whole);
    const double expected = scheme.scale.decode(right);
    judged.scales_doubled += own == 2 * expected ? 1 : 0;
    judged.scales_halved += 2 * own == expected ? 1 : 0;
    judged.scales_too_large += own > expected ? 1 : 0;
    judged.scales_not_finite += !is_finite(own) && !poisoned ? 1 : 0;
    judged.scales_in_tail += in_tail(block) ? 1 : 0;
    const ScaleLayout& table = quantized.layout.scales;
    const Index row_major = block.row * table.columns + block.column;
    judged.scales_stored_row_major += row_major != table.offset(block.row, block.column) &&
                                              row_major < table.elements() &&
                                              load_scale(quantized.scales, scheme.scale.bits, row_major) == right
                                          ? 1
                                          : 0;
    judged.keep({QuantizeMismatchKind::scale, block.row, block.column, code, own, expected, expected, of.amax});
  }

  [[nodiscard]] ASSAY_FUNCTION bool in_tail(const BlockGrid::Block& block) const {
    return block.end_row - block.first_row < grid.block_rows ||
           block.end_column - block.first_column < grid.block_columns;
  }

  /// Whether a code is right for a value; `admitted` receives what is.
  [[nodiscard]] ASSAY_FUNCTION bool code_is_right(std::uint32_t code, double value, double scale, int zero,
                                                  AdmittedValues& admitted) const {
    const CodeFormat& element = scheme.element;
    if (code > element.code_mask()) return false;
    const double found = element.decode(code, zero);
    if (is_nan(value)) return !element.has_nan() || is_nan(found);
    admitted = admitted_elements(scheme, bound, value, scale, zero);
    if (is_infinite(value) && is_infinite(found)) return is_negative(value) == is_negative(found);
    const bool any_zero = !element.has_negative_zero() || !scheme.keeps_negative_zero || scale == 0;
    return admitted.admit(found) && (found != 0 || any_zero || is_negative(found) == is_negative(value));
  }

  ASSAY_FUNCTION void judge_code(const BlockGrid::Block& block, Index row, Index column, double scale, bool right_scale,
                                 double reference_scale, int zero, bool zeros, QuantizeJudgment& judged) const {
    const CodeFormat& element = scheme.element;
    const std::uint32_t code = quantized.code(scheme, row, column);
    const double value = decode(matrix(row, column));
    if (zeros || (scale == 0 && right_scale &&
                  is_finite(value))) {  // any code that stands for zero; by a scale of 0 any that is finite
      if (code <= element.code_mask() && element.decode(code, zero) * scale == 0) return;
      ++judged.wrong_codes;
      judged.keep({QuantizeMismatchKind::code, row, column, code, element.decode(code, zero), 0, 0, value});
      judged.codes_in_tail += in_tail(block) ? 1 : 0;
      judged.codes_not_finite += is_finite(element.decode(code, zero)) ? 0 : 1;
      judged.codes_without_zero_point += zero != 0 && element.decode(code) == 0 ? 1 : 0;
      return;
    }
    AdmittedValues admitted;
    if (is_finite(scale) && code_is_right(code, value, scale, zero, admitted)) {
      judged.neighbors +=
          !is_nan(value) && element.decode(code, zero) != element.decode(element_code(scheme, value, scale, zero), zero)
              ? 1
              : 0;
      return;
    }
    AdmittedValues by_reference;
    if (!right_scale && code_is_right(code, value, reference_scale, zero, by_reference)) {
      ++judged.codes_of_right_scales;
      return;
    }
    ++judged.wrong_codes;
    const double found = element.decode(code, zero);
    judged.keep({QuantizeMismatchKind::code, row, column, code, found, admitted.lowest, admitted.highest, value});
    judged.codes_in_tail += in_tail(block) ? 1 : 0;
    if (!is_finite(found)) {
      ++judged.codes_not_finite;
      return;
    }
    const double exact = scaled_value(value, scale);
    judged.codes_sign_of_zero += found == 0 && admitted.admit(0) ? 1 : 0;
    judged.codes_tie_away += is_tie_away(found, exact) ? 1 : 0;
    AdmittedValues other;
    judged.codes_without_zero_point += zero != 0 && code_is_right(code, value, scale, 0, other) ? 1 : 0;
    const Index partner = column % 2 == 0 ? column + 1 : column - 1;
    if (scheme.packing != CodePacking::bytes && element.bits == 4 && partner >= block.first_column &&
        partner < block.end_column)
      judged.codes_swapped += code_is_right(code, decode(matrix(row, partner)), scale, zero, other) ? 1 : 0;
  }

  /// Whether `exact` lies in the middle between `found` and a smaller magnitude.
  [[nodiscard]] ASSAY_FUNCTION bool is_tie_away(double found, double exact) const {
    const double even = scheme.element.decode(scheme.element.encode(exact));
    return absolute(found) > absolute(even) && found + even == 2 * exact;
  }
};

/// Judges the padding of tables in tiles: a chunk is a row of the padded table.
struct JudgePadding {
  ConstQuantizedView quantized;
  BlockScaling scheme;

  ASSAY_FUNCTION void operator()(std::size_t index, QuantizeJudgment& judged) const {
    const ScaleLayout& table = quantized.layout.scales;
    const Index row = static_cast<Index>(index);
    for (Index column = row < table.rows ? table.columns : 0; column < table.padded_columns(); ++column) {
      const std::uint32_t code = load_scale(quantized.scales, scheme.scale.bits, table.offset(row, column));
      if (code == 0) continue;
      ++judged.wrong_padding;
      judged.keep({QuantizeMismatchKind::padding, row, column, code, scheme.scale.decode(code), 0, 0, 0});
    }
  }
};

}  // namespace detail

/// Judges what a quantizing kernel made of `matrix`: its scale of the tensor by the values, its scales by the values
/// and its own scale of the tensor, zero points and codes by its own scales, the padding of a table in tiles by zero.
/// What is accepted, `bound.hpp` says. In blocks whose scale is wrong, codes that follow from the right scale are not
/// counted as wrong. O(elements); one thread a chunk of about 4096 elements, or a block. Precondition:
/// `quantized.layout` is that of `lay_out(problem)`.
template <Format Input, ParallelBackend B>
[[nodiscard]] Result<QuantizeJudgment> judge_quantized(B& backend, typename B::Stream& stream,
                                                       const QuantizeProblem& problem,
                                                       const StridedView<const Input, 2>& matrix,
                                                       const ConstQuantizedView& quantized,
                                                       const QuantizeArithmetic& arithmetic) {
  const BlockScaling& scheme = problem.scheme;
  const QuantizeBound bound = QuantizeBound::of(arithmetic);
  const BlockGrid grid = BlockGrid::over(scheme, problem.rows, problem.columns);
  auto extremes = matrix_extremes<Input>(backend, stream, matrix, grid);
  if (!extremes) return extremes.propagate();
  QuantizeJudgment judged;
  if (scheme.tensor_scale == TensorScale::computed && grid.blocks() > 0) {
    float scale = 0;
    if (auto copied = backend.copy_to_host(stream, &scale, quantized.tensor_scale, 1); !copied)
      return copied.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    const BlockExtremes& all = extremes.value().all;
    const AdmittedValues admitted = admitted_tensor_scales(scheme, bound, all.amax);
    const bool right = all.amax == 0 ? is_finite(scale) && scale > 0 : admitted.admit(static_cast<double>(scale));
    if (!right && !(all.special && !is_finite(scale))) {
      ++judged.wrong_tensor_scales;
      judged.keep({QuantizeMismatchKind::tensor_scale, 0, 0, __builtin_bit_cast(std::uint32_t, scale),
                   static_cast<double>(scale), admitted.lowest, admitted.highest, all.amax});
    }
  }
  constexpr Index usual_chunk = 4096;
  const Index per_block = grid.block_rows * grid.block_columns;
  const Index blocks_per_chunk = per_block < usual_chunk ? usual_chunk / per_block : 1;
  const detail::JudgeBlocks<Input> work{matrix,          quantized, scheme, bound, grid, extremes.value().blocks.data(),
                                        blocks_per_chunk};
  auto blocks = parallel_reduce<QuantizeJudgment>(
      backend, stream, static_cast<std::size_t>((grid.blocks() + blocks_per_chunk - 1) / blocks_per_chunk), work);
  if (!blocks) return blocks.propagate();
  judged.join(blocks.value());
  if (scheme.order == ScaleOrder::tiles_128x4 && scheme.rule != ScaleRule::given) {
    auto padding = parallel_reduce<QuantizeJudgment>(
        backend, stream, static_cast<std::size_t>(grid.blocks() > 0 ? quantized.layout.scales.padded_rows() : 0),
        detail::JudgePadding{quantized, scheme});
    if (!padding) return padding.propagate();
    judged.join(padding.value());
  }
  return judged;
}

}  // namespace assay::inline v0
