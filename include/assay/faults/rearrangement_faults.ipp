#pragma once

#include "assay/faults/rearrangement_faults.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE RearrangementProblem EmulatedRearrangement::misread(RearrangementProblem problem) const {
  if (fault == "wrong_order" && problem.kind == RearrangementKind::permute && problem.rank > 2)
    std::swap(problem.order[0], problem.order[1]);
  if (fault == "start_ignored")
    for (int d = 0; d < problem.rank; ++d) problem.start[d] = problem.step[d] > 0 ? 0 : problem.extents[d] - 1;
  if (fault == "step_ignored")
    for (Index& step : problem.step) step = step > 0 ? 1 : -1;
  if (fault == "sides_exchanged") std::swap(problem.before, problem.after);
  if (fault == "zero_padding" && problem.kind == RearrangementKind::pad) {
    problem.mode = PadMode::constant;
    problem.value = 0;
  }
  if (fault == "dilation_ignored") problem.dilation[0] = problem.dilation[1] = 1;
  return problem;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t EmulatedRearrangement::spoiled(const ElementFormat& format,
                                                                        std::uint64_t code) const {
  const double value = format.decode(code);
  if (fault == "payload_lost") return format.encode(value);
  if (fault == "sign_of_zero_lost" && value == 0) return format.encode(0);
  if (fault == "narrowed" && format.is_float() && format.layout.precision() > 8)
    return format.encode(round_to<bfloat16>(value));
  if (fault == "flushed" && value != 0 && format.is_float() &&
      std::abs(value) < power_of_two(format.layout.min_exponent()))
    return format.encode(0);
  return code;
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t EmulatedRearrangement::code_of(const RearrangementExpected& source,
                                                                        const RearrangementProblem& problem,
                                                                        Index element) const {
  RearrangementSource from = RearrangementSource::of(source.problem, element);
  const Operand& input = source.inputs[fault == "part_repeated" ? 0 : from.part];
  if (from.element < 0)
    return problem.format.encode(problem.kind == RearrangementKind::im2col ? 0 : source.problem.value);
  if (fault == "edge_reflected" && problem.kind == RearrangementKind::pad && problem.mode == PadMode::reflect) {
    const int last = problem.rank - 1;
    const Index at = element % problem.output_extent(last) - problem.before[last];
    if (at < 0) --from.element;
    if (at >= problem.extents[last]) ++from.element;
  }
  if (fault == "window_before_channels" && problem.kind == RearrangementKind::im2col) {
    const Index windows = problem.output_extent(2), rows = problem.output_extent(1),
                size = problem.window[0] * problem.window[1];
    const Index row = element / windows % rows, other = row % problem.extents[1] * size + row / problem.extents[1];
    from = RearrangementSource::of(problem, element + (other - row) * windows);
    if (from.element < 0) return problem.format.encode(0);
  }
  return input.format.load_code(input.data, input.offset_of(std::clamp(from.element, Index{0}, input.size() - 1)));
}

}  // namespace assay::inline v0::detail
