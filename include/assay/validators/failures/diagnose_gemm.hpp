#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/compare/compare.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/validators/detail/operand_of.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"
#include "assay/validators/failures/gemm_terms.hpp"
#include "assay/validators/gemm_operands.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay::inline v0 {

namespace detail {

/// Asks about a failing case of a GEMM, whose operands lie in host memory. They are A, B and C as matrices of the
/// product.
template <class Op>
class GemmInquiry {
 public:
  using A = typename Op::FormatA;
  using B = typename Op::FormatB;
  using C = typename Op::FormatC;

  GemmInquiry(const GemmProblem& problem, RoundingModel model, Index terms, const ChosenTolerance& tolerance)
      : problem_(problem), model_(model), terms_(terms), tolerance_(tolerance) {
    if (const auto layout = lay_out(problem)) stored_ = layout.value();
  }

  [[nodiscard]] std::vector<OperandSpec> specs() const {
    const bool updated = problem_.beta != 0;
    return {{"A", OperandRole::input, element_format<A>(), {problem_.batch, problem_.m, problem_.k}},
            {"B", OperandRole::input, element_format<B>(), {problem_.batch, problem_.k, problem_.n}},
            {"C",
             updated ? OperandRole::updated : OperandRole::output,
             element_format<C>(),
             {problem_.batch, problem_.m, problem_.n}}};
  }

  [[nodiscard]] std::vector<FailingOutput> look(const OperandArray& before, const OperandArray& after,
                                                const AccumulationModel& accumulation) {
    std::vector<FailingOutput> outputs;
    auto stream = host_.make_stream();
    if (!stream) return outputs;
    const GemmBound bound = gemm_bound(problem_, accumulation, model_, terms_, gemm_needs_double_double<Op>).bound;
    auto reference = gemm_reference<Op>(host_, stream.value(), problem_, arguments(problem_, before), bound);
    if (!reference) return outputs;
    outputs.push_back(look_beside(reference.value().expected(), after[2]));
    return outputs;
  }
  template <class Expected>
  [[nodiscard]] FailingOutput look_beside(const Expected& expected, const Operand& after) {
    return failing_output("C", after, AnyExpectation(expected), tolerance_, host_);
  }

  /// Rows that can be afforded, spread over the output; all of those that a hypothesis explains are looked at.
  [[nodiscard]] DiagnosedCase::Trial judge(const GemmProblem* varied, const OperandArray& before,
                                           const OperandArray& after, const AccumulationModel& accumulation) {
    DiagnosedCase::Trial trial;
    GemmProblem problem = varied != nullptr ? *varied : problem_;
    if (problem.batch != problem_.batch || problem.m != problem_.m || problem.n != problem_.n ||
        problem.k > problem_.k || problem.k < 1 || (problem.beta != 0 && problem_.beta == 0))
      return trial;
    OperandArray given = before;
    if (varied != nullptr) {
      const auto layout = lay_out(problem);
      if (!layout || layout.value().a.elements > stored_.a.elements || layout.value().b.elements > stored_.b.elements)
        return trial;
      given[0] = operand_of(matrix_view(static_cast<A*>(before[0].data), layout.value().a, problem.batch));
      given[1] = operand_of(matrix_view(static_cast<B*>(before[1].data), layout.value().b, problem.batch));
    }
    Operand written = after[2];
    const Index affordable =
        std::max<Index>(1, (Index{1} << 26) / std::max<Index>(1, problem.n * problem.k * problem.batch));
    const Index step = (problem.m + affordable - 1) / affordable;
    if (step > 1) {
      problem.m = (problem.m + step - 1) / step;
      for (Operand* operand : {&given[0], &given[2], &written})
        operand->extents[1] = problem.m, operand->strides[1] *= step;
    }
    auto stream = host_.make_stream();
    if (!stream) return trial;
    const GemmBound bound = gemm_bound(problem, accumulation, model_, terms_, gemm_needs_double_double<Op>).bound;
    auto reference =
        gemm_reference<Op>(host_, stream.value(), problem, arguments(problem, given), bound, {GemmScales::exact});
    if (!reference) return trial;
    const auto compared =
        compare(host_, stream.value(), written.view<C, 3>(), reference.value().expected(), tolerance_);
    if (!compared) return trial;
    return {true, compared.value().elements, compared.value().violations, compared.value().undetermined};
  }

  /// Runs a kernel on copies that are stored as its problem says. C comes as it is given, where it is not read, too.
  [[nodiscard]] bool rerun(const GemmSubject<Op>& subject, const OperandArray& operands) {
    auto stream = host_.make_stream();
    if (!stream) return false;
    auto a = Tensor<A, Host>::create(host_, stream.value(), stored_.a.elements);
    auto b = Tensor<B, Host>::create(host_, stream.value(), stored_.b.elements);
    auto c = Tensor<C, Host>::create(host_, stream.value(), stored_.c.elements);
    if (!a || !b || !c || !c.value().poison(host_, stream.value())) return false;
    const Operand copies[3] = {operand_of(matrix_view(a.value().data(), stored_.a, problem_.batch)),
                               operand_of(matrix_view(b.value().data(), stored_.b, problem_.batch)),
                               operand_of(matrix_view(c.value().data(), stored_.c, problem_.batch))};
    const auto copy = [](const Operand& from, const Operand& to) {
      for (Index element = 0; element < from.size(); ++element)
        to.format.store_code(to.data, to.offset_of(element), from.format.load_code(from.data, from.offset_of(element)));
    };
    for (int position = 0; position < 3; ++position) copy(operands[position], copies[position]);
    if (!subject.run(problem_, {matrix_view<const A>(a.value().data(), stored_.a, problem_.batch),
                                matrix_view<const B>(b.value().data(), stored_.b, problem_.batch),
                                matrix_view<C>(c.value().data(), stored_.c, problem_.batch)}))
      return false;
    copy(copies[2], operands[2]);
    return true;
  }

 private:
  [[nodiscard]] static typename Op::Arguments arguments(const GemmProblem& problem, const OperandArray& operands) {
    typename Op::Arguments arguments{operands[0].view<const A, 3>(), operands[1].view<const B, 3>(),
                                     operands[2].view<C, 3>()};
    if (problem.beta == 0) arguments.c.data = nullptr;
    arguments.a.extents[2] = arguments.b.extents[1] = problem.k;
    return arguments;
  }
  GemmProblem problem_;
  GemmLayout stored_{};
  RoundingModel model_;
  Index terms_;
  ChosenTolerance tolerance_;
  Host host_;
};

}  // namespace detail

/// Has a launch of a GEMM diagnosed that was refuted, by `options.by` (nothing is said where that is null): `before`
/// are the operands that it was given (C is not read where β = 0), `after` is C as it left it, in host memory;
/// `expected` is that of its `GemmReference`.
template <class Op, class Expected>
[[nodiscard]] std::vector<Diagnosis> diagnose_gemm(const GemmSubject<Op>& subject, const GemmProblem& problem,
                                                   const GemmData& data, const typename Op::Arguments& before,
                                                   const StridedView<typename Op::FormatC, 3>& after,
                                                   const Expected& expected, const ChosenTolerance& tolerance,
                                                   std::vector<std::string> memory_findings, bool runs_differ,
                                                   const DiagnosisOptions& options) {
  if (options.by == nullptr) return {};
  const AccumulationModel accumulation = subject.accumulation(problem);
  detail::GemmInquiry<Op> inquiry(problem, data.model, data.terms, tolerance),
      of_any_data(problem, RoundingModel::worst_case, problem.k, tolerance);
  DiagnosedCase given;
  given.specs = inquiry.specs();
  given.before.count = given.after.count = 3;
  given.before[0] = given.after[0] = detail::operand_of(before.a);
  given.before[1] = given.after[1] = detail::operand_of(before.b);
  given.before[2] = detail::operand_of(before.c);
  given.after[2] = detail::operand_of(after);
  if (problem.beta == 0) given.before[2] = given.after[2];
  given.memory_findings = std::move(memory_findings);
  given.runs_differ = runs_differ;
  given.arithmetic.accumulation = accumulation;
  given.outputs.push_back(inquiry.look_beside(expected, given.after[2]));
  given.seconds_a_look =
      1e-9 * static_cast<double>(problem.batch * problem.m) * static_cast<double>(problem.n * problem.k);
  given.variations = problem_variations(problem);
  given.tells_terms = true;
  given.own_explanation = [&]() -> std::optional<Diagnosis> {
    return wrong_gemm_terms(given.outputs.front(), given.before[0], given.before[1], problem.alpha);
  };
  const auto judge_by = [&given, &problem](detail::GemmInquiry<Op>& by) {
    return [&given, &problem, &by](int variation, const OperandArray& other, const OperandArray& written,
                                   const Arithmetic& promised) {
      if (variation < 0) return by.judge(nullptr, other, written, promised.accumulation);
      const GemmProblem changed = varied(problem, given.variations[static_cast<std::size_t>(variation)]);
      return by.judge(&changed, other, written, promised.accumulation);
    };
  };
  given.judge = judge_by(inquiry);
  given.judge_any_data = judge_by(of_any_data);
  given.rerun = [&](const OperandArray& operands) { return inquiry.rerun(subject, operands); };
  given.look = [&](const OperandArray& other, const OperandArray& written) {
    return inquiry.look(other, written, accumulation);
  };
  given.look_at_any_data = [&](const OperandArray& other, const OperandArray& written) {
    return of_any_data.look(other, written, accumulation);
  };
  return options.by(given, options);
}

}  // namespace assay::inline v0
