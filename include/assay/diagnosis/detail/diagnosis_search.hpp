#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/diagnosis/detail/appearance.hpp"
#include "assay/diagnosis/detail/counterfactuals.hpp"
#include "assay/diagnosis/detail/evidence.hpp"
#include "assay/diagnosis/detail/few_bits.hpp"
#include "assay/diagnosis/detail/inputs.hpp"
#include "assay/diagnosis/detail/irregular_data.hpp"
#include "assay/diagnosis/detail/machine_patterns.hpp"
#include "assay/diagnosis/detail/output_transforms.hpp"
#include "assay/diagnosis/detail/places.hpp"
#include "assay/diagnosis/detail/relaunches.hpp"
#include "assay/diagnosis/detail/repeated_results.hpp"
#include "assay/diagnosis/detail/right_answers.hpp"
#include "assay/diagnosis/detail/row_patterns.hpp"
#include "assay/diagnosis/detail/sensitivity.hpp"
#include "assay/diagnosis/detail/special_inputs.hpp"
#include "assay/diagnosis/detail/stray_stores.hpp"
#include "assay/diagnosis/detail/stuck_loads.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"

namespace assay::inline v0::detail {

/// The search for the causes of one failure: each stage asks one question, and tells whether its answer ends the
/// search.
class DiagnosisSearch {
 public:
  DiagnosisSearch(const DiagnosedCase& given, const DiagnosisOptions& options);

  [[nodiscard]] std::vector<Diagnosis> causes();

 private:
  using enum FaultClass;

  static constexpr const char* on_irregular_data = "on other, irregular data, on which the kernel was launched";

  bool settle_by(Diagnosis diagnosis) {
    found_.clear();
    found_.push_back(std::move(diagnosis));
    return true;
  }
  bool likeliest(std::vector<Diagnosis> diagnoses) {
    found_.insert(found_.begin(), diagnoses.begin(), diagnoses.end());
    return !diagnoses.empty();
  }
  bool likeliest(Diagnosis diagnosis) { return likeliest(std::vector{std::move(diagnosis)}); }
  bool located(Diagnosis diagnosis, const FailurePlaces& places) {
    diagnosis.evidence.insert(diagnosis.evidence.end(), places.sentences.begin(), places.sentences.end());
    found_.push_back(std::move(diagnosis));
    return true;
  }
  bool located(Diagnosis diagnosis, const FailingOutput& output) {
    return located(std::move(diagnosis), failure_places(output));
  }
  bool located_on_irregular_data(Diagnosis diagnosis, const FailingOutput& output) {
    diagnosis.evidence.emplace_back(on_irregular_data);
    return located(std::move(diagnosis), output);
  }

  /// What the launch on irregular data wrote; nothing where there was none.
  [[nodiscard]] const std::vector<FailingOutput>& irregular_outputs() const {
    return irregular_ ? irregular_->outputs() : no_outputs_;
  }
  [[nodiscard]] std::size_t number_of(const FailingOutput& output) const {
    return static_cast<std::size_t>(&output - given_.outputs.data());
  }
  /// The same output of that launch; null where there is none.
  [[nodiscard]] const FailingOutput* irregular_output(const FailingOutput& output) const {
    const std::size_t number = number_of(output);
    return number < irregular_outputs().size() ? &irregular_outputs()[number] : nullptr;
  }
  [[nodiscard]] bool looks_are_cheap() const { return given_.seconds_a_look < options_.seconds / 16; }

  /// Of the first of the wrong outputs, taken once. Precondition: there is one.
  [[nodiscard]] const FailurePlaces& places_of_first() {
    return places_of_first_ ? *places_of_first_ : places_of_first_.emplace(failure_places(*wrong_.front()));
  }
  [[nodiscard]] const FailureSizes& sizes_of_first() {
    return sizes_of_first_ ? *sizes_of_first_ : sizes_of_first_.emplace(failure_sizes(*wrong_.front()));
  }

  /// What inputs at the limits of their formats tell of the first of the wrong outputs, asked once.
  [[nodiscard]] const std::optional<Diagnosis>& special_inputs() {
    if (!special_inputs_)
      special_inputs_.emplace(wrong_.empty() ? std::nullopt : by_special_inputs(given_, *wrong_.front()));
    return *special_inputs_;
  }

  bool memory_findings() {
    return !given_.memory_findings.empty() && !only_unwritten(given_) && settle_by(by_memory(given_));
  }

  bool differing_runs() {
    if (given_.runs_differ)
      found_.push_back(
          {state, "runs_differ", Confidence::likely, {"the same launch gives other bits when it is repeated"}, {}});
    return false;
  }

  /// Elements that a right kernel may give, and that only the tolerance refutes.
  bool strict_tolerance();

  bool relaunches();

  bool unwritten() {
    if (may_rerun_ && looks_are_cheap()) irregular_.emplace(given_);
    return unwritten_ && settle_by(by_unwritten(given_, irregular_outputs()));
  }

  /// Outputs that are right after something was done to each element.
  bool transforms();
  void compare_with_irregular_data();
  void doubt_zeros();
  /// Whether what was written is right for a kernel that finds zeros in one of its inputs.
  [[nodiscard]] bool zeros_give_zeros() const;

  /// Elements that are wrong, and no other, for something that was done to the right ones.
  bool transforms_in_places();

  bool former_contents() {
    for (const FailingOutput* output : wrong_)
      if (auto former = by_former_contents(given_, *output)) return located(std::move(*former), *output);
    return false;
  }

  /// Whether a single tile is wrong, and rather for what was there before.
  [[nodiscard]] static bool of_tile(const FailingOutput& output, const Diagnosis& displaced) {
    return displaced.kind != "tiles_transposed" && by_tile(output, failure_places(output)).has_value();
  }

  /// Right values in wrong places.
  bool displacements();

  bool own_explanation();

  /// Of what other question the output is the right answer.
  bool other_questions();
  bool other_questions_of_irregular_launch();
  bool stuck_loads() {
    if (!may_rerun_ || irregular_right_) return false;  // or else it would have shown there
    auto stuck = StuckLoads(given_, options_.seconds).explanation();
    return stuck && likeliest(std::move(*stuck));
  }

  /// Where wrong elements stand.
  bool patterns();

  /// What one number cannot tell, many launches do.
  bool many_launches();

  /// To which inputs the kernel reacts otherwise than it should; what sizes and places suggest.
  bool appearance();

  const DiagnosedCase& given_;
  const DiagnosisOptions& options_;
  bool may_rerun_;
  bool unwritten_;                           ///< elements hold what they held before the launch
  std::vector<const FailingOutput*> wrong_;  ///< the most violations a size first
  const std::vector<FailingOutput> no_outputs_;
  std::optional<IrregularLaunch> irregular_;
  bool irregular_right_ = false;  ///< there was such a launch, and nothing was wrong with it
  DataTell data_ = DataTell::nothing;
  std::optional<Diagnosis> own_;  ///< explanation of those who know the operation
  Hypotheses alternatives_ = Hypotheses::all;
  std::string layout_;  ///< what changes where rows have no gaps between them
  std::optional<std::optional<Diagnosis>> special_inputs_;
  std::optional<FailurePlaces> places_of_first_;
  std::optional<FailureSizes> sizes_of_first_;
  std::vector<Diagnosis> found_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/diagnosis_search.ipp"
#endif
