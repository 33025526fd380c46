#pragma once

#include <string>
#include <vector>

#include "assay/kernels/resize/portable.hpp"
#include "assay/kernels/resize/reference.hpp"

namespace assay::inline v0 {

/// Nearest, linear and cubic interpolation of images, forward and backward. Operands: `input` and `output`, or
/// `gradient_output` and `gradient_input`, of extents (batch, channels, spatial…) or (batch, spatial…, channels).
struct Resize {
  using Problem = ResizeProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, output };

  [[nodiscard]] static const char* name() { return "resize"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) {
    return problem.backward ? "resize_backward" : "resize";
  }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.format.name) + "." + problem.format.name;
  }

  /// Extents of what is written or read, in the order in which they lie.
  [[nodiscard]] static std::vector<Index> extents_of(const Problem& problem, bool written) {
    std::vector<Index> extents{problem.batch};
    if (!problem.channels_last) extents.push_back(problem.channels);
    for (int d = 0; d < problem.dimensions; ++d) extents.push_back(written ? problem.written(d) : problem.read(d));
    if (problem.channels_last) extents.push_back(problem.channels);
    return extents;
  }
  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check(problem); !checked) return checked.propagate();
    return std::vector<OperandSpec>{{problem.backward ? "gradient_output" : "input", OperandRole::input, problem.format,
                                     extents_of(problem, false)},
                                    {problem.backward ? "gradient_input" : "output", OperandRole::output,
                                     problem.format, extents_of(problem, true)}};
  }

  /// What each pattern is for:
  /// - normal, uniform: the everyday cases; every wrong coordinate or weight;
  /// - constant: weights sum to 1;
  /// - canceling (a common offset of 100): weights in too narrow an arithmetic;
  /// - exact_integer (a ramp along the last dimension): linear and cubic interpolation give it back: coordinates that
  ///   are off by a fraction;
  /// - one_hot (few elements that are not 0): which element a nearest output reads, borders;
  /// - extreme: large numbers, the interpolation of which does not overflow by any formula; special: NaN (and no
  ///   infinities, of which differences make NaN).
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<ResizeExpected>> reference(B& backend, typename B::Stream& stream,
                                                                            const Problem& problem,
                                                                            const OperandArray& operands,
                                                                            RoundingModel model,
                                                                            const Arithmetic& arithmetic) {
    return resize_reference(backend, stream, problem, operands[input], extents_of(problem, true).back(), model,
                            arithmetic);
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_resize(backend, stream, problem, operands);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/resize/resize.ipp"
#endif
