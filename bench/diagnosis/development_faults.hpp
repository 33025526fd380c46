#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/faults/common_fault.hpp"
#include "joined.hpp"

/// Faults of outputs, inputs, roundings and states on which the diagnosis is developed. The corpus has none of them.
namespace diagnosis_bench {

namespace development {

using namespace assay;

inline constexpr FloatLayout half_layout{5, 10, 15}, brain_layout{8, 7, 127}, tensor_layout{8, 10, 127},
    e4m3_layout{4, 3, 7, SpecialValues::finite_nan};

/// Leaves unwritten what `condition(row, column)` holds for.
template <class Condition>
void leave_cells(const OutputLaunch& launch, Condition condition) {
  launch.leave_where([&](Index e) { return condition(e / launch.columns(), e % launch.columns()); });
}

/// Writes to each element the number `change(value, element)`, where it is another one.
template <class Change>
void change_values(const OutputLaunch& launch, Change change) {
  for (Index e = 0; e < launch.size(); ++e) {
    const double value = launch.output().load(e), changed = change(value, e);
    if (value != changed && !(is_nan(value) && is_nan(changed))) launch.output().store(e, changed);
  }
}

/// The same, by row and column: writes `number`, or `times` the value, where `condition(row, column)` holds.
template <class Condition>
void fill_cells(const OutputLaunch& launch, double number, Condition condition) {
  const Index columns = launch.columns();
  change_values(launch, [&](double value, Index e) { return condition(e / columns, e % columns) ? number : value; });
}
template <class Condition>
void multiply_cells(const OutputLaunch& launch, double times, Condition condition) {
  const Index columns = launch.columns();
  change_values(launch,
                [&](double value, Index e) { return condition(e / columns, e % columns) ? times * value : value; });
}

/// The number of a tile in a matrix of so many columns, row-major.
[[nodiscard]] inline Index tile_number(Index row, Index column, Index columns, Index tile) {
  return row / tile * ((columns + tile - 1) / tile) + column / tile;
}

/// Passes floating-point results through a format where `condition(value, element)` holds.
template <class Condition>
void narrow(const OutputLaunch& launch, const FloatLayout& layout, Condition condition) {
  if (!launch.is_float()) return;
  change_values(launch, [&](double value, Index e) {
    if (!is_finite(value) || !condition(value, e)) return value;
    return decode(layout, encode(layout, value, Rounding::nearest_even, Overflow::saturate));
  });
}

[[nodiscard]] inline std::vector<OutputFault> unwritten_faults() {
  using enum assay::FaultClass;
  return {{{"last_vector_of_rows_unwritten",
            memory,
            "ends its loop over vectors of four one vector before the end of every row",
            {}},
           [](const OutputLaunch& l) {
             leave_cells(l, [&](Index, Index column) { return column >= (l.columns() - 1) / 4 * 4; });
           }},
          {{"last_wave_not_launched", memory, "runs whole waves of six rows only, but at least one", {}},
           [](const OutputLaunch& l) {
             const Index waves = std::max(Index{1}, l.rows() / 6);
             leave_cells(l, [&](Index row, Index) { return row >= waves * 6; });
           }},
          {{"every_third_tile_unwritten", memory, "has a tile scheduler that skips every third tile of 8 x 8", {}},
           [](const OutputLaunch& l) {
             leave_cells(l, [&](Index row, Index column) { return tile_number(row, column, l.columns(), 8) % 3 == 2; });
           }},
          {{"silent_warp_of_block", memory, "has blocks of 128 threads whose third warp does not store", {}},
           [](const OutputLaunch& l) { l.leave_where([](Index e) { return e / 32 % 4 == 2; }); }},
          {{"upper_lanes_masked_off", memory, "stores under a mask of the lower 16 lanes of a warp", {}},
           [](const OutputLaunch& l) { l.leave_where([](Index e) { return e % 32 >= 16; }); }},
          {{"column_block_unwritten", memory, "never stores the second block of 12 columns", {}},
           [](const OutputLaunch& l) { leave_cells(l, [](Index, Index column) { return column / 12 == 1; }); }},
          {{"later_batches_unwritten", memory, "launches a grid for the first index of the outer dimension only", {}},
           [](const OutputLaunch& l) {
             if (l.output().rank > 1) l.leave_where([&](Index e) { return e >= l.size() / l.output().extents[0]; });
           }},
          {{"inverted_edge_predicate",
            memory,
            "stores only the columns beyond a multiple of 8, by an inverted predicate",
            {}},
           [](const OutputLaunch& l) {
             leave_cells(l, [&](Index, Index column) { return column < l.columns() / 8 * 8; });
           }},
          {{"first_of_vector_stored", memory, "stores only the first element of every vector of four", {}},
           [](const OutputLaunch& l) { l.leave_where([](Index e) { return e % 4 != 0; }); }},
          {{"unaligned_head_unwritten",
            memory,
            "does not write what lies before the first aligned vector of four of a row",
            {}},
           [](const OutputLaunch& l) {
             l.leave_where([&](Index e) { return e < (e / l.columns() * l.columns() + 3) / 4 * 4; });
           }},
          {{"half_of_element_stored", memory, "stores only the lower half of the bytes of every seventh element", {}},
           [](const OutputLaunch& l) {
             const std::uint64_t low = (std::uint64_t{1} << (4 * l.output().format.bytes)) - 1;
             for (Index e = 6; l.output().format.bytes > 1 && e < l.size(); e += 7) {
               const std::uint64_t right = l.code(e);
               l.leave(e);
               l.write(e, (l.code(e) & ~low) | (right & low));
             }
           }}};
}

[[nodiscard]] inline std::vector<OutputFault> stray_write_faults() {
  using enum assay::FaultClass;
  return {
      {{"tile_spills_into_next_row",
        memory,
        "stores tiles of 8 columns beyond the end of rows, after the next row was written",
        {}},
       [](const OutputLaunch& l) {
         const Operand& out = l.output();
         if (out.rank < 2 || out.strides[out.rank - 1] != 1) return;
         for (Index row = 0; row + 1 < l.rows(); ++row)
           for (Index beyond = l.columns(); beyond % 8 != 0; ++beyond)
             out.format.store_code(out.data, out.offset_of(row * l.columns()) + beyond, out.format.encode(0));
       }},
      {{"double_width_store_of_last_lane",
        memory,
        "stores the last lane of a warp in twice the width, over what lies behind",
        {}},
       [](const OutputLaunch& l) {
         const Operand& out = l.output();
         for (Index e = 31; e < l.size(); e += 32) out.format.store_code(out.data, out.offset_of(e) + 1, 0);
       }},
      {{"unguarded_last_warp", memory, "has no guard in the last warp, whose idle lanes store behind the output", {}},
       [](const OutputLaunch& l) {
         const Operand& out = l.output();
         const Index end = out.offset_of(l.size() - 1) + 1;
         for (Index idle = 0; (l.size() + idle) % 32 != 0; ++idle) out.format.store_code(out.data, end + idle, 2);
       }},
      {{"halo_stored_before_output",
        memory,
        "stores a halo of up to 16 elements before the beginning of its output",
        {}},
       [](const OutputLaunch& l) {
         const Index halo = 8 / l.output().format.bytes + std::min(l.columns(), Index{8});
         for (Index place = 1; place <= halo; ++place) l.output().format.store_code(l.output().data, -place, l.code(0));
       }},
      {{"input_scaled_in_place", memory, "scales the first row of its first input in place", {}},
       [](const OutputLaunch& l) {
         if (!l.has_input() || !l.input().format.is_float()) return;
         const Index columns = l.input().rank > 0 ? l.input().extents[l.input().rank - 1] : 1;
         for (Index e = 0; e < columns; ++e) l.input().store(e, 0.125 * l.input().load(e));
       }},
      {{"accumulated_onto_leftovers", memory, "adds the odd rows to what an output that nobody cleared held", {}},
       [](const OutputLaunch& l) {
         for (Index e = 0; e < l.size(); ++e) {
           if (e / l.columns() % 2 == 0) continue;
           const double right = l.output().load(e);
           l.leave(e);
           l.output().store(e, l.output().load(e) + right);
         }
       }}};
}

[[nodiscard]] inline std::vector<OutputFault> missing_faults() {
  using enum assay::FaultClass;
  return {
      {{"edge_columns_cleared", missing_work, "writes zeros in the columns beyond a multiple of 12", {}},
       [](const OutputLaunch& l) {
         fill_cells(l, 0, [&](Index, Index column) { return column >= l.columns() / 12 * 12; });
       }},
      {{"middle_tile_cleared",
        missing_work,
        "does not launch the block of the middle tile of 16 x 16 of a cleared output",
        {}},
       [](const OutputLaunch& l) {
         fill_cells(l, 0, [&](Index row, Index column) {
           return row / 16 == l.rows() / 32 && column / 16 == l.columns() / 32;
         });
       }},
      {{"grid_stride_gap", missing_work, "strides one element too far, so that every fifth stays zero", {}},
       [](const OutputLaunch& l) { change_values(l, [](double value, Index e) { return e % 5 == 4 ? 0 : value; }); }},
      {{"diagonal_tiles_skipped", missing_work, "skips tiles of 8 x 8 on the diagonal by a strict comparison", {}},
       [](const OutputLaunch& l) { fill_cells(l, 0, [](Index row, Index column) { return row / 8 == column / 8; }); }},
      {{"rows_left_at_one", missing_work, "leaves every seventh row at the identity of its product", {}},
       [](const OutputLaunch& l) { fill_cells(l, 1, [](Index row, Index) { return row % 7 == 3; }); }},
      {{"maximum_never_updated",
        missing_work,
        "leaves the last lane of every second warp, and the last element, at the initial value of a maximum",
        {}},
       [](const OutputLaunch& l) {
         const double lowest = -l.output().format.max_finite();
         change_values(l, [&](double value, Index e) { return e % 64 == 63 || e + 1 == l.size() ? lowest : value; });
       }},
      {{"split_not_reduced", missing_work, "adds only one of two equal parts of the sums of odd rows", {}},
       [](const OutputLaunch& l) { multiply_cells(l, 0.5, [](Index row, Index) { return row % 2 == 1; }); }},
      {{"last_step_of_edge_tile_lost",
        missing_work,
        "lacks a sixteenth of the terms in the last tile of 8 columns",
        {}},
       [](const OutputLaunch& l) {
         multiply_cells(l, 0.9375, [&](Index, Index column) { return column / 8 == (l.columns() - 1) / 8; });
       }}};
}

[[nodiscard]] inline std::vector<OutputFault> repeated_faults() {
  using enum assay::FaultClass;
  return {{{"tile_accumulated_twice", repeated_work, "accumulates every fourth tile of 8 x 8 twice", {}},
           [](const OutputLaunch& l) {
             multiply_cells(l, 2,
                            [&](Index row, Index column) { return tile_number(row, column, l.columns(), 8) % 4 == 1; });
           }},
          {{"overlapping_column_tiles", repeated_work, "adds tiles of 16 columns that begin every 14 columns", {}},
           [](const OutputLaunch& l) {
             multiply_cells(l, 2, [](Index, Index column) { return column >= 14 && column % 14 < 2; });
           }},
          {{"clamped_threads_add_again",
            repeated_work,
            "clamps idle threads of the last warp to the last element, to which all add",
            {}},
           [](const OutputLaunch& l) {
             const double times = static_cast<double>((l.size() + 31) / 32 * 32 - l.size() + 1);
             change_values(l, [&](double value, Index e) { return e + 1 == l.size() ? times * value : value; });
           }},
          {{"slice_counted_three_times",
            repeated_work,
            "gives three splits the same slice in the first of every six rows",
            {}},
           [](const OutputLaunch& l) { multiply_cells(l, 3, [](Index row, Index) { return row % 6 == 0; }); }},
          {{"scale_applied_twice",
            repeated_work,
            "applies a scale of 1/8 a second time in the epilogue of the first 16 columns",
            {}},
           [](const OutputLaunch& l) { multiply_cells(l, 0.125, [](Index, Index column) { return column < 16; }); }},
          {{"retried_launch_accumulates", repeated_work, "adds everything a second time after a retry", {}},
           [](const OutputLaunch& l) { change_values(l, [](double value, Index) { return 2 * value; }); }}};
}

[[nodiscard]] inline std::vector<OutputFault> precision_faults() {
  using enum assay::FaultClass;
  return {
      {{"odd_rows_through_bfloat16", precision, "stages odd rows in bfloat16", {}},
       [](const OutputLaunch& l) {
         narrow(l, brain_layout, [&](double, Index e) { return e / l.columns() % 2 == 1; });
       }},
      {{"upper_lanes_through_float16", precision, "exchanges results of the upper 16 lanes of a warp in float16", {}},
       [](const OutputLaunch& l) { narrow(l, half_layout, [](double, Index e) { return e % 32 >= 16; }); }},
      {{"results_with_ten_bits", precision, "keeps ten fraction bits of all results, as TF32 does", {}},
       [](const OutputLaunch& l) { narrow(l, tensor_layout, [](double, Index) { return true; }); }},
      {{"large_values_through_bfloat16", precision, "keeps partial results of at least 2 in bfloat16", {}},
       [](const OutputLaunch& l) {
         narrow(l, brain_layout, [](double value, Index) { return value >= 2 || value <= -2; });
       }},
      {{"column_tile_through_e4m3", precision, "passes one of four tiles of 8 columns through e4m3, saturating", {}},
       [](const OutputLaunch& l) {
         narrow(l, e4m3_layout, [&](double, Index e) { return e % l.columns() / 8 % 4 == 0; });
       }},
      {{"low_bits_cut_in_one_lane", precision, "loses the lower half of the fraction in one lane of eight", {}},
       [](const OutputLaunch& l) {
         const std::uint64_t low = (std::uint64_t{1} << ((l.output().format.layout.fraction_bits + 1) / 2)) - 1;
         for (Index e = 6; l.is_float() && e < l.size(); e += 8)
           if (is_finite(l.output().load(e)) && is_finite(l.output().format.decode(l.code(e) & ~low)))
             l.write(e, l.code(e) & ~low);
       }},
      {{"fixed_point_sum", precision, "accumulates in fixed point with eight bits behind the point", {}},
       [](const OutputLaunch& l) {
         if (!l.is_float()) return;
         change_values(l, [](double value, Index) {
           return std::fabs(value) < 0x1p40 ? std::copysign(std::nearbyint(value * 256) / 256, value) : value;
         });
       }}};
}

/// What a permutation of rows and columns reads: `source(row, column)` is an element.
template <class Source>
void permute_cells(const OutputLaunch& launch, Source source) {
  launch.permute([&](Index e) { return source(e / launch.columns(), e % launch.columns()); });
}

[[nodiscard]] inline std::vector<OutputFault> misplaced_faults() {
  using enum assay::FaultClass;
  return {
      {{"swizzle_not_undone",
        addressing,
        "stores vectors of two columns where the swizzle of shared memory put them",
        {}},
       [](const OutputLaunch& l) {
         permute_cells(l, [&](Index row, Index column) {
           const Index swizzled = column ^ (row % 4 * 2);
           return row * l.columns() + (swizzled < l.columns() ? swizzled : column);
         });
       }},
      {{"staging_pitch_mismatch",
        addressing,
        "reads rows without padding from a staging buffer that has a padding column",
        {}},
       [](const OutputLaunch& l) {
         const Index pitch = l.columns() + 1;
         l.permute([&](Index e) { return e / pitch * l.columns() + std::min(e % pitch, l.columns() - 1); });
       }},
      {{"mirrored_tiles", addressing, "stores whole tiles of 6 columns from right to left", {}},
       [](const OutputLaunch& l) {
         permute_cells(l, [&](Index row, Index column) {
           const Index left = column / 6 * 6;
           return row * l.columns() + (left + 6 > l.columns() ? column : left + 5 - column % 6);
         });
       }},
      {{"fragment_rows_exchanged", addressing, "exchanges rows that lie two apart, as fragments hold them", {}},
       [](const OutputLaunch& l) {
         permute_cells(
             l, [&](Index row, Index column) { return ((row ^ 2) < l.rows() ? row ^ 2 : row) * l.columns() + column; });
       }},
      {{"previous_tile_stored",
        addressing,
        "stores in each tile of 16 columns but the first the results of the one before",
        {}},
       [](const OutputLaunch& l) {
         permute_cells(l, [&](Index r, Index c) { return r * l.columns() + (c < 16 ? c : c - 16); });
       }},
      {{"wrong_head", addressing, "writes each head as if two of them shared one", {}},
       [](const OutputLaunch& l) {
         if (l.output().rank < 3) return;
         const Index heads = l.output().extents[1], slice = l.size() / l.output().extents[0] / heads;
         l.permute([&](Index e) { return e + (e / slice % heads / 2 - e / slice % heads) * slice; });
       }},
      {{"column_major_store", addressing, "stores the whole output column by column", {}},
       [](const OutputLaunch& l) { l.permute([&](Index e) { return e % l.rows() * l.columns() + e / l.rows(); }); }},
      {{"edge_column_of_next_row", addressing, "stores in the last column the result of the next row", {}},
       [](const OutputLaunch& l) {
         permute_cells(
             l, [&](Index r, Index c) { return (c + 1 < l.columns() ? r : (r + 1) % l.rows()) * l.columns() + c; });
       }}};
}

[[nodiscard]] inline std::vector<OutputFault> special_faults() {
  using enum assay::FaultClass;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{{"sign_of_infinity_lost", special_value, "writes infinity where minus infinity is due", {}},
           [](const OutputLaunch& l) {
             l.each_float([](double value, const ElementFormat&) { return value == -infinity ? infinity : value; });
           }},
          {{"overflow_too_early", special_value, "overflows to infinity from half the largest number on", {}},
           [](const OutputLaunch& l) {
             l.each_float([](double value, const ElementFormat& format) {
               return std::fabs(value) > format.max_finite() / 2 ? std::copysign(infinity, value) : value;
             });
           }},
          {{"nan_lost_in_maximum",
            special_value,
            "writes the lowest number where NaN is due, as a maximum that skips NaN",
            {}},
           [](const OutputLaunch& l) {
             l.each_float([](double value, const ElementFormat& format) {
               return is_nan(value) ? -format.max_finite() : value;
             });
           }}};
}

}  // namespace development

[[nodiscard]] inline std::vector<assay::OutputFault> development_output_faults() {
  using namespace development;
  return joined<OutputFault>(unwritten_faults(), stray_write_faults(), missing_faults(), repeated_faults(),
                             precision_faults(), misplaced_faults(), special_faults());
}

[[nodiscard]] inline std::vector<assay::InputFault> development_input_faults() {
  using namespace development;
  using enum assay::FaultClass;
  return {
      {{"input_tile_too_far", addressing, "reads an input four rows too far on, as far as it has them", {}},
       [](const InputRead& in, Index e) {
         return in.code(e + 4 * in.columns() < in.input.size() ? e + 4 * in.columns() : e);
       }},
      {{"input_vectors_reversed", addressing, "reads vectors of four of an input from back to front", {}},
       [](const InputRead& in, Index e) { return in.code((e | 3) < in.input.size() ? e ^ 3 : e); }},
      {{"input_halo_before_row",
        memory,
        "reads the first column of an input one element too early, before its beginning, too",
        {}},
       [](const InputRead& in, Index e) {
         return in.code_at(in.input.offset_of(e) - (e % in.columns() == 0 ? 1 : 0));
       }},
      {{"input_tile_not_loaded", missing_work, "takes every third tile of 8 x 8 of an input for zero", {}},
       [](const InputRead& in, Index e) {
         const Index tile = tile_number(e / in.columns(), e % in.columns(), in.columns(), 8);
         return tile % 3 == 1 ? in.input.format.encode(0) : in.code(e);
       }},
      {{"last_input_row_not_read", missing_work, "ends its loop before the last row of an input", {}},
       [](const InputRead& in, Index e) {
         return e + in.columns() >= in.input.size() ? in.input.format.encode(0) : in.code(e);
       }},
      {{"boundary_term_counted_twice",
        repeated_work,
        "counts the last column of every 16 of an input, and of a row, twice",
        {}},
       [](const InputRead& in, Index e) {
         const bool twice = e % in.columns() % 16 == 15 || (e + 1) % in.columns() == 0;
         return twice ? in.input.format.encode(2 * in.input.load(e)) : in.code(e);
       }},
      {{"input_tail_in_e4m3", precision, "reads the last quarter of an input from a copy in e4m3", {}},
       [](const InputRead& in, Index e) {
         const double value = in.input.load(e);
         if (4 * e < 3 * in.input.size() || !assay::is_finite(value)) return in.code(e);
         return in.input.format.encode(
             decode(e4m3_layout, encode(e4m3_layout, value, Rounding::nearest_even, assay::Overflow::saturate)));
       }},
      {{"infinity_read_as_largest", special_value, "reads an infinity as the largest number", {}},
       [](const InputRead& in, Index e) {
         const double value = in.input.load(e), most = in.input.format.max_finite();
         return std::isinf(value) ? in.input.format.encode(std::copysign(most, value)) : in.code(e);
       }},
      {{"input_stage_overwritten",
        state,
        "loads the next stage of 64 elements into the end of one that is still read",
        {}},
       [](const InputRead& in, Index e) { return in.code(e % 64 >= 48 && e + 64 < in.input.size() ? e + 64 : e); }}};
}

[[nodiscard]] inline std::vector<assay::RoundingFault> development_rounding_faults() {
  using namespace development;
  using enum assay::FaultClass;
  return {
      {{"rounded_upward", rounding, "rounds results toward positive infinity", {}},
       [](double value, const ElementFormat& format, Index) {
         return format.encode(value, Rounding::toward_positive);
       }},
      {{"ties_away_from_zero", rounding, "rounds ties away from zero instead of to even", {}},
       [](double value, const ElementFormat& format, Index) { return format.encode(value, Rounding::nearest_away); }},
      {{"high_half_of_pairs_cut", rounding, "cuts the second result of every packed pair off", {}},
       [](double value, const ElementFormat& format, Index e) {
         return format.encode(value, e % 2 == 1 ? Rounding::toward_zero : Rounding::nearest_even);
       }},
      {{"rounded_to_odd", rounding, "rounds inexact results to odd, as is right for intermediate ones only", {}},
       [](double value, const ElementFormat& format, Index) {
         const std::uint64_t cut = format.encode(value, Rounding::toward_zero);
         const double number = format.decode(cut);
         return !is_finite(value) || number == value || number == 0 || std::fabs(value) >= format.max_finite()
                    ? format.encode(value)
                    : cut | 1;
       }}};
}

[[nodiscard]] inline std::vector<assay::StateFault> development_state_faults() {
  using namespace development;
  using enum assay::FaultClass;
  return {
      {{"stale_double_buffer",
        state,
        "returns half of its blocks of 48 from the launch before, the others the next time",
        {}},
       [](const LaunchHistory& history, const OutputLaunch& l) {
         for (Index e = 0; e < history.common(l); ++e)
           if (e / 48 % 2 == static_cast<Index>(history.launches % 2))
             l.write(e, history.codes[static_cast<std::size_t>(e)]);
       }},
      {{"tickets_not_reset",
        state,
        "never finds its last block again after the first launch, whose eighth of the output stays",
        {}},
       [](const LaunchHistory& history, const OutputLaunch& l) {
         if (history.launches > 0) l.leave_where([&](Index e) { return e >= l.size() - (l.size() + 7) / 8; });
       },
       2},
      {{"running_maximum_not_reset", state, "returns the larger of this result and that of the launch before", {}},
       [](const LaunchHistory& history, const OutputLaunch& l) {
         for (Index e = 0; e < history.common(l); ++e) {
           const std::uint64_t former = history.codes[static_cast<std::size_t>(e)];
           if (history.format.decode(former) > l.output().load(e)) l.write(e, former);
         }
       }},
      {{"store_not_awaited", state, "returns before a vector of four somewhere is stored, in one launch of four", {}},
       [](const LaunchHistory& history, const OutputLaunch& l) {
         const auto vectors = static_cast<std::uint64_t>((l.size() + 3) / 4);
         const auto late = static_cast<Index>(history.random() / 4 % vectors);
         if (history.random() % 4 == 0) l.leave_where([&](Index e) { return e / 4 == late; });
       },
       17},
      {{"lost_updates", state, "loses a quarter of the sum of one element in 16, another one each time", {}},
       [](const LaunchHistory& history, const OutputLaunch& l) {
         change_values(l, [&](double value, Index e) {
           return assay::detail::splitmix64_finalize(history.random() ^ static_cast<std::uint64_t>(e)) % 16 == 0
                      ? 0.75 * value
                      : value;
         });
       }},
      {{"scale_drifts", state, "carries a running scale over, which grows by a thirty-second with every launch", {}},
       [](const LaunchHistory& history, const OutputLaunch& l) {
         const double scale = 1 + 0x1p-5 * static_cast<double>(std::min<std::uint64_t>(history.launches, 64));
         change_values(l, [&](double value, Index) { return scale * value; });
       },
       2}};
}

}  // namespace diagnosis_bench
