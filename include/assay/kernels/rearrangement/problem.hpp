#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What is done.
enum class RearrangementKind {
  permute,  ///< output dimension d is input dimension order[d]; a transpose exchanges two
  slice,    ///< start + i·step, count elements along every dimension; steps may be negative
  pad,      ///< before and after every dimension
  concat,   ///< parts that differ along one axis, one behind the other
  /// (batch, channels, height, width) → (batch, channels·window, outputs): the matrix of a convolution, padded with
  /// zeros
  im2col
};

/// What stands in the padding.
enum class PadMode {
  constant,
  reflect,   ///< about the border's element, which is not repeated
  replicate  ///< the border's element
};

/// An operation that moves elements as they are, bit by bit, or writes a constant.
struct RearrangementProblem {
  static constexpr int most = Operand::most_dimensions;  ///< the largest rank
  RearrangementKind kind = RearrangementKind::permute;
  int rank = 2;                              ///< of the input
  Index extents[most] = {1, 1, 1, 1, 1, 1};  ///< of the input; of parts but for the axis
  int order[most] = {0, 1, 2, 3, 4, 5};      ///< of `permute`: the input's axis for each axis of the output
  Index start[most] = {}, step[most] = {1, 1, 1, 1, 1, 1}, count[most] = {};  ///< of `slice`: on each axis
  Index before[most] = {}, after[most] = {};  ///< pad; im2col: of its dimensions 2 and 3
  PadMode mode = PadMode::constant;
  double value = 0;            ///< of constant padding
  int axis = 0;                ///< of `concat`: along which parts follow each other
  int parts = 1;               ///< inputs
  Index part_extents[8] = {};  ///< of `concat`: extents along `axis`
  Index window[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1};  ///< of `im2col`: on both axes
  ElementFormat format = element_format<float32>();

  /// Dimensions of the output.
  [[nodiscard]] ASSAY_FUNCTION int output_rank() const { return kind == RearrangementKind::im2col ? 3 : rank; }
  /// Positions of the window of an im2col along height (0) or width (1).
  [[nodiscard]] ASSAY_FUNCTION Index windows(int d) const {
    return (extents[2 + d] + before[2 + d] + after[2 + d] - dilation[d] * (window[d] - 1) - 1) / stride[d] + 1;
  }
  /// Extent of that axis of the output.
  [[nodiscard]] ASSAY_FUNCTION Index output_extent(int d) const {
    switch (kind) {
      case RearrangementKind::permute: return extents[order[d]];
      case RearrangementKind::slice: return count[d];
      case RearrangementKind::pad: return before[d] + extents[d] + after[d];
      case RearrangementKind::concat: {
        if (d != axis) return extents[d];
        Index sum = 0;
        for (int part = 0; part < parts; ++part) sum += part_extents[part];
        return sum;
      }
      case RearrangementKind::im2col:
        return d == 0 ? extents[0] : d == 1 ? extents[1] * window[0] * window[1] : windows(0) * windows(1);
    }
    return 0;
  }
  /// Extent of that axis of an input.
  [[nodiscard]] ASSAY_FUNCTION Index input_extent(int part, int d) const {
    return kind == RearrangementKind::concat && d == axis ? part_extents[part] : extents[d];
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(RearrangementProblem& problem, Visit&& visit) {
  visit("kind", problem.kind, "rank", problem.rank, "extents", problem.extents, "order", problem.order, "start",
        problem.start, "step", problem.step, "count", problem.count, "before", problem.before, "after", problem.after,
        "mode", problem.mode, "value", problem.value, "axis", problem.axis, "parts", problem.parts, "part_extents",
        problem.part_extents, "window", problem.window, "stride", problem.stride, "dilation", problem.dilation,
        "format", problem.format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const RearrangementProblem& problem);

/// "permute", "slice", …: operations of their own in case ids.
[[nodiscard]] inline const char* name_of(RearrangementKind kind) {
  const char* const names[] = {"permute", "slice", "pad", "concat", "im2col"};
  return names[static_cast<int>(kind)];
}

/// "8x16x4-order2x0x1", "pad" and the like with their parameters.
[[nodiscard]] std::string name_of(const RearrangementProblem& problem);

/// Where an element of the output comes from: an element of an input, row-major, or −1: the constant.
struct RearrangementSource {
  int part = 0;  ///< which input
  Index element = -1;

  /// Where the element of the output comes from.
  [[nodiscard]] ASSAY_FUNCTION static RearrangementSource of(const RearrangementProblem& problem, Index element) {
    Index at[RearrangementProblem::most] = {}, from[RearrangementProblem::most] = {};
    for (int d = problem.output_rank() - 1; d >= 0; --d) {
      const Index extent = problem.output_extent(d);
      at[d] = element % extent;
      element /= extent;
    }
    RearrangementSource source;
    switch (problem.kind) {
      case RearrangementKind::permute:
        for (int d = 0; d < problem.rank; ++d) from[problem.order[d]] = at[d];
        break;
      case RearrangementKind::slice:
        for (int d = 0; d < problem.rank; ++d) from[d] = problem.start[d] + at[d] * problem.step[d];
        break;
      case RearrangementKind::pad:
        for (int d = 0; d < problem.rank; ++d) {
          const Index extent = problem.extents[d], place = at[d] - problem.before[d];
          const bool outside = place < 0 || place >= extent;
          if (outside && problem.mode == PadMode::constant) return source;
          from[d] = !outside                           ? place
                    : problem.mode == PadMode::reflect ? (place < 0 ? -place : 2 * extent - 2 - place)
                    : place < 0                        ? 0
                                                       : extent - 1;
        }
        break;
      case RearrangementKind::concat:
        for (int d = 0; d < problem.rank; ++d) from[d] = at[d];
        while (from[problem.axis] >= problem.part_extents[source.part])
          from[problem.axis] -= problem.part_extents[source.part++];
        break;
      case RearrangementKind::im2col: {
        const Index row = at[1], column = at[2], windows = problem.windows(1), across = problem.window[1];
        from[0] = at[0];
        from[1] = row / across / problem.window[0];
        from[2] = column / windows * problem.stride[0] - problem.before[2] +
                  row / across % problem.window[0] * problem.dilation[0];
        from[3] = column % windows * problem.stride[1] - problem.before[3] + row % across * problem.dilation[1];
        if (from[2] < 0 || from[2] >= problem.extents[2] || from[3] < 0 || from[3] >= problem.extents[3]) return source;
        break;
      }
    }
    source.element = 0;
    for (int d = 0; d < problem.rank; ++d)
      source.element = source.element * problem.input_extent(source.part, d) + from[d];
    return source;
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/rearrangement/problem.ipp"
#endif
