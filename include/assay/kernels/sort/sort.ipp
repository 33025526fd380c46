#pragma once

#include "assay/kernels/sort/sort.hpp"

#include "assay/core/config.hpp"
#include "assay/kernels/detail/negative_nans.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Sort::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const auto extents = [&](Index length) {
    return problem.inner == 1 ? std::vector<Index>{problem.outer, length}
                              : std::vector<Index>{problem.outer, length, problem.inner};
  };
  return std::vector<OperandSpec>{{"input", OperandRole::input, problem.format, extents(problem.length)},
                                  {"values", OperandRole::output, problem.format, extents(problem.wanted())},
                                  {"indices", OperandRole::output, problem.index_format, extents(problem.wanted())}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Sort::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                    std::uint64_t seed) {
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
  if (kind == FillKind::special)
    x = detail::with_negative_nans(x, problem.format, problem.outer * problem.length * problem.inner);
  data.operands = {x, {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Sort::Problem>> Sort::shapes(const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal, log_uniform, constant, exact_integer, extreme, special, subnormal},
      core{normal, exact_integer, special}, one{normal};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Problem problem, Index outer, Index length, Index inner, Index k,
                       const std::vector<FillKind>& fills, bool large = false) {
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
  // more of one exponent than buffers hold; in one format, since ranking by counting takes length²
  if (format == element_format<float32>()) add(problem, 1, 9001, 1, 64, {uniform});
  add(problem, 1, 9001, 1, 1500, {uniform}, true);
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

ASSAY_DETAIL_HEADER_INLINE bool Sort::judge(const Problem& problem, const OperandArray& operands,
                                            const OperandArray& before, int written, const Arithmetic&,
                                            Outcome& outcome) {
  detail::JudgedOutput judged;
  if (written == 0)
    judge_sorted_values(problem, before[input], operands[values], judged);
  else
    judge_sorted_indices(problem, before[input], operands[values], operands[indices], judged);
  judged.describe(outcome);
  return true;
}

}  // namespace assay::inline v0
