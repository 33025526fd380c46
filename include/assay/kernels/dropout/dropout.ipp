#pragma once

#include "assay/kernels/dropout/dropout.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Dropout::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const std::vector<Index> extents{problem.rows, problem.columns};
  return std::vector<OperandSpec>{
      {"input", OperandRole::input, problem.input, extents},
      {"gradient", OperandRole::input, problem.input, extents, problem.with_gradient},
      {"output", OperandRole::output, problem.output, extents},
      {"mask", OperandRole::output, element_format<std::uint8_t>(), extents, problem.gives_mask},
      {"input_gradient", OperandRole::output, problem.output, extents, problem.with_gradient}};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Dropout::Problem>> Dropout::shapes(const ElementFormat& format) {
  using enum FillKind;
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Index rows, Index columns, double rate, const std::vector<FillKind>& fills,
                       bool large = false) -> Problem& {
    Problem problem;
    problem.rows = rows;
    problem.columns = columns;
    problem.rate = rate;
    problem.seed = static_cast<std::uint64_t>(1000 * rate) + static_cast<std::uint64_t>(columns);
    problem.input = problem.output = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  for (const double rate : {0.1, 0.5, 0.9}) {
    add(48, 512, rate, {normal, constant}).gives_mask = true;
    add(31, 257, rate, {normal, special});
    add(8, 197, rate, {uniform, extreme, special}).with_gradient = true;
  }
  add(512, 512, 0.1, {normal});
  for (const double rate : {0.0, 1.0}) add(16, 100, rate, {normal, special}).gives_mask = true;
  Problem& both = add(32, 512, 0.3, {normal, special});
  both.gives_mask = both.with_gradient = true;
  add(1, 1, 0.5, {normal}).gives_mask = true;
  add(0, 5, 0.5, {normal});
  add(4096, 4096, 0.1, {normal}, true);
  return shapes;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Dropout::derivation(const Problem& problem, RoundingModel,
                                                                        const Arithmetic& arithmetic) {
  return {"kept elements are x/(1 - rate): relative error " +
              detail::number(DropoutScaling(problem, arithmetic).relative) +
              " before the output's rounding; dropped ones are 0",
          "the mask: counts of kept elements over all, each row, each column and each strip of 32 columns, and of "
          "pairs that are alike "
          "at lags of powers of two and of rows, against binomial tails (Chernoff, Hoeffding 1963); a right kernel is "
          "accused with "
          "probability " +
              detail::number(default_case_risk) + " a case at most"};
}

ASSAY_DETAIL_HEADER_INLINE bool Dropout::judge(const Problem& problem, const OperandArray& after,
                                               const OperandArray& before, int written, const Arithmetic& arithmetic,
                                               Outcome& outcome) {
  detail::JudgedOutput judged;
  const std::vector<unsigned char> kept = mask_of(problem, after, before, arithmetic);
  judged.elements = kept.size();
  if (written == 1) {
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (const double value = after[mask].load(static_cast<Index>(i)); value != 0 && value != 1)
        judged.refute("mask element " + std::to_string(i) + " is " + detail::number(value) + "; 0 or 1 is due");
  } else {
    judge_values(problem, after[written == 0 ? output : input_gradient], before[written == 0 ? input : gradient], kept,
                 arithmetic, judged);
  }
  if (written == 0) {
    DropoutMaskTests tests(problem, kept);
    tests.run(judged);
    outcome.measure("kept_fraction", tests.kept_share());
    outcome.measure("least_probability", tests.least_probability());
  }
  judged.describe(outcome);
  return true;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Dropout::Problem> Dropout::another_seed(const Problem& problem,
                                                                                 const OperandArray& operands) {
  constexpr double nats = 40;  // e^-40 is 4e-18
  Index telling = 0;
  for (Index e = 0; e < problem.rows * problem.columns; ++e)
    telling += problem.gives_mask || operands[input].load(e) != 0 ? 1 : 0;
  const double kept = 1 - problem.rate, alike = kept * kept + problem.rate * problem.rate;
  if (-static_cast<double>(telling) * std::log(alike) < nats) return std::nullopt;
  Problem other = problem;
  other.seed = problem.seed + 1;
  return other;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<ExpectedElement> Dropout::due_by_choices(const Problem& problem,
                                                                                const OperandArray& after,
                                                                                const OperandArray& before, int written,
                                                                                const Arithmetic& arithmetic) {
  const DropoutScaling scaling(problem, arithmetic);
  std::vector<ExpectedElement> due(static_cast<std::size_t>(problem.rows * problem.columns));
  for (std::size_t i = 0; i < due.size(); ++i) {
    const Index element = static_cast<Index>(i);
    int votes = 0;
    const auto vote = [&](const Operand& out, const Operand& from) {
      const double right = from.load(element) * scaling.scale, value = out.load(element);
      if (!is_finite(right) || right == 0 || is_nan(value)) return;
      votes += detail::absolute(value) > detail::absolute(right) / 4 ? 1 : -1;
    };
    vote(after[output], before[input]);
    if (problem.with_gradient) vote(after[input_gradient], before[gradient]);
    if (problem.gives_mask && written != 1) votes += after[mask].load(element) != 0 ? 1 : -1;
    const bool kept =
        votes > 0 ||
        (votes == 0 && (problem.gives_mask ? after[mask].load(element) != 0
                                           : after[written == 2 ? input_gradient : output].load(element) != 0));
    const double x = written == 1 ? 1 : before[written == 0 ? input : gradient].load(element),
                 right = written == 1 ? 1 : x * scaling.scale;
    due[i] =
        kept ? ExpectedElement{right, written == 1 ? 0 : detail::absolute(right) * scaling.relative + scaling.underflow}
             : ExpectedElement{0, 0};
  }
  return due;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> Dropout::explain(const Problem& problem, const OperandArray& after,
                                                                     const OperandArray& before,
                                                                     const Arithmetic& arithmetic) {
  const std::vector<unsigned char> kept = mask_of(problem, after, before, arithmetic);
  if (!kept_or_dropped(problem, after[output], before[input], arithmetic)) return std::nullopt;
  if (problem.gives_mask)
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] == 0 && after[output].load(static_cast<Index>(i)) != 0)
        return std::nullopt;  // the mask is what is wrong
  if (problem.with_gradient) {
    if (!kept_or_dropped(problem, after[input_gradient], before[gradient], arithmetic)) return std::nullopt;
    if (auto other = gradient_of_other_mask(problem, after, before, kept)) return other;
  }
  return DropoutMaskExplanation(problem, kept).explanation();
}

ASSAY_DETAIL_HEADER_INLINE bool Dropout::kept_or_dropped(const Problem& problem, const Operand& out, const Operand& x,
                                                         const Arithmetic& arithmetic) {
  const DropoutScaling scaling(problem, arithmetic);
  for (Index i = 0; i < problem.rows * problem.columns; ++i)
    if (const double value = out.load(i), own = x.load(i);
        value != 0 && !(is_nan(value) && !is_finite(own)) && !scaling.accepts(own, value))
      return false;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> Dropout::gradient_of_other_mask(
    const Problem& problem, const OperandArray& after, const OperandArray& before,
    const std::vector<unsigned char>& kept) {
  std::size_t seen = 0, other = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double own = before[gradient].load(static_cast<Index>(i));
    if (kept[i] > 1 || !is_finite(own) ||
        detail::absolute(own) < 4 * problem.output.min_subnormal() * static_cast<double>(1 << 20))
      continue;
    ++seen;
    other += (after[input_gradient].load(static_cast<Index>(i)) != 0) != (kept[i] == 1) ? 1 : 0;
  }
  if (other < 8 || static_cast<double>(other) < 0.5 * problem.rate * (1 - problem.rate) * static_cast<double>(seen))
    return std::nullopt;
  return Diagnosis{FaultClass::state,
                   "gradient_of_other_mask",
                   Confidence::likely,
                   {"the gradient is right for another mask than that of the output: they differ in " +
                    std::to_string(other) + " of " + std::to_string(seen) + " elements"},
                   {}};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<unsigned char> Dropout::mask_of(const Problem& problem,
                                                                       const OperandArray& after,
                                                                       const OperandArray& before,
                                                                       const Arithmetic& arithmetic) {
  std::vector<unsigned char> kept(static_cast<std::size_t>(problem.rows * problem.columns));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Index element = static_cast<Index>(i);
    if (problem.gives_mask) {
      kept[i] = after[mask].load(element) != 0 ? 1 : 0;
    } else {
      const double x = before[input].load(element),
                   least = 4 * (problem.output.min_subnormal() + problem.input.min_subnormal() +
                                arithmetic.accumulation.min_subnormal);
      kept[i] = detail::absolute(x) < least ? 2 : after[output].load(element) != 0 ? 1 : 0;
      if (!is_finite(x) && kept[i] == 1) kept[i] = 2;  // 0·∞ of a dropped element, perhaps
    }
  }
  return kept;
}

}  // namespace assay::inline v0
