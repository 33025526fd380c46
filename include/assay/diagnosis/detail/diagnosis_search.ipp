#pragma once

#include "assay/diagnosis/detail/diagnosis_search.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE DiagnosisSearch::DiagnosisSearch(const DiagnosedCase& given, const DiagnosisOptions& options)
    : given_(given),
      options_(options),
      may_rerun_(options.may_rerun && given.rerun && given.look && given.seconds_a_look < options.seconds / 4),
      unwritten_(!given.memory_findings.empty() && only_unwritten(given)) {
  for (const FailingOutput& output : given.outputs) {
    unwritten_ = unwritten_ || holds_poison(output);
    if (output.violations > 0) wrong_.push_back(&output);
  }
  std::sort(wrong_.begin(), wrong_.end(), [](const FailingOutput* a, const FailingOutput* b) {
    return a->violations * b->size() > b->violations * a->size();
  });
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> DiagnosisSearch::causes() {
  using Self = DiagnosisSearch;
  for (const auto stage :
       {&Self::memory_findings, &Self::differing_runs, &Self::strict_tolerance, &Self::relaunches, &Self::unwritten,
        &Self::transforms, &Self::transforms_in_places, &Self::former_contents, &Self::displacements,
        &Self::own_explanation, &Self::other_questions, &Self::other_questions_of_irregular_launch, &Self::stuck_loads,
        &Self::patterns, &Self::many_launches, &Self::appearance})
    if ((this->*stage)()) break;
  if (!layout_.empty() && !found_.empty()) found_.front().evidence.push_back(layout_);
  if (!wrong_.empty() && !found_.empty() && !found_.front().picture)
    found_.front().picture = violation_map(*wrong_.front());
  return std::move(found_);
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::strict_tolerance() {
  const auto only_by_tolerance = [](const FailingOutput* output) { return only_tolerance_refutes(*output); };
  if (unwritten_ || wrong_.empty() || !std::all_of(wrong_.begin(), wrong_.end(), only_by_tolerance)) return false;
  found_.push_back({rounding,
                    "tolerance_below_rounding",
                    Confidence::likely,
                    {"every wrong element lies within what rounding allows a right kernel; the chosen tolerance (" +
                     wrong_.front()->tolerance.describe() + ") is stricter, and the derived one accepts them all"},
                    {}});
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::relaunches() {
  if (!may_rerun_) return false;
  Relaunches again(given_, options_.seconds);
  auto relaunched = again.explanation();
  layout_ = again.evidence_of_layout();
  if (!relaunched || (unwritten_ && relaunched->fault_class == memory) ||
      (relaunched->fault_class == addressing && special_inputs()))
    return false;
  layout_.clear();
  return settle_by(std::move(*relaunched));
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::transforms() {
  for (const FailingOutput* output : wrong_)
    if (auto zeros = by_zeros_due(*output)) return located(std::move(*zeros), *output);
  for (const FailingOutput* output : wrong_) {
    const FailurePlaces places = failure_places(*output);
    for (Diagnosis& one : OutputTransforms(*output, input_extents(given_)).explanations()) {
      if (wrong_.size() > 1 && one.confidence == Confidence::certain) one.confidence = Confidence::likely;
      located(std::move(one), places);
    }
    if (!found_.empty()) break;
  }
  compare_with_irregular_data();
  if (!found_.empty() && found_.front().kind == "zeros") doubt_zeros();
  return !found_.empty() && found_.front().confidence == Confidence::certain;
}

ASSAY_DETAIL_HEADER_INLINE void DiagnosisSearch::compare_with_irregular_data() {
  if (!irregular_) return;
  if (irregular_->normal_numbers_fail()) {
    data_ = DataTell::all_fail;
    std::erase_if(found_, [](const Diagnosis& one) { return one.fault_class == special_value; });
  }
  irregular_right_ = irregular_->right();
  const InputNumbers numbers = input_numbers(given_);
  if (irregular_right_ && numbers.special()) data_ = DataTell::special_fail;
  if (!numbers.nonfinite && !numbers.large && !wrong_.empty() && overflown(*wrong_.front()) &&
      (irregular_right_ || IrregularLaunch(given_, 0, -8).right()))
    data_ = DataTell::size_fail;
}

ASSAY_DETAIL_HEADER_INLINE void DiagnosisSearch::doubt_zeros() {
  Diagnosis& zeros = found_.front();
  if (zeros.confidence == Confidence::certain && zeros_give_zeros()) {
    zeros.confidence = Confidence::likely;
    zeros.evidence.push_back("so it would be if an input were 0 throughout");
  }
  if (input_numbers(given_).subnormal_throughout)
    zeros = {special_value,
             "subnormals_flushed",
             Confidence::likely,
             {"the output is 0 throughout, and an input has subnormal numbers only"},
             {}};
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::zeros_give_zeros() const {
  for (const int position : given_.judge ? float_inputs(given_) : std::vector<int>()) {
    ChangedOperands changed(given_.before);
    const Operand& operand = changed.own(position);
    for (Index element = 0; element < operand.size(); ++element) operand.store(element, 0);
    const DiagnosedCase::Trial trial = given_.judge(-1, changed.array(), given_.after, given_.arithmetic);
    if (trial.ran && trial.violations == 0) return true;
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::transforms_in_places() {
  if (!found_.empty()) return false;
  for (const FailingOutput* output : wrong_)
    if (auto narrow = by_few_bits(*output)) return located(std::move(*narrow), *output);
  for (const FailingOutput* output : wrong_) {
    for (const auto question : {&by_stray_stores, &by_initial_values, &by_idle_threads}) {
      if (auto told = question(*output)) return located(std::move(*told), *output);
      const FailingOutput* const irregular = irregular_output(*output);
      if (irregular == nullptr) continue;
      if (auto told = question(*irregular)) return located_on_irregular_data(std::move(*told), *irregular);
    }
  }
  for (const FailingOutput* output : wrong_) {
    auto repeated = by_multiplied(*output, irregular_output(*output));
    if (!repeated && looks_are_cheap()) repeated = SecondPass(given_, number_of(*output)).explanation();
    if (repeated) return located(std::move(*repeated), *output);
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::displacements() {
  for (const FailingOutput* output : wrong_) {
    if (special_inputs()) break;
    if (output->violations < 16) continue;
    if (auto displaced = by_places(*output, may_rerun_, irregular_output(*output));
        displaced && !of_tile(*output, *displaced))
      return located(std::move(*displaced), *output);
  }
  for (const FailingOutput& output : irregular_outputs())
    if (output.violations >= 3)
      if (auto displaced = by_places(output, may_rerun_); displaced && !of_tile(output, *displaced))
        return located_on_irregular_data(std::move(*displaced), output);
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::own_explanation() {
  if (given_.own_explanation) own_ = given_.own_explanation();
  if (data_ == DataTell::special_fail) alternatives_ = Hypotheses::special;
  if (!own_ || own_->confidence == Confidence::possible) return false;
  if (own_->kind.find("scattered") != std::string::npos || own_->kind.find("most") != std::string::npos)
    alternatives_ = Hypotheses::zeros;  // which zeros among the inputs would explain as well
  else if (own_->fault_class == missing_work && input_numbers(given_).subnormal)
    alternatives_ = Hypotheses::flushed;
  return alternatives_ == Hypotheses::all && likeliest(*own_);
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::other_questions() {
  if (given_.judge && !given_.outputs.empty()) {
    ChangedOperands right(given_.after);
    write_right_answers(given_, right);
    Counterfactuals counterfactuals(given_, right.array(), options_.seconds,
                                    irregular_outputs().empty() ? nullptr : &irregular_->diagnosed_case());
    std::vector<Diagnosis> explanations = counterfactuals.explanations(alternatives_);
    for (Diagnosis& one : explanations)
      one.evidence.push_back("of " + std::to_string(counterfactuals.tried()) + " hypotheses tried, " +
                             std::to_string(explanations.size()) + " left nothing unexplained");
    if (likeliest(std::move(explanations))) return true;
  }
  return own_ && own_->confidence != Confidence::possible && likeliest(*own_);
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::other_questions_of_irregular_launch() {
  for (const FailingOutput& output : irregular_outputs())
    if (output.violations >= 16)
      if (auto machine = by_machine_pattern(output)) return located_on_irregular_data(std::move(*machine), output);
  if (!given_.judge || irregular_outputs().empty()) return false;
  const DiagnosedCase& other = irregular_->diagnosed_case();
  if (other.judge(-1, other.before, other.after, other.arithmetic).violations == 0)
    return false;  // of right answers other questions tell nothing
  ChangedOperands right(other.after);
  write_right_answers(other, right);
  std::vector<Diagnosis> explanations = Counterfactuals(other, right.array(), options_.seconds).wrong_places();
  for (Diagnosis& one : explanations) one.evidence.emplace_back(on_irregular_data);
  return likeliest(std::move(explanations));
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::patterns() {
  if (wrong_.empty()) return false;
  const FailingOutput& output = *wrong_.front();
  const FailurePlaces& places = places_of_first();
  if (sizes_of_first().zeros != output.violations)
    if (auto tile = by_tile(output, places)) return located(std::move(*tile), places);
  if (special_inputs()) return located(*special_inputs(), places);
  const bool other_data_right =
      data_ == DataTell::special_fail;  // a fault of a lane, or of a place, would show on it too
  if (auto machine = by_machine_pattern(output);
      machine && !(other_data_right && machine->kind.rfind("faulty", 0) == 0))
    return located(std::move(*machine), places);
  if (other_data_right) return false;
  if (auto displaced = by_places(output, may_rerun_)) return located(std::move(*displaced), places);
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::many_launches() {
  constexpr std::size_t few_elements = 4;
  constexpr Index launches = 32;
  if (!irregular_ || wrong_.empty() || wrong_.front()->size() > few_elements ||
      given_.seconds_a_look >= options_.seconds / 64)
    return false;
  const auto stacked = stacked_launches(given_, number_of(*wrong_.front()), launches);
  if (!stacked || 4 * stacked->violations < stacked->size()) return false;
  std::optional<Diagnosis> named = by_machine_pattern(*stacked);
  if (!named)
    if (auto explained = OutputTransforms(*stacked, input_extents(given_)).explanations(); !explained.empty())
      named = std::move(explained.front());
  if (!named) return false;
  if (named->confidence == Confidence::certain) named->confidence = Confidence::likely;
  named->evidence.push_back("in " + std::to_string(launches) + " launches on other, irregular data, one in each row");
  return likeliest(std::move(*named));
}

ASSAY_DETAIL_HEADER_INLINE bool DiagnosisSearch::appearance() {
  if (own_) return likeliest(*own_);
  if (may_rerun_)
    if (auto reaction = explain_by_reactions(given_, options_.seconds)) found_.push_back(std::move(*reaction));
  if (wrong_.empty()) return true;
  if (auto factors = row_factors(*wrong_.front())) found_.push_back(std::move(*factors));
  if (auto addends = row_addends(*wrong_.front())) likeliest(std::move(*addends));
  found_.push_back(by_appearance(*wrong_.front(), sizes_of_first(), places_of_first(), given_.arithmetic,
                                 given_.tells_terms, all_inputs_floats(given_), data_));
  return true;
}

}  // namespace assay::inline v0::detail
