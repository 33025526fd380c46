#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/sort/judgment.hpp"

namespace assay::inline v0 {

/// Nothing an element: a sort judges its outputs by itself.
struct SortExpected {
  int output = 0;
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index) const {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
};

/// Ranks every element of a row by counting what stands before it: O(length²), stable, in place of nothing.
struct PortableSort {
  SortProblem problem;
  Operand input, values, indices;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index), outer = row / problem.inner, inner = row % problem.inner,
                k = problem.wanted();
    const Index first = outer * problem.length * problem.inner + inner, target = outer * k * problem.inner + inner;
    for (Index j = 0; j < problem.length; ++j) {
      const Index own = first + j * problem.inner;
      const auto x = detail::OrderedElement::of(input, own);
      Index rank = 0;
      for (Index i = 0; i < problem.length; ++i) {
        const auto y = detail::OrderedElement::of(input, first + i * problem.inner);
        rank += problem.before(y, x) || (i < j && !problem.before(x, y)) ? 1 : 0;
      }
      if (rank >= k) continue;
      const Index place = target + rank * problem.inner;
      values.format.store_code(values.data, values.offset_of(place),
                               input.format.load_code(input.data, input.offset_of(own)));
      indices.store(place, static_cast<double>(j));
    }
  }
};

/// Sort, top-k and their indices (argsort). Operands: `input` (outer, length, inner); `values` and `indices` (outer, k,
/// inner); without the last dimension where inner is 1. Values are elements of the input and must be the right ones
/// exactly; which of equal elements an index names is free, or determined where ties are stable. Judged on the host.
struct Sort {
  using Problem = SortProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, values, indices };

  [[nodiscard]] static const char* name() { return "sort"; }
  [[nodiscard]] static std::string operation_of(const Problem& problem) { return problem.k < 0 ? "sort" : "top_k"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.format.name) + "." + problem.index_format.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for: normal, log_uniform: the everyday cases, comparisons in a narrower format; constant:
  /// nothing but ties; exact_integer: four values only: ties at the k-th place, stability; extreme: the largest numbers
  /// beside infinities: sentinels; special: NaN, infinities, zeros of both signs; subnormal: comparisons that flush.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed);

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel, const Arithmetic&) {
    return {"values are elements of the input: E = 0; at each rank the value due, " +
                std::string(problem.nan == NanOrder::largest ? "NaN above infinity" : "NaN last"),
            std::string("indices: within the row, none twice, each the place of its value; ") +
                (problem.ties == SortTies::stable ? "of equal elements the first comes first"
                                                  : "which of equal elements is free")};
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SortExpected>> reference(B&, typename B::Stream&, const Problem&,
                                                                          const OperandArray&, RoundingModel,
                                                                          const Arithmetic&) {
    return OperationReference<SortExpected>{{}, nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return backend.parallel_for(stream, static_cast<std::size_t>(problem.outer * problem.inner),
                                PortableSort{problem, operands[input], operands[values], operands[indices]});
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before,
                                  int written, const Arithmetic&, Outcome& outcome);
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/sort/sort.ipp"
#endif
