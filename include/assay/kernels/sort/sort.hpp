#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/kernels/operation.hpp"
#include "assay/kernels/sort/judgement.hpp"

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
    const Index row = static_cast<Index>(index), outer = row / problem.inner, inner = row % problem.inner, k = problem.wanted();
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
      values.format.store_code(values.data, values.offset_of(place), input.format.load_code(input.data, input.offset_of(own)));
      indices.store(place, static_cast<double>(j));
    }
  }
};

/// Sort, top-k and their indices (argsort). Operands: `input` (outer, length, inner); `values` and `indices` (outer, k, inner); without the last dimension where inner is 1. Values are
/// elements of the input and must be the right ones exactly; which of equal elements an index names is free, or determined where ties are stable. Judged on the host.
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

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem) {
    if (auto checked = check(problem); !checked) return checked.propagate();
    const auto extents = [&](Index length) {
      return problem.inner == 1 ? std::vector<Index>{problem.outer, length} : std::vector<Index>{problem.outer, length, problem.inner};
    };
    return std::vector<OperandSpec>{{"input", OperandRole::input, problem.format, extents(problem.length)},
                                    {"values", OperandRole::output, problem.format, extents(problem.wanted())},
                                    {"indices", OperandRole::output, problem.index_format, extents(problem.wanted())}};
  }

  /// What each pattern is for: normal, log_uniform: the everyday cases, comparisons in a narrower format; constant: nothing but ties; exact_integer: four values only: ties at the
  /// k-th place, stability; extreme: the largest numbers beside infinities: sentinels; special: NaN, infinities, zeros of both signs; subnormal: comparisons that flush.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&, std::uint64_t seed) {
    OperationData data;
    data.model = RoundingModel::exact;
    OperandFill x;
    x.pattern = {kind, seed * 4, problem.length, problem.format.layout};
    x.inner = problem.inner;
    if (!problem.format.is_float()) x.scale = 40;
    if (kind == FillKind::extreme) {
      const double infinity = detail::double_of(binary64_layout.infinity_bits()), most = problem.format.max_finite(),
                   choice[] = {most, -most, infinity, -infinity, 0, most / 2, -most / 2, 1};
      std::vector<double> drawn;
      for (Index e = 0; e < problem.outer * problem.length * problem.inner; ++e)
        drawn.push_back(choice[random_bits(seed * 4 + 1, static_cast<std::uint64_t>(e), 0).low() % 8]);
      x = OperandFill::of(std::move(drawn));
    }
    data.operands = {x, {}, {}};
    return data;
  }

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format) {
    using enum FillKind;
    const std::vector<FillKind> all{normal, log_uniform, constant, exact_integer, extreme, special, subnormal},
        core{normal, exact_integer, special}, one{normal};
    std::vector<OperationShape<Problem>> shapes;
    const auto add = [&](Problem problem, Index outer, Index length, Index inner, Index k, const std::vector<FillKind>& fills,
                         bool large = false) {
      problem.format = problem.format.is_float() ? format : problem.format;
      problem.outer = outer;
      problem.length = length;
      problem.inner = inner;
      problem.k = k;
      shapes.push_back({problem, fills, large});
    };
    for (const bool descending : {true, false})
      for (const NanOrder nan : {NanOrder::largest, NanOrder::last}) {
        Problem problem;
        problem.descending = descending;
        problem.nan = nan;
        add(problem, 4, 64, 1, -1, descending ? all : core);
        add(problem, 5, 101, 1, 7, descending ? all : core);
        problem.ties = SortTies::stable;
        add(problem, 3, 77, 1, -1, core);
        add(problem, 3, 130, 1, 20, core);
      }
    Problem problem;
    add(problem, 2, 1000, 1, 5, core);  // the five best of ImageNet
    add(problem, 6, 8, 1, 2, all);      // experts of a mixture
    add(problem, 2, 33, 5, 4, core);
    add(problem, 3, 20, 3, -1, core);
    add(problem, 1, 1, 1, 1, core);
    add(problem, 2, 9, 1, 9, core);
    add(problem, 2, 9, 1, 0, one);
    add(problem, 0, 9, 1, 3, one);
    add(problem, 3, 0, 1, -1, one);
    problem.ordered = false;
    add(problem, 5, 101, 1, 7, all);
    problem.descending = false;
    add(problem, 2, 40, 3, 13, core);
    problem = {};
    problem.index_format = element_format<std::int32_t>();
    add(problem, 3, 50, 1, 10, core);
    add(problem, 8, 128256, 1, 50, one, true);
    if (format == element_format<float32>()) {
      problem.format = element_format<std::int8_t>();
      add(problem, 3, 200, 1, 10, core);
      add(problem, 3, 60, 1, -1, {normal, constant});
    }
    return shapes;
  }

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel, const Arithmetic&) {
    return {"values are elements of the input: E = 0; at each rank the value due, " +
                std::string(problem.nan == NanOrder::largest ? "NaN above infinity" : "NaN last"),
            std::string("indices: within the row, none twice, each the place of its value; ") +
                (problem.ties == SortTies::stable ? "of equal elements the first comes first" : "which of equal elements is free")};
  }

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<SortExpected>> reference(B&, typename B::Stream&, const Problem&, const OperandArray&,
                                                                          RoundingModel, const Arithmetic&) {
    return OperationReference<SortExpected>{{}, nullptr};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem, const OperandArray& operands) {
    return backend.parallel_for(stream, static_cast<std::size_t>(problem.outer * problem.inner),
                                PortableSort{problem, operands[input], operands[values], operands[indices]});
  }
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& operands, const OperandArray& before, int written,
                                  const Arithmetic&, Outcome& outcome) {
    detail::JudgedOutput judged;
    if (written == 0)
      judge_sorted_values(problem, before[input], operands[values], judged);
    else
      judge_sorted_indices(problem, before[input], operands[values], operands[indices], judged);
    judged.describe(outcome);
    return true;
  }
};

}  // namespace assay::inline v0
