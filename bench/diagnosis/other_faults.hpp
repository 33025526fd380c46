#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/faults/input_faults.hpp"
#include "assay/faults/output_faults.hpp"
#include "assay/faults/output_launch.hpp"
#include "assay/faults/rounding_faults.hpp"
#include "assay/faults/state_faults.hpp"
#include "assay/suite/seed.hpp"
#include "joined.hpp"

namespace diagnosis_bench {

namespace other {

/// Elements of what a loop over rows goes through: a row, or an element where there is a single row.
[[nodiscard]] inline assay::Index line_length(const assay::OutputLaunch& launch) {
  return launch.rows() > 1 ? launch.columns() : 1;
}
/// How many of them there are.
[[nodiscard]] inline assay::Index lines(const assay::OutputLaunch& launch) {
  return launch.size() / line_length(launch);
}
/// Elements that a vector of the output's has: its columns, or all elements where there is a single column.
[[nodiscard]] inline assay::Index vector_length(const assay::OutputLaunch& launch) {
  return launch.columns() > 1 ? launch.columns() : launch.size();
}
/// The highest bit of the output's codes.
[[nodiscard]] inline std::uint64_t highest_bit(const assay::ElementFormat& format) {
  const int bits = format.is_float() ? format.layout.bits() : format.wide_integer ? 64 : format.integers.bits;
  return std::uint64_t{1} << (bits - 1);
}
/// Whether an element is drawn in this launch, with a chance of one in `period`.
[[nodiscard]] inline bool drawn(const assay::LaunchHistory& history, assay::Index element, std::uint64_t period) {
  return assay::detail::splitmix64_finalize(history.random() + static_cast<std::uint64_t>(element)) % period == 0;
}

[[nodiscard]] inline std::vector<assay::OutputFault> order_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {
      {{"halves_swapped", addressing, "exchanges the two halves of every row", {}},
       [](const OutputLaunch& launch) {
         const Index length = vector_length(launch), half = length / 2;
         launch.permute([&](Index e) {
           const Index place = e % length;
           return place < half ? e + half : place < 2 * half ? e - half : e;
         });
       }},
      {{"rows_deinterleaved",
        addressing,
        "writes the even elements of a row before the odd ones, as an unpacking never undone",
        {}},
       [](const OutputLaunch& launch) {
         const Index length = vector_length(launch), even = (length + 1) / 2;
         launch.permute([&](Index e) {
           const Index place = e % length;
           return e - place + (place < even ? 2 * place : 2 * (place - even) + 1);
         });
       }},
      {{"bit_reversed_eights",
        addressing,
        "writes every eight elements in bit-reversed order, as butterflies leave them",
        {}},
       [](const OutputLaunch& launch) {
         launch.permute([&](Index e) {
           const Index begin = e / 8 * 8, place = e % 8;
           return begin + 8 > launch.size() ? e : begin + place % 2 * 4 + place / 2 % 2 * 2 + place / 4;
         });
       }},
      {{"column_major_output", addressing, "writes its first output column after column", {}},
       [](const OutputLaunch& launch) {
         launch.permute([&](Index e) { return e % launch.rows() * launch.columns() + e / launch.rows(); });
       }},
      {{"swizzle_not_undone", addressing, "leaves groups of four columns where a swizzle by the row has put them", {}},
       [](const OutputLaunch& launch) {
         const Index columns = launch.columns();
         launch.permute([&](Index e) {
           const Index row = e / columns, column = e % columns, source = (column / 4 ^ row % 4) * 4 + column % 4;
           return source < columns ? row * columns + source : e;
         });
       }},
      {{"clamped_too_early",
        addressing,
        "gives the last quarter of its rows the results of the row with which it begins",
        {}},
       [](const OutputLaunch& launch) {
         const Index length = line_length(launch), last = lines(launch) * 3 / 4;
         launch.permute([&](Index e) { return std::min(e / length, last) * length + e % length; });
       }},
      {{"rows_in_pairs", addressing, "gives every odd row the results of the row before it", {}},
       [](const OutputLaunch& launch) {
         const Index length = line_length(launch);
         launch.permute([&](Index e) { return e / length % 2 == 1 ? e - length : e; });
       }},
      {{"padding_of_shared_memory", addressing, "takes the distance between rows for one element more than it is", {}},
       [](const OutputLaunch& launch) {
         const Index columns = launch.columns(), padded = columns + 1;
         launch.permute([&](Index e) { return e % padded < columns ? e / padded * columns + e % padded : Index{-1}; });
       }},
      {{"unrolled_without_advance",
        addressing,
        "writes the results of four columns again in the four columns behind them",
        {}},
       [](const OutputLaunch& launch) {
         const Index length = vector_length(launch);
         launch.permute([&](Index e) { return e % length % 8 >= 4 ? e - 4 : e; });
       }}};
}

[[nodiscard]] inline std::vector<assay::OutputFault> hole_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {
      {{"first_row_unwritten", memory, "leaves the first row of its first output unwritten", {}},
       [](const OutputLaunch& launch) { launch.leave_where([&](Index e) { return e < line_length(launch); }); }},
      {{"last_column_unwritten", memory, "leaves the last column of its first output unwritten", {}},
       [](const OutputLaunch& launch) {
         const Index length = vector_length(launch);
         launch.leave_where([&](Index e) { return e % length == length - 1; });
       }},
      {{"odd_elements_unwritten", memory, "stores the lower element of every pair only", {}},
       [](const OutputLaunch& launch) { launch.leave_where([](Index e) { return e % 2 == 1; }); }},
      {{"every_second_row_unwritten", memory, "goes on by two rows at a time, and leaves those between unwritten", {}},
       [](const OutputLaunch& launch) {
         const Index length = line_length(launch);
         launch.leave_where([&](Index e) { return e / length % 2 == 1; });
       }},
      {{"hole_in_the_middle", memory, "leaves a rectangle in the middle of its first output unwritten", {}},
       [](const OutputLaunch& launch) {
         const Index rows = launch.rows(), columns = launch.columns();
         launch.leave_where([&](Index e) {
           const Index row = e / columns, column = e % columns;
           return row >= rows / 3 && row <= rows * 2 / 3 && column >= columns / 3 && column <= columns * 2 / 3;
         });
       }},
      {{"checkerboard_unwritten", memory, "writes only every second tile of 4 x 4 elements, as on a checkerboard", {}},
       [](const OutputLaunch& launch) {
         const Index columns = launch.columns();
         launch.leave_where([&](Index e) { return (e / columns / 4 + e % columns / 4) % 2 == 1; });
       }},
      {{"upper_triangle_unwritten",
        memory,
        "leaves what is above the diagonal of its first output's matrices unwritten",
        {}},
       [](const OutputLaunch& launch) {
         const Operand& output = launch.output();
         if (output.rank < 2) return;
         const Index columns = launch.columns(), height = output.extents[output.rank - 2];
         launch.leave_where([&](Index e) { return e % columns > e / columns % height; });
       }},
      {{"scratch_in_input", memory, "takes the last eight elements of its first input for scratch memory", {}},
       [](const OutputLaunch& launch) {
         if (!launch.has_input()) return;
         const Operand& input = launch.input();
         const Index count = std::min({Index{8}, input.size(), launch.size()});
         for (Index e = 0; e < count; ++e) input.store(input.size() - count + e, launch.output().load(e));
       }}};
}

[[nodiscard]] inline std::vector<assay::OutputFault> machine_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {
      {{"stuck_sign_of_lane", state, "has a sign bit that is always 1 in one lane of 16", {}},
       [](const OutputLaunch& launch) {
         for (Index e = 3; e < launch.size(); e += 16)
           launch.write(e, launch.code(e) | highest_bit(launch.output().format));
       }},
      {{"stuck_exponent_of_register", state, "has a lowest exponent bit that is always 0 in one register of eight", {}},
       [](const OutputLaunch& launch) {
         const std::uint64_t bit =
             launch.is_float() ? std::uint64_t{1} << launch.output().format.layout.fraction_bits : 1;
         for (Index e = 6; e < launch.size(); e += 8) launch.write(e, launch.code(e) & ~bit);
       }},
      {{"dead_lane", state, "has one lane of 32 that writes zeros", {}}, [](const OutputLaunch& launch) {
         for (Index e = 2; e < launch.size(); e += 32) launch.output().store(e, 0);
       }}};
}

[[nodiscard]] inline std::vector<assay::OutputFault> value_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {
      {{"nan_of_neighbor",
        special_value,
        "masks by multiplying with 0, so that a NaN spoils the other element of its pair",
        {}},
       [](const OutputLaunch& launch) {
         if (!launch.is_float()) return;
         for (Index e = 0; e + 1 < launch.size(); e += 2) {
           if (is_nan(launch.output().load(e)))
             launch.write(e + 1, launch.code(e));
           else if (is_nan(launch.output().load(e + 1)))
             launch.write(e, launch.code(e + 1));
         }
       }},
      {{"negative_zero_lost", special_value, "writes 0 where -0 is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat&) { return is_zero(value) ? 0.0 : value; });
       }},
      {{"doubled_subnormal", special_value, "writes subnormal numbers twice as large as is due", {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat& format) {
           return is_finite(value) && !is_zero(value) && exponent_of(value) < format.layout.min_exponent() ? 2 * value
                                                                                                           : value;
         });
       }},
      {{"nan_lost_in_maximum",
        special_value,
        "writes minus infinity where NaN is due, as a maximum that passes over NaN",
        {}},
       [](const OutputLaunch& launch) {
         launch.each_float([](double value, const ElementFormat&) {
           return is_nan(value) ? -std::numeric_limits<double>::infinity() : value;
         });
       }},
      {{"zeros_in_every_fourth_row", missing_work, "has one block of four that gives up early: its rows are zero", {}},
       [](const OutputLaunch& launch) {
         const Index length = line_length(launch);
         for (Index e = 0; e < launch.size(); ++e)
           if (e / length % 4 == 1) launch.output().store(e, 0);
       }},
      {{"shares_overlap",
        repeated_work,
        "shares its rows among three blocks, and adds the first row of a share twice",
        {}},
       [](const OutputLaunch& launch) {
         const Index length = line_length(launch), share = (lines(launch) + 2) / 3;
         for (Index e = share * length; e < launch.size(); ++e)
           if (e / length % share == 0) launch.output().store(e, 2 * launch.output().load(e));
       }},
      {{"narrow_second_half",
        precision,
        "computes the second half of its outputs with four bits of the fraction fewer",
        {}},
       [](const OutputLaunch& launch) {
         launch.each_written([](const Operand& operand, Index e) {
           if (!operand.format.is_float() || operand.format.layout.fraction_bits < 6 || 2 * e < operand.size()) return;
           const double value = operand.load(e);
           FloatLayout narrow = operand.format.layout;
           narrow.fraction_bits -= 4;
           if (is_finite(value)) operand.store(e, decode(narrow, encode(narrow, value)));
         });
       }}};
}

}  // namespace other

/// Faults of outputs that nothing was fitted to.
[[nodiscard]] inline std::vector<assay::OutputFault> other_output_faults() {
  return joined<assay::OutputFault>(other::order_faults(), other::hole_faults(), other::machine_faults(),
                                    other::value_faults());
}

/// The same of how an input is read.
[[nodiscard]] inline std::vector<assay::InputFault> other_input_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {
      {{"input_row_reversed", addressing, "reads every row of an input from its end to its beginning", {}},
       [](const InputRead& in, Index e) { return in.code(e + in.columns() - 1 - 2 * (e % in.columns())); }},
      {{"input_taken_for_column_major", addressing, "reads an input as if its columns lay one behind the other", {}},
       [](const InputRead& in, Index e) {
         const Index rows = in.input.size() / in.columns();
         return in.code(e % in.columns() * rows + e / in.columns());
       }},
      {{"infinity_read_as_largest", special_value, "reads infinities as the largest number", {}},
       [](const InputRead& in, Index e) {
         const double value = in.input.load(e), largest = in.input.format.max_finite();
         return is_finite(value) || is_nan(value) ? in.code(e) : in.input.format.encode(value > 0 ? largest : -largest);
       }},
      {{"input_from_second_column",
        missing_work,
        "begins with the second column of an input: the first one counts as zero",
        {}},
       [](const InputRead& in, Index e) { return e % in.columns() == 0 ? in.input.format.encode(0) : in.code(e); }},
      {{"input_every_second_group", missing_work, "passes over every second group of four columns of an input", {}},
       [](const InputRead& in, Index e) {
         return e % in.columns() / 4 % 2 == 1 ? in.input.format.encode(0) : in.code(e);
       }},
      {{"middle_column_counted_twice", repeated_work, "counts the middle column of an input in both of two loops", {}},
       [](const InputRead& in, Index e) {
         return e % in.columns() == in.columns() / 2 ? in.input.format.encode(2 * in.input.load(e)) : in.code(e);
       }},
      {{"half_of_the_fraction",
        precision,
        "reads every fourth element of an input without the lower half of its fraction",
        {}},
       [](const InputRead& in, Index e) {
         const std::uint64_t lower = (std::uint64_t{1} << in.input.format.layout.fraction_bits / 2) - 1;
         return e % 4 == 0 && is_finite(in.input.load(e)) ? in.code(e) & ~lower : in.code(e);
       }}};
}

/// The same of what depends on the launches before, or on chance.
[[nodiscard]] inline std::vector<assay::StateFault> other_state_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {{{"last_warp_late",
            state,
            "has a last warp of 32 threads that still returns what was due in the launch before",
            {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             for (Index e = (launch.size() - 1) / 32 * 32; e < history.common(launch); ++e)
               launch.write(e, history.codes[static_cast<std::size_t>(e)]);
           }},
          {{"column_block_not_cleared",
            state,
            "adds to eight columns in the middle what they held after the launch before",
            {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             const Index begin = launch.columns() / 2;
             for (Index e = 0; e < history.common(launch); ++e) {
               const Index column = e % launch.columns();
               if (column < begin || column >= begin + 8) continue;
               launch.output().store(
                   e, launch.output().load(e) + history.format.decode(history.codes[static_cast<std::size_t>(e)]));
             }
           }},
          {{"wrong_buffer",
            state,
            "takes every second group of 16 results from the other buffer in every second launch",
            {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             if (history.launches % 2 == 0) return;
             for (Index e = 0; e < history.common(launch); ++e)
               if (e / 16 % 2 == 0) launch.write(e, history.codes[static_cast<std::size_t>(e)]);
           },
           2},
          {{"third_launch_incomplete", state, "returns from every third launch before the last quarter is written", {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             if (history.launches % 3 == 2)
               launch.leave_where([&](Index e) { return 4 * (e + 1) > 3 * launch.size(); });
           },
           3},
          {{"torn_write", state, "has one element in eight whose lower half is still that of the launch before", {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             const std::uint64_t lower = (std::uint64_t{1} << 4 * launch.output().format.bytes) - 1;
             for (Index e = 0; e < history.common(launch); ++e)
               if (other::drawn(history, e, 8))
                 launch.write(e, (launch.code(e) & ~lower) | (history.codes[static_cast<std::size_t>(e)] & lower));
           }},
          {{"maximum_not_reset", state, "returns the larger one of its result and that of the launch before", {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             for (Index e = 0; e < history.common(launch); ++e) {
               const std::uint64_t former = history.codes[static_cast<std::size_t>(e)];
               if (history.format.decode(former) > launch.output().load(e)) launch.write(e, former);
             }
           }},
          {{"ticket_race", state, "exchanges two rows beside each other, others each time", {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             const Index length = other::line_length(launch), count = other::lines(launch);
             if (count < 2) return;
             const Index first = static_cast<Index>(history.random() % static_cast<std::uint64_t>(count - 1));
             launch.permute([&](Index e) {
               return e / length == first ? e + length : e / length == first + 1 ? e - length : e;
             });
           }},
          {{"lost_addition",
            state,
            "halves one element in 16, another one each time, as where one of two additions is lost",
            {}},
           [](const LaunchHistory& history, const OutputLaunch& launch) {
             for (Index e = 0; e < launch.size(); ++e)
               if (other::drawn(history, e, 16)) launch.output().store(e, launch.output().load(e) / 2);
           }}};
}

/// The same of the last rounding.
[[nodiscard]] inline std::vector<assay::RoundingFault> other_rounding_faults() {
  using namespace assay;
  using enum assay::FaultClass;
  return {{{"rounded_to_odd", rounding, "leaves results rounded to odd, as if another rounding were to follow", {}},
           [](double value, const ElementFormat& format, Index) {
             const std::uint64_t cut = format.encode(value, Rounding::toward_zero);
             const double kept = format.decode(cut);
             const bool final =
                 !is_finite(value) || kept == value || kept == format.max_finite() || kept == -format.max_finite();
             return final ? format.encode(value) : cut | 1;
           }},
          {{"upper_of_pair_cut_off",
            rounding,
            "packs results in pairs, and cuts the second one off instead of rounding it",
            {}},
           [](double value, const ElementFormat& format, Index element) {
             return format.encode(value, element % 2 == 1 ? Rounding::toward_zero : Rounding::nearest_even);
           }}};
}

}  // namespace diagnosis_bench
