#pragma once

#include "assay/faults/output_faults.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Leaves the columns, or rows, of the last tile unwritten where it is not whole. An output within one tile is right.
template <Index tile>
void leave_column_edge(const OutputLaunch& launch) {
  const Index whole = launch.columns() / tile * tile;
  if (whole > 0) launch.leave_where([&](Index e) { return e % launch.columns() >= whole; });
}

template <Index tile>
void leave_row_edge(const OutputLaunch& launch) {
  const Index whole = launch.rows() / tile * tile;
  if (whole > 0) launch.leave_where([&](Index e) { return e / launch.columns() >= whole; });
}

/// The largest power of two below n: what a counter holds that is one bit too short for n elements.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Index short_counter(Index n) {
  Index power = 1;
  while (2 * power < n) power *= 2;
  return power;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<OutputFault> edge_faults() {
  using enum FaultClass;
  return {
      {{"unwritten_tail", memory, "leaves the last sixteenth of its first output unwritten", {}},
       [](const OutputLaunch& launch) {
         launch.leave_where([&](Index e) { return e >= launch.size() - (launch.size() + 15) / 16; });
       }},
      {{"column_edge_of_8", memory, "does not write the columns beyond a multiple of 8", {}}, &leave_column_edge<8>},
      {{"column_edge_of_16", memory, "does not write the columns beyond a multiple of 16", {}}, &leave_column_edge<16>},
      {{"column_edge_of_32", memory, "does not write the columns beyond a multiple of 32", {}}, &leave_column_edge<32>},
      {{"row_edge_of_4", memory, "does not write the rows beyond a multiple of 4", {}}, &leave_row_edge<4>},
      {{"row_edge_of_16", memory, "does not write the rows beyond a multiple of 16", {}}, &leave_row_edge<16>},
      {{"second_half_not_awaited", state, "returns before the second half of its first output is written", {}},
       [](const OutputLaunch& launch) { launch.leave_where([&](Index e) { return 2 * e >= launch.size(); }); }},
      {{"row_overrun", memory, "writes whole vectors of four elements, beyond rows that are no multiple of them", {}},
       [](const OutputLaunch& launch) {
         const Operand& output = launch.output();
         if (output.rank < 2 || output.strides[output.rank - 2] < (launch.columns() + 3) / 4 * 4) return;
         for (Index row = 0; row + 1 < launch.rows(); ++row)
           for (Index beyond = launch.columns(); beyond % 4 != 0; ++beyond)
             output.format.store_code(output.data, output.offset_of(row * launch.columns()) + beyond, 0);
       }},
      {{"overrun", memory, "writes one element behind the end of its first output", {}},
       [](const OutputLaunch& launch) {
         const Operand& output = launch.output();
         output.format.store_code(output.data, output.offset_of(launch.size() - 1) + 1 + (8 / output.format.bytes), 0);
       }},
      {{"extra_element",
        memory,
        "computes one element too many: behind its first output it writes what it read behind its first input",
        {}},
       [](const OutputLaunch& launch) {
         if (!launch.has_input()) return;
         const Operand &input = launch.input(), &output = launch.output();
         const Index read = input.offset_of(input.size() - 1) + 1, written = output.offset_of(launch.size() - 1) + 1;
         output.format.store_code(output.data, written,
                                  input.format == output.format
                                      ? input.format.load_code(input.data, read)
                                      : output.format.encode(input.format.load(input.data, read)));
       }},
      {{"underrun", memory, "writes one element before the beginning of its first output", {}},
       [](const OutputLaunch& launch) {
         launch.output().format.store_code(launch.output().data, -1 - 8 / launch.output().format.bytes, 0);
       }},
      {{"input_overwritten", memory, "changes an element of its first input", {}}, [](const OutputLaunch& launch) {
         if (!launch.has_input()) return;
         const Operand& input = launch.input();
         input.format.store_code(input.data, input.offset_of(0),
                                 input.format.load_code(input.data, input.offset_of(0)) ^ 1);
       }}};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<OutputFault> address_faults() {
  using enum FaultClass;
  return {
      {{"first_slice", addressing, "gives the second half of the outer dimension the results of its beginning", {}},
       [](const OutputLaunch& launch) {
         const Index slices = launch.output().rank > 0 ? launch.output().extents[0] : 1, slice = launch.size() / slices,
                     from = (slices + 1) / 2 * slice;
         launch.permute([&](Index e) { return e >= from ? e - from : e; });
       }},
      {{"first_row_for_all", addressing, "gives every row the results of the first one", {}},
       [](const OutputLaunch& launch) { launch.permute([&](Index e) { return e % launch.columns(); }); }},
      {{"shifted_output", addressing, "writes every row one element too far to the left, round about", {}},
       [](const OutputLaunch& launch) {
         launch.permute([&](Index e) { return e / launch.columns() * launch.columns() + (e + 1) % launch.columns(); });
       }},
      {{"lanes_exchanged", addressing, "exchanges neighbors, as a wrong layout of fragments does", {}},
       [](const OutputLaunch& launch) { launch.permute([&](Index e) { return std::min(e ^ 1, launch.size() - 1); }); }},
      {{"tiles_transposed", addressing, "writes whole tiles of 4 x 4 elements transposed", {}},
       [](const OutputLaunch& launch) {
         const Index columns = launch.columns(), rows = launch.rows();
         launch.permute([&](Index e) {
           const Index row = e / columns, column = e % columns, top = row / 4 * 4, left = column / 4 * 4;
           return top + 4 > rows || left + 4 > columns ? e : (top + column % 4) * columns + left + row % 4;
         });
       }},
      {{"counter_wraps", addressing, "counts elements with one bit too few: the last results overwrite the first", {}},
       [](const OutputLaunch& launch) {
         const Index reach = short_counter(launch.size());
         launch.permute([&](Index e) { return e >= reach ? Index{-1} : e + reach < launch.size() ? e + reach : e; });
       }},
      {{"ignored_strides", memory, "writes its first output as if its rows had no gaps between them", {}},
       [](const OutputLaunch& launch) {
         const Operand& output = launch.output();
         if (output.rank < 2 || output.strides[output.rank - 2] <= launch.columns()) return;
         const std::vector<std::uint64_t> right = launch.codes();
         for (Index e = 0; e < launch.size(); ++e)
           output.format.store_code(output.data, e, right[static_cast<std::size_t>(e)]);
       }}};
}

/// The operators by which tests of GPU programs are graded, as far as they show in outputs: Zhu and Zaidman, "Massively
/// Parallel, Highly Efficient, but What About the Test Suite Quality? Applying Mutation Testing to GPU Programs", ICST
/// 2020. The removed barrier, shared memory and atomic are GEMM's own faults.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<OutputFault> launch_faults() {
  using enum FaultClass;
  return {
      {{"grid_and_block_exchanged",
        memory,
        "exchanges the extents of its launch: only rows as many as columns, and columns as many as rows, are computed",
        {}},
       [](const OutputLaunch& launch) {
         launch.leave_where([&](Index e) {
           return e / launch.columns() >= launch.columns() || e % launch.columns() >= launch.rows();
         });
       }},
      {{"one_block_too_few", memory, "launches one block of 64 threads too few", {}},
       [](const OutputLaunch& launch) {
         launch.leave_where([&](Index e) { return e >= (launch.size() - 1) / thread_block * thread_block; });
       }},
      {{"one_block_too_many", memory, "launches one block too many, whose first thread writes behind the output", {}},
       [](const OutputLaunch& launch) {
         launch.output().format.store_code(
             launch.output().data, launch.output().offset_of(launch.size() - 1) + 1 + 8 / launch.output().format.bytes,
             1);
       }},
      {{"block_index_for_thread_index", addressing, "takes the index of the block for that of the thread", {}},
       [](const OutputLaunch& launch) { launch.leave_where([](Index e) { return e % (thread_block + 1) != 0; }); }},
      {{"index_plus_one", addressing, "writes every result one place too far", {}},
       [](const OutputLaunch& launch) { launch.permute([](Index e) { return e - 1; }); }},
      {{"index_minus_one", addressing, "writes every result one place too early", {}}, [](const OutputLaunch& launch) {
         launch.permute([&](Index e) { return e + 1 < launch.size() ? e + 1 : -1; });
       }}};
}

/// Silent corruption as devices in service show it: several bits, in periods of lanes and warps.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<OutputFault> hardware_faults() {
  using enum FaultClass;
  return {
      {{"flipped_bit", state, "flips the second highest fraction bit of one element", {}},
       [](const OutputLaunch& launch) {
         launch.write(launch.size() / 2, launch.code(launch.size() / 2) ^ launch.fraction_bit(1));
       }},
      {{"flipped_bits_of_warps", state, "flips three bits of the first lane of every warp", {}},
       [](const OutputLaunch& launch) {
         for (Index e = 0; e < launch.size(); e += warp)
           launch.write(e, launch.code(e) ^ launch.fraction_bit(0) ^ launch.fraction_bit(2) ^ launch.fraction_bit(3));
       }},
      {{"burst", state, "flips two bits of eight elements beside each other", {}},
       [](const OutputLaunch& launch) {
         for (Index e = launch.size() / 3; e < std::min(launch.size(), launch.size() / 3 + 8); ++e)
           launch.write(e, launch.code(e) ^ launch.fraction_bit(0) ^ launch.fraction_bit(1));
       }},
      {{"stuck_bit_of_lane", state, "has a fraction bit that is always 1 in one lane of 32", {}},
       [](const OutputLaunch& launch) {
         for (Index e = 5; e < launch.size(); e += warp) launch.write(e, launch.code(e) | launch.fraction_bit(1));
       }},
      {{"stuck_bit_of_register", state, "has a fraction bit that is always 0 in one register of eight", {}},
       [](const OutputLaunch& launch) {
         for (Index e = 3; e < launch.size(); e += 8) launch.write(e, launch.code(e) & ~launch.fraction_bit(1));
       }},
      {{"wrong_lane", state, "has one lane of 32 that returns its neighbor's results", {}},
       [](const OutputLaunch& launch) { launch.permute([](Index e) { return e % warp == 9 ? e - 1 : e; }); }},
      {{"wrong_warp", state, "has one warp of eight that returns the results of the one before it", {}},
       [](const OutputLaunch& launch) { launch.permute([](Index e) { return e / warp % 8 == 1 ? e - warp : e; }); }},
      {{"wrong_multiprocessor",
        state,
        "has one multiprocessor of four whose results are off in the middle of the fraction",
        {}},
       [](const OutputLaunch& launch) {
         const std::uint64_t bit =
             launch.is_float() ? launch.fraction_bit(launch.output().format.layout.fraction_bits / 2) : 1;
         for (Index e = 0; e < launch.size(); ++e)
           if (e / thread_block % 4 == 0) launch.write(e, launch.code(e) ^ bit);
       }}};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OutputFault> value_faults() {
  using enum FaultClass;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {
      {{"zero_output", missing_work, "writes zeros", {}},
       [](const OutputLaunch& launch) {
         launch.each_written([](const Operand& operand, Index e) { operand.store(e, 0); });
       }},
      {{"swallowed_nan", special_value, "writes 0 where NaN is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat&) { return is_nan(value) ? 0.0 : value; });
       }},
      {{"swallowed_infinity", special_value, "writes the largest number where an infinity is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat& format) {
           return is_finite(value) || is_nan(value) ? value : value > 0 ? format.max_finite() : -format.max_finite();
         });
       }},
      {{"invented_nan", special_value, "writes NaN where an infinity is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat&) { return is_finite(value) ? value : nan; });
       }},
      {{"nan_for_zero", special_value, "writes NaN where zero is due, as zero divided by zero", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat&) { return is_zero(value) ? nan : value; });
       }},
      {{"negative_zero", special_value, "writes -0 where 0 is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat&) { return is_zero(value) ? -0.0 : value; });
       }},
      {{"flushed_output", special_value, "writes 0 where a subnormal number is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat& format) {
           return is_finite(value) && !is_zero(value) && exponent_of(value) < format.layout.min_exponent() ? 0.0
                                                                                                           : value;
         });
       }}};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const std::vector<OutputFault>& output_faults() {
  static const std::vector<OutputFault> all = [] {
    std::vector<OutputFault> faults;
    for (const auto& group : {detail::value_faults(), detail::edge_faults(), detail::address_faults(),
                              detail::launch_faults(), detail::hardware_faults()})
      faults.insert(faults.end(), group.begin(), group.end());
    return faults;
  }();
  return all;
}

}  // namespace assay::inline v0
