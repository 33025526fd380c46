#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay {

/// Kernels of an operation on host memory that are right, or have one of its faults: what its validator is validated with. A specialisation has
/// - `static std::vector<Fault> faults()`: those that are this operation's own;
/// - `static OperationSubject<Op> faulty(std::string_view name)`: a kernel with one of them;
/// - `static std::vector<OperationSubject<Op>> correct()`: right kernels that compute in different ways, the first in the commonest one.
template <Operation Op>
struct OperationFaults;

/// Faults that kernels of every operation can have.
[[nodiscard]] inline std::vector<Fault> common_operation_faults() {
  using enum FaultClass;
  return {{"zero_output", missing_work, "writes zeros", {}},
          {"unwritten_tail", memory, "leaves the last sixteenth of its first output unwritten", {}},
          {"swallowed_nan", special_value, "writes 0 where NaN is due", {}},
          {"first_slice", addressing, "gives the second half of the outer dimension the results of its beginning", {}},
          {"shifted_output", addressing, "writes every row one element too far to the left, round about", {}},
          {"flipped_bit", state, "flips the second highest fraction bit of one element", {}},
          {"overrun", memory, "writes one element behind the end of its first output", {}},
          {"input_overwritten", memory, "negates an element of its first input", {}},
          {"ignored_strides", memory, "writes its first output as if its rows had no gaps between them", {}}};
}

namespace detail {

/// Does one of the common faults to a launch that has been computed rightly.
template <Operation Op>
void spoil(std::string_view fault, const std::vector<OperandSpec>& specs, OperandArray& operands) {
  int first_input = -1, first_output = -1;
  for (int i = static_cast<int>(specs.size()) - 1; i >= 0; --i) {
    const OperandSpec& spec = specs[static_cast<std::size_t>(i)];
    if (!spec.present || operands[i].size() == 0) continue;
    (spec.role == OperandRole::input ? first_input : first_output) = i;
  }
  if (first_output < 0) return;
  const auto each_output = [&](auto&& change) {
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (specs[i].role != OperandRole::input && specs[i].present)
        for (Index e = 0; e < operands[static_cast<int>(i)].size(); ++e) change(operands[static_cast<int>(i)], e);
  };
  const Operand& output = operands[first_output];
  const Index size = output.size(), row = output.rank > 0 ? output.extents[output.rank - 1] : 1;
  if (fault == "zero_output") each_output([](const Operand& operand, Index e) { operand.store(e, 0); });
  if (fault == "swallowed_nan") each_output([](const Operand& operand, Index e) { if (is_nan(operand.load(e))) operand.store(e, 0); });
  if (fault == "first_slice" && output.rank > 0 && output.extents[0] > 1) {
    const Index slices = output.extents[0], slice = size / slices, from = (slices + 1) / 2;
    for (Index e = from * slice; e < size; ++e) output.store(e, output.load(e - from * slice));
  }
  if (fault == "shifted_output" && row > 1)
    for (Index start = 0; start < size; start += row) {
      const double kept = output.load(start);
      for (Index e = start; e + 1 < start + row; ++e) output.store(e, output.load(e + 1));
      output.store(start + row - 1, kept);
    }
  if (fault == "flipped_bit") {
    const Index place = output.offset_of(size / 2);
    const int bit = output.format.is_float() ? (output.format.layout.fraction_bits > 1 ? output.format.layout.fraction_bits - 2 : 0) : 1;
    output.format.store_code(output.data, place, output.format.load_code(output.data, place) ^ std::uint64_t{1} << bit);
  }
  if (fault == "overrun") output.format.store_code(output.data, output.offset_of(size - 1) + 1 + (8 / output.format.bytes), 0);
  if (fault == "input_overwritten" && first_input >= 0) {
    const Operand& input = operands[first_input];
    input.format.store_code(input.data, input.offset_of(0), input.format.load_code(input.data, input.offset_of(0)) ^ 1);
  }
  if (fault == "ignored_strides" && output.rank > 1 && output.strides[output.rank - 2] > row)
    for (Index e = 0; e < size; ++e) output.format.store_code(output.data, e, output.format.load_code(output.data, output.offset_of(e)));
}

}  // namespace detail

/// A right kernel with one of the common faults, in host memory.
template <Operation Op>
[[nodiscard]] OperationSubject<Op> with_common_fault(OperationSubject<Op> right, std::string fault) {
  OperationSubject<Op> subject = right;
  subject.name = fault;
  subject.run = [run = std::move(right.run), fault](const typename Op::Problem& problem, const OperandArray& operands) -> Result<void> {
    const auto specs = Op::operands(problem);
    if (!specs) return specs.propagate();
    std::vector<std::pair<Index, std::uint64_t>> tail;
    int first_output = 0;
    while (first_output < operands.count && specs.value()[static_cast<std::size_t>(first_output)].role == OperandRole::input) ++first_output;
    if (fault == "unwritten_tail" && first_output < operands.count) {
      const Operand& output = operands[first_output];
      for (Index e = output.size() - (output.size() + 15) / 16; e < output.size(); ++e) tail.emplace_back(output.offset_of(e), output.format.load_code(output.data, output.offset_of(e)));
    }
    if (auto done = run(problem, operands); !done) return done;
    for (const auto& [place, code] : tail) operands[first_output].format.store_code(operands[first_output].data, place, code);
    OperandArray spoiled = operands;
    detail::spoil<Op>(fault, specs.value(), spoiled);
    return {};
  };
  return subject;
}

/// A kernel of an operation that is given as a function of host memory.
template <Operation Op, class Function>
[[nodiscard]] OperationSubject<Op> host_subject(std::string name, Function function, const Arithmetic& arithmetic = {}) {
  OperationSubject<Op> subject;
  subject.name = std::move(name);
  subject.run = [function = std::move(function)](const typename Op::Problem& problem, const OperandArray& operands) -> Result<void> {
    function(problem, operands);
    return {};
  };
  subject.arithmetic = [arithmetic](const typename Op::Problem&) { return arithmetic; };
  return subject;
}

}  // namespace assay
