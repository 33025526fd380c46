#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/detail/judge_codes.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/rearrangement/problem.hpp"

namespace assay::inline v0 {

/// The elements as they are, without any error.
struct RearrangementExpected {
  RearrangementProblem problem;
  Operand inputs[8];
  Index columns = 1;
  int output = 0;

  /// The code that the element of the output must have.
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t code(Index element) const {
    const RearrangementSource source = RearrangementSource::of(problem, element);
    const Operand& input = inputs[source.part];
    return source.element < 0 ? problem.format.encode(problem.kind == RearrangementKind::im2col ? 0 : problem.value)
                              : problem.format.load_code(input.data, input.offset_of(source.element));
  }
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    return {problem.format.decode(code(row * columns + column)), 0};
  }
};

/// Moves one element, as its code.
struct PortableRearrangement {
  RearrangementExpected source;
  Operand output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index);
    output.format.store_code(output.data, output.offset_of(element), source.code(element));
  }
};

/// Transposes, permutations, slices, padding, concatenation and im2col in any format: exact bit by bit, payloads of
/// NaNs and signs of zeros included. Operands: the inputs (one but for concat), then the output.
struct Rearrangement {
  using Problem = RearrangementProblem;
  using Arguments = OperandArray;

  [[nodiscard]] static const char* name() { return "rearrangement"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) { return assay::name_of(problem.kind); }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) { return problem.format.name; }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for: normal: elements in the wrong place, and copies by way of a narrower format; special:
  /// any bits (payloads of NaNs, signs of zeros, subnormals, infinities); subnormal: copies by way of arithmetic that
  /// flushes them.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem&, RoundingModel, const Arithmetic&) {
    return {
        "elements are moved as they are: E = 0, and codes must be the same bit by bit, payloads of NaNs and signs of "
        "zeros included"};
  }

  /// What is right for these operands.
  [[nodiscard]] static RearrangementExpected expected_of(const Problem& problem, const OperandArray& operands);
  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<RearrangementExpected>> reference(B&, typename B::Stream&,
                                                                                   const Problem& problem,
                                                                                   const OperandArray& operands,
                                                                                   RoundingModel, const Arithmetic&) {
    return OperationReference<RearrangementExpected>{expected_of(problem, operands), nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    const Operand& output = operands[problem.parts];
    return backend.parallel_for(stream, static_cast<std::size_t>(output.size()),
                                PortableRearrangement{expected_of(problem, operands), output});
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before, int,
                                  const Arithmetic&, Outcome& outcome) {
    const RearrangementExpected expected = expected_of(problem, before);
    return detail::judge_codes(
        operands[problem.parts], [&](Index element) { return expected.code(element); }, outcome);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/rearrangement/rearrangement.ipp"
#endif
