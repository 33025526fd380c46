#pragma once

#include "assay/faults/input_faults.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE const std::vector<InputFault>& input_faults() {
  using enum FaultClass;
  static const std::vector<InputFault> all{
      {{"input_in_bfloat16", precision, "rounds an input to bfloat16", {}},
       [](const InputRead& in, Index e) { return in.input.format.encode(round_to<bfloat16>(in.input.load(e))); }},
      {{"input_in_float16", precision, "rounds an input to float16", {}},
       [](const InputRead& in, Index e) { return in.input.format.encode(round_to<float16>(in.input.load(e))); }},
      {{"flushed_input", special_value, "reads subnormal numbers as zero", {}},
       [](const InputRead& in, Index e) {
         const double value = in.input.load(e);
         const bool subnormal =
             is_finite(value) && !is_zero(value) && exponent_of(value) < in.input.format.layout.min_exponent();
         return subnormal ? in.input.format.encode(0) : in.code(e);
       }},
      {{"nan_read_as_zero", special_value, "reads NaN as zero", {}},
       [](const InputRead& in, Index e) { return is_nan(in.input.load(e)) ? in.input.format.encode(0) : in.code(e); }},
      {{"input_strides_ignored", addressing, "reads an input as if its rows had no gaps between them", {}},
       [](const InputRead& in, Index e) { return in.code_at(e); }},
      {{"input_one_too_far", memory, "reads an input from one element too far on, and beyond its end", {}},
       [](const InputRead& in, Index e) { return in.code_at(in.input.offset_of(e) + 1); }},
      {{"input_row_edge", missing_work, "reads zeros in the columns of an input beyond a multiple of 8", {}},
       [](const InputRead& in, Index e) {
         return e % in.columns() >= in.columns() / 8 * 8 && in.columns() > 8 ? in.input.format.encode(0) : in.code(e);
       }},
      {{"first_input_row_for_all", addressing, "reads the first row of an input for every row", {}},
       [](const InputRead& in, Index e) { return in.code(e % in.columns()); }},
      {{"input_counter_wraps", addressing, "counts the elements of an input with one bit too few, and begins anew", {}},
       [](const InputRead& in, Index e) {
         Index reach = 1;
         while (2 * reach < in.input.size()) reach *= 2;
         return in.code(e % reach);
       }},
      {{"input_not_ready", state, "begins before the second half of an input has arrived: it is still zero", {}},
       [](const InputRead& in, Index e) { return 2 * e >= in.input.size() ? in.input.format.encode(0) : in.code(e); }},
      {{"stuck_bit_of_load", state, "has a fraction bit that is always 1 in what one lane of 32 loads", {}},
       [](const InputRead& in, Index e) {
         const int place = in.input.format.layout.fraction_bits - 1;
         return in.code(e) | (e % 32 == 7 || in.input.size() <= 7 ? std::uint64_t{1} << (place > 0 ? place : 0) : 0);
       }}};
  return all;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> launch_on_misread_input(const InputFault& fault,
                                                                const std::vector<OperandSpec>& specs,
                                                                const OperandArray& operands, const LaunchKernel& run) {
  int position = -1;
  for (int i = static_cast<int>(specs.size()) - 1; i >= 0; --i)
    if (specs[static_cast<std::size_t>(i)].role == OperandRole::input && specs[static_cast<std::size_t>(i)].present &&
        operands[i].size() > 0 && operands[i].format.is_float())
      position = i;
  if (position < 0) return run(operands);
  const InputRead read{operands[position]};
  OperandArray misread = operands;
  Operand& copy = misread[position];
  const Index size = copy.size();
  std::vector<std::uint64_t> words(static_cast<std::size_t>(size));
  copy.data = words.data();
  copy.guard_bytes = 0;
  Index stride = 1;
  for (int d = copy.rank - 1; d >= 0; stride *= copy.extents[d--]) copy.strides[d] = stride;
  for (Index e = 0; e < size; ++e) copy.format.store_code(copy.data, e, fault.read(read, e));
  return run(misread);
}

}  // namespace detail

}  // namespace assay::inline v0
