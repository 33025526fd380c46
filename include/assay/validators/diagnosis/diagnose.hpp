#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/validators/diagnosis/detail/appearance.hpp"
#include "assay/validators/diagnosis/detail/counterfactuals.hpp"
#include "assay/validators/diagnosis/detail/evidence.hpp"
#include "assay/validators/diagnosis/detail/irregular_data.hpp"
#include "assay/validators/diagnosis/detail/machine_patterns.hpp"
#include "assay/validators/diagnosis/detail/output_transforms.hpp"
#include "assay/validators/diagnosis/detail/places.hpp"
#include "assay/validators/diagnosis/detail/relaunches.hpp"
#include "assay/validators/diagnosis/detail/row_patterns.hpp"
#include "assay/validators/diagnosis/detail/sensitivity.hpp"
#include "assay/validators/diagnosis/detail/stuck_loads.hpp"
#include "assay/validators/diagnosis/diagnosis_options.hpp"

namespace assay::inline v0 {

namespace detail {

/// Of the inputs, and of their last dimensions together.
[[nodiscard]] inline std::vector<Index> input_extents(const DiagnosedCase& given) {
  std::vector<Index> extents;
  for (std::size_t i = 0; i < given.specs.size(); ++i) {
    if (given.specs[i].role == OperandRole::output || !given.specs[i].present) continue;
    const std::vector<Index>& own = given.specs[i].extents;
    Index product = 1;
    for (std::size_t d = own.size(); d-- > 0;) {
      product *= own[d];
      for (const Index extent : {own[d], product})
        if (extent > 1 && std::find(extents.begin(), extents.end(), extent) == extents.end()) extents.push_back(extent);
    }
  }
  return extents;
}

/// Whether an input is not zero, and nowhere as large as the smallest normal number.
[[nodiscard]] inline bool all_inputs_subnormal(const DiagnosedCase& given) {
  for (std::size_t i = 0; i < given.specs.size(); ++i) {
    const Operand& operand = given.before[static_cast<int>(i)];
    if (given.specs[i].role == OperandRole::output || !given.specs[i].present || !operand.format.is_float()) continue;
    double largest = 0;
    for (Index element = 0; element < operand.size(); ++element) largest = std::max(largest, absolute(operand.load(element)));
    if (largest > 0 && largest < std::ldexp(1.0, operand.format.layout.min_exponent())) return true;
  }
  return false;
}

/// Whether an input has a subnormal number anywhere: kernels may take it for 0.
[[nodiscard]] inline bool any_input_subnormal(const DiagnosedCase& given) {
  for (std::size_t i = 0; i < given.specs.size(); ++i) {
    const Operand& operand = given.before[static_cast<int>(i)];
    if (given.specs[i].role == OperandRole::output || !given.specs[i].present || !operand.format.is_float()) continue;
    const double least = std::ldexp(1.0, operand.format.layout.min_exponent());
    for (Index element = 0; element < operand.size(); ++element)
      if (const double magnitude = absolute(operand.load(element)); magnitude > 0 && magnitude < least) return true;
  }
  return false;
}

/// Whether what was written is right for a kernel that finds zeros in one of its inputs.
[[nodiscard]] inline bool zeros_give_zeros(const DiagnosedCase& given) {
  for (std::size_t i = 0; given.judge && i < given.specs.size(); ++i) {
    const int position = static_cast<int>(i);
    if (given.specs[i].role == OperandRole::output || !given.specs[i].present || !given.before[position].format.is_float()) continue;
    ChangedOperands changed(given.before);
    const Operand& operand = changed.own(position);
    for (Index element = 0; element < operand.size(); ++element) operand.store(element, 0);
    const DiagnosedCase::Trial trial = given.judge(-1, changed.array(), given.after, given.arithmetic);
    if (trial.ran && trial.violations == 0) return true;
  }
  return false;
}

/// Whether an input has a NaN, an infinity or a subnormal number anywhere.
[[nodiscard]] inline bool any_input_special(const DiagnosedCase& given) {
  for (std::size_t i = 0; i < given.specs.size(); ++i) {
    const Operand& operand = given.before[static_cast<int>(i)];
    if (given.specs[i].role == OperandRole::output || !given.specs[i].present || !operand.format.is_float()) continue;
    for (Index element = 0; element < operand.size(); ++element)
      if (!is_finite(operand.load(element))) return true;
  }
  return any_input_subnormal(given);
}

/// Whether integers in the output can only be places.
[[nodiscard]] inline bool all_inputs_floats(const DiagnosedCase& given) {
  for (const OperandSpec& spec : given.specs)
    if (spec.role == OperandRole::input && spec.present && !spec.format.is_float()) return false;
  return !given.specs.empty();
}

/// Puts the answers that were due in the place of those that were given.
inline void write_right_answers(const DiagnosedCase& given, ChangedOperands& right) {
  for (const FailingOutput& output : given.outputs)
    for (std::size_t position = 0; position < given.specs.size(); ++position)
      if (given.specs[position].name == output.name) {
        const Operand& operand = right.own(static_cast<int>(position));
        for (std::size_t i = 0; i < output.size(); ++i) operand.store(static_cast<Index>(i), output.expected[i]);
      }
}

inline void add(std::vector<Diagnosis>& to, Diagnosis diagnosis, const FailurePlaces& places) {
  for (const std::string& sentence : places.sentences) diagnosis.evidence.push_back(sentence);
  to.push_back(std::move(diagnosis));
}

}  // namespace detail

/// Names the likeliest causes of a failure, most likely first.
///
/// Asked in this order: what happened to memory; whether runs differ; whether the output is the right one after something was done to each element; of what other question it
/// is the right answer; whether its elements stand in wrong places; to which inputs the kernel reacts otherwise than it should; what sizes and places suggest. What explains every element ends the search.
[[nodiscard]] inline std::vector<Diagnosis> diagnose(const DiagnosedCase& given, const DiagnosisOptions& options = {}) {
  constexpr std::size_t few_elements = 4;
  std::vector<Diagnosis> found;
  const bool may_rerun = options.may_rerun && given.rerun && given.look && given.seconds_a_look < options.seconds / 4;
  bool unwritten = !given.memory_findings.empty() && detail::only_unwritten(given);
  if (!given.memory_findings.empty() && !unwritten) return {detail::by_memory(given)};
  for (const FailingOutput& output : given.outputs) unwritten = unwritten || detail::holds_poison(output);
  if (given.runs_differ)
    found.push_back({FaultClass::state, "runs_differ", Confidence::likely, {"the same launch gives other bits when it is repeated"}, {}});
  if (may_rerun)
    if (auto relaunched = detail::Relaunches(given, options.seconds).explanation();
        relaunched && !(unwritten && relaunched->fault_class == FaultClass::memory)) {
      for (const FailingOutput& output : given.outputs)
        if (output.violations > 0 && !relaunched->picture) relaunched->picture = detail::violation_map(output);
      return {std::move(*relaunched)};
    }
  const bool repeats = may_rerun;  // or else that would have been told
  std::optional<detail::IrregularLaunch> irregular;
  if (may_rerun && given.seconds_a_look < options.seconds / 16) irregular.emplace(given);
  const std::vector<FailingOutput> irregular_outputs = irregular ? irregular->outputs() : std::vector<FailingOutput>();
  if (unwritten) return {detail::by_unwritten(given, irregular_outputs)};

  std::vector<const FailingOutput*> wrong;
  for (const FailingOutput& output : given.outputs)
    if (output.violations > 0) wrong.push_back(&output);
  std::sort(wrong.begin(), wrong.end(),
            [](const FailingOutput* a, const FailingOutput* b) { return a->violations * b->size() > b->violations * a->size(); });
  for (const FailingOutput* output : wrong) {
    const detail::FailurePlaces places = detail::failure_places(*output);
    for (Diagnosis& one : detail::OutputTransforms(*output, detail::input_extents(given)).explanations()) {
      if (wrong.size() > 1 && one.confidence == Confidence::certain) one.confidence = Confidence::likely;
      detail::add(found, std::move(one), places);
    }
    if (!found.empty()) break;
  }
  const auto finish = [&]() {
    if (!wrong.empty() && !found.empty() && !found.front().picture) found.front().picture = detail::violation_map(*wrong.front());
    return std::move(found);
  };
  detail::DataTell data = detail::DataTell::nothing;
  bool right_on_irregular = !irregular_outputs.empty();
  for (const FailingOutput& output : irregular_outputs) right_on_irregular = right_on_irregular && output.violations == 0;
  if (irregular && irregular->normal_numbers_fail()) data = detail::DataTell::all_fail;
  if (data == detail::DataTell::all_fail)
    std::erase_if(found, [](const Diagnosis& one) { return one.fault_class == FaultClass::special_value; });
  if (right_on_irregular && detail::any_input_special(given)) data = detail::DataTell::special_fail;
  if (!found.empty() && found.front().kind == "zeros" && found.front().confidence == Confidence::certain &&
      detail::zeros_give_zeros(given)) {
    found.front().confidence = Confidence::likely;
    found.front().evidence.push_back("so it would be if an input were 0 throughout");
  }
  if (!found.empty() && found.front().kind == "zeros" && detail::all_inputs_subnormal(given))
    found.front() = {FaultClass::special_value,
                     "subnormals_flushed",
                     Confidence::likely,
                     {"the output is 0 throughout, and an input has subnormal numbers only"},
                     {}};
  if (!found.empty() && found.front().confidence == Confidence::certain) return finish();

  for (const FailingOutput* output : wrong)
    if (auto former = detail::by_former_contents(given, *output)) {
      detail::add(found, std::move(*former), detail::failure_places(*output));
      return finish();
    }

  for (const FailingOutput* output : wrong) {
    if (output->violations < 16) continue;
    const auto index = static_cast<std::size_t>(output - given.outputs.data());
    if (auto displaced = detail::by_places(*output, repeats, index < irregular_outputs.size() ? &irregular_outputs[index] : nullptr)) {
      detail::add(found, std::move(*displaced), detail::failure_places(*output));
      return finish();
    }
  }
  for (const FailingOutput& output : irregular_outputs)
    if (output.violations >= 3)
      if (auto displaced = detail::by_places(output, repeats)) {
        displaced->evidence.push_back("on other, irregular data, on which the kernel was launched");
        detail::add(found, std::move(*displaced), detail::failure_places(output));
        return finish();
      }

  std::optional<Diagnosis> own = given.own_explanation ? given.own_explanation() : std::nullopt;
  const bool many_terms = own && own->kind.find("scattered") != std::string::npos;  // which zeros among the inputs would explain as well
  const bool perhaps_flushed = own && own->fault_class == FaultClass::missing_work && detail::any_input_subnormal(given);
  if (own && !many_terms && !perhaps_flushed) {
    found.insert(found.begin(), std::move(*own));
    return finish();
  }

  if (given.judge && !given.outputs.empty()) {
    detail::ChangedOperands right(given.after);
    detail::write_right_answers(given, right);
    const bool other = irregular && !irregular_outputs.empty();
    detail::Counterfactuals counterfactuals(given, right.array(), options.seconds, other ? &irregular->diagnosed_case() : nullptr);
    std::vector<Diagnosis> explanations = counterfactuals.explanations(many_terms        ? detail::Hypotheses::zeros
                                                                       : perhaps_flushed ? detail::Hypotheses::flushed
                                                                                         : detail::Hypotheses::all);
    for (Diagnosis& one : explanations)
      one.evidence.push_back("of " + std::to_string(counterfactuals.tried()) + " hypotheses tried, " + std::to_string(explanations.size()) +
                             " left nothing unexplained");
    if (!explanations.empty()) {
      found.insert(found.begin(), explanations.begin(), explanations.end());
      return finish();
    }
  }
  if (own) {
    found.insert(found.begin(), std::move(*own));
    return finish();
  }
  for (const FailingOutput& output : irregular_outputs)
    if (output.violations >= 16)
      if (auto machine = detail::by_machine_pattern(output)) {
        machine->evidence.push_back("on other, irregular data, on which the kernel was launched");
        detail::add(found, std::move(*machine), detail::failure_places(output));
        return finish();
      }
  if (irregular && given.judge && !irregular_outputs.empty()) {
    const DiagnosedCase& other = irregular->diagnosed_case();
    detail::ChangedOperands right(other.after);
    detail::write_right_answers(other, right);
    std::vector<Diagnosis> explanations = detail::Counterfactuals(other, right.array(), options.seconds).wrong_places();
    for (Diagnosis& one : explanations) one.evidence.push_back("on other, irregular data, on which the kernel was launched");
    if (!explanations.empty()) {
      found.insert(found.begin(), explanations.begin(), explanations.end());
      return finish();
    }
  }
  if (repeats)
    if (auto stuck = detail::StuckLoads(given, options.seconds).explanation()) {
      found.insert(found.begin(), std::move(*stuck));
      return finish();
    }
  if (!wrong.empty()) {
    const detail::FailurePlaces places = detail::failure_places(*wrong.front());
    const bool zeros = detail::failure_sizes(*wrong.front()).zeros == wrong.front()->violations;
    if (auto tile = zeros ? std::nullopt : detail::by_tile(*wrong.front(), places)) {
      detail::add(found, std::move(*tile), places);
      return finish();
    }
    if (auto special = detail::by_special_inputs(given, *wrong.front())) {
      detail::add(found, std::move(*special), places);
      return finish();
    }
    if (auto machine = detail::by_machine_pattern(*wrong.front())) {
      detail::add(found, std::move(*machine), places);
      return finish();
    }
    if (auto displaced = detail::by_places(*wrong.front(), repeats)) {
      detail::add(found, std::move(*displaced), places);
      return finish();
    }
  }
  if (irregular && !wrong.empty() && wrong.front()->size() <= few_elements && given.seconds_a_look < options.seconds / 64) {
    constexpr Index launches = 32;
    const auto index = static_cast<std::size_t>(wrong.front() - given.outputs.data());
    if (const auto stacked = detail::stacked_launches(given, index, launches); stacked && 4 * stacked->violations >= stacked->size()) {
      std::optional<Diagnosis> named = detail::by_machine_pattern(*stacked);
      if (auto explained = detail::OutputTransforms(*stacked, detail::input_extents(given)).explanations(); !named && !explained.empty())
        named = std::move(explained.front());
      if (named) {
        if (named->confidence == Confidence::certain) named->confidence = Confidence::likely;
        named->evidence.push_back("in " + std::to_string(launches) + " launches on other, irregular data, one in each row");
        found.insert(found.begin(), std::move(*named));
        return finish();
      }
    }
  }
  if (may_rerun)
    if (auto reaction = detail::explain_by_reactions(given, options.seconds)) found.push_back(std::move(*reaction));
  if (!wrong.empty()) {
    if (auto factors = detail::row_factors(*wrong.front())) found.push_back(std::move(*factors));
    if (auto addends = detail::row_addends(*wrong.front())) found.insert(found.begin(), std::move(*addends));
    found.push_back(
        detail::by_appearance(*wrong.front(), given.arithmetic, given.own_explanation != nullptr, detail::all_inputs_floats(given), data));
  }
  return finish();
}

}  // namespace assay::inline v0
