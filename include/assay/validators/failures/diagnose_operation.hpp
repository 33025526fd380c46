#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/compare/compare_operand.hpp"
#include "assay/core/outcome.hpp"
#include "assay/validators/check_steps.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

namespace detail {

/// Asks about a failing case of an operation, whose operands lie in host memory.
template <Operation Op>
class OperationInquiry {
 public:
  using Problem = typename Op::Problem;

  OperationInquiry(const Problem& problem, const std::vector<OperandSpec>& specs, RoundingModel model,
                   const ChosenTolerance& tolerance)
      : problem_(problem), specs_(specs), model_(model), tolerance_(tolerance) {}

  /// Outputs beside what is expected of them; of operations that judge by themselves, beside what is due by the choices
  /// that the kernel made, where the operation tells, or else beside what Assay's own kernel gives.
  [[nodiscard]] std::vector<FailingOutput> look(const OperandArray& before, const OperandArray& after,
                                                const Arithmetic& arithmetic) {
    std::vector<FailingOutput> outputs;
    auto stream = host_.make_stream();
    if (!stream) return outputs;
    auto reference = Op::reference(host_, stream.value(), problem_, before, model_, arithmetic);
    if (!reference) return outputs;
    auto expected = reference.value().expected;
    std::optional<ChangedOperands> portable;
    int own = 0;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].role == OperandRole::input) continue;
      expected.output = own++;
      if (!specs_[i].present) continue;
      const int position = static_cast<int>(i);
      if constexpr (requires { Op::due_by_choices(problem_, after, before, 0, arithmetic); }) {
        outputs.push_back(failing_output(specs_[i].name, after[position],
                                         Op::due_by_choices(problem_, after, before, expected.output, arithmetic),
                                         tolerance_));
        continue;
      }
      if (judges_itself(before, after, expected.output, arithmetic)) {
        if (!portable) {
          portable.emplace(before);
          for (std::size_t j = 0; j < specs_.size(); ++j)
            if (specs_[j].role != OperandRole::input && specs_[j].present)
              static_cast<void>(portable->own(static_cast<int>(j)));
          if constexpr (requires { Op::portable(host_, stream.value(), problem_, portable->array()); }) {
            if (!Op::portable(host_, stream.value(), problem_, portable->array())) return {};
          } else {
            return {};  // no right answer is at hand
          }
        }
        outputs.push_back(failing_output(specs_[i].name, after[position], portable->array()[position]));
      } else {
        outputs.push_back(failing_output(specs_[i].name, after[position], AnyExpectation(expected), tolerance_, host_));
      }
    }
    return outputs;
  }

  /// Writes what Assay's own kernel gives.
  [[nodiscard]] bool answer(const OperandArray& operands) {
    auto stream = host_.make_stream();
    if constexpr (requires { Op::portable(host_, stream.value(), problem_, operands); })
      return stream && Op::portable(host_, stream.value(), problem_, operands);
    return false;
  }

  [[nodiscard]] DiagnosedCase::Trial judge(const Problem& problem, const OperandArray& before,
                                           const OperandArray& after, const Arithmetic& arithmetic) {
    DiagnosedCase::Trial trial;
    const auto specs = Op::operands(problem);
    if (!specs || specs.value().size() != specs_.size()) return trial;
    OperandArray given = before;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      const OperandSpec &asked = specs_[i], &own = specs.value()[i];
      if (!own.present) {
        if (asked.role != OperandRole::input && asked.present) return trial;
        continue;
      }
      if (!asked.present || own.role != asked.role || own.extents.size() != asked.extents.size() ||
          !(own.format == asked.format))
        return trial;
      for (std::size_t d = 0; d < own.extents.size(); ++d) {
        if (own.extents[d] == asked.extents[d]) continue;
        if (asked.role != OperandRole::input || own.extents[d] > asked.extents[d]) return trial;
        given[static_cast<int>(i)].extents[d] = own.extents[d];
      }
    }
    auto stream = host_.make_stream();
    if (!stream) return trial;
    auto reference = Op::reference(host_, stream.value(), problem, given, model_, arithmetic);
    if (!reference) return trial;
    auto expected = reference.value().expected;
    int own = 0;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].role == OperandRole::input) continue;
      expected.output = own++;
      if (!specs_[i].present) continue;
      if constexpr (requires(Outcome & outcome) {
                      { Op::judge(problem, after, given, own, arithmetic, outcome) } -> std::same_as<bool>;
                    }) {
        Outcome outcome;
        if (Op::judge(problem, after, given, expected.output, arithmetic, outcome)) {
          trial.ran = true;
          trial.elements += static_cast<std::uint64_t>(outcome.measurement(measurement::elements).value_or(0));
          trial.violations +=
              outcome.verdict == Verdict::fail
                  ? std::max<std::uint64_t>(
                        1, static_cast<std::uint64_t>(outcome.measurement(measurement::violations).value_or(1)))
                  : 0;
          continue;
        }
      }
      const auto compared = compare_operand(host_, stream.value(), after[static_cast<int>(i)], expected, tolerance_);
      if (!compared) return {};
      trial.ran = true;
      trial.elements += compared.value().elements;
      trial.violations += compared.value().violations;
      trial.undetermined += compared.value().undetermined;
    }
    return trial;
  }

 private:
  [[nodiscard]] bool judges_itself(const OperandArray& before, const OperandArray& after, int own,
                                   const Arithmetic& arithmetic) const {
    if constexpr (requires(Outcome & outcome) {
                    { Op::judge(problem_, after, before, own, arithmetic, outcome) } -> std::same_as<bool>;
                  }) {
      Outcome outcome;
      return Op::judge(problem_, after, before, own, arithmetic, outcome);
    } else {
      static_cast<void>(before), static_cast<void>(after), static_cast<void>(own), static_cast<void>(arithmetic);
      return false;
    }
  }

  const Problem& problem_;
  const std::vector<OperandSpec>& specs_;
  RoundingModel model_;
  ChosenTolerance tolerance_;
  Host host_{1};
};

}  // namespace detail

/// Operations whose kernels choose or draw may tell two things: `Op::due_by_choices(problem, after, before, output,
/// arithmetic)`, an `ExpectedElement` each for what is due by the choices that were made, and `Op::explain(problem,
/// after, before, arithmetic)`, a `std::optional<Diagnosis>` of what is wrong with the choices as a whole.
///
/// Has a launch diagnosed that was refuted, by `options.by` (nothing is said where that is null): `before` are the
/// operands that it was given, `after` those with what it wrote, in host memory.
template <Operation Op>
[[nodiscard]] std::vector<Diagnosis> diagnose_operation(
    const OperationSubject<Op>& subject, const typename Op::Problem& problem, const std::vector<OperandSpec>& specs,
    const OperationData& data, const OperandArray& before, const OperandArray& after, const ChosenTolerance& tolerance,
    std::vector<std::string> memory_findings, bool runs_differ, const DiagnosisOptions& options) {
  if (options.by == nullptr) return {};
  const Arithmetic arithmetic = subject.arithmetic(problem);
  detail::OperationInquiry<Op> inquiry(problem, specs, data.model, tolerance),
      of_any_data(problem, specs, RoundingModel::worst_case, tolerance);
  DiagnosedCase given;
  given.specs = specs;
  given.before = before;
  given.after = after;
  given.memory_findings = std::move(memory_findings);
  given.runs_differ = runs_differ;
  given.arithmetic = arithmetic;
  auto clock = std::chrono::steady_clock::now();
  given.outputs = inquiry.look(before, after, arithmetic);
  given.seconds_a_look = detail::lap(clock);
  given.variations = problem_variations(problem);
  const auto judge_by = [&given, &problem](detail::OperationInquiry<Op>& by) {
    return [&given, &problem, &by](int variation, const OperandArray& other, const OperandArray& written,
                                   const Arithmetic& promised) {
      return by.judge(variation < 0 ? problem : varied(problem, given.variations[static_cast<std::size_t>(variation)]),
                      other, written, promised);
    };
  };
  given.judge = judge_by(inquiry);
  given.judge_any_data = judge_by(of_any_data);
  if constexpr (requires { Op::explain(problem, after, before, arithmetic); }) {
    given.answer = [&](const OperandArray& operands) { return inquiry.answer(operands); };
    given.own_explanation = [&]() -> std::optional<Diagnosis> {
      return Op::explain(problem, after, before, arithmetic);
    };
  }
  given.rerun = [&](const OperandArray& operands) { return subject.run(problem, operands).has_value(); };
  given.look = [&](const OperandArray& other, const OperandArray& written) {
    return inquiry.look(other, written, arithmetic);
  };
  given.look_at_any_data = [&](const OperandArray& other, const OperandArray& written) {
    return of_any_data.look(other, written, arithmetic);
  };
  return options.by(given, options);
}

}  // namespace assay::inline v0
