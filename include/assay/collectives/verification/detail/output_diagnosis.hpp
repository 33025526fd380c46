#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/verification/detail/reduction_hypotheses.hpp"
#include "assay/collectives/verification/rank_finding.hpp"
#include "assay/core/stable_sort.hpp"

namespace assay::inline v0::detail {

/// Looks for the cause of wrong elements in one rank's output: which hypothesis gives exactly what was found there.
class OutputDiagnosis {
 public:
  OutputDiagnosis(const CollectiveData& data, int rank, std::uint64_t call, const char* output, Index extent,
                  unsigned char poison, const std::vector<StreamPart>& parts, const std::vector<ElementRun>& runs,
                  Index wrong);

  /// Hypotheses that explain at least half of what is wrong, the best first; at most 12.
  [[nodiscard]] std::vector<CollectiveSuspicion> suspicions();

 private:
  static constexpr std::size_t most_suspicions = 12;

  [[nodiscard]] std::uint64_t found_at(Index at) const { return load_code(output_, at, bytes_); }
  [[nodiscard]] const StreamPart& part_of(Index at) const {
    for (const StreamPart& part : parts_)
      if (at >= part.at && at < part.at + part.length) return part;
    return parts_.front();
  }
  [[nodiscard]] WrongElement element_at(Index at) const {
    const StreamPart& part = part_of(at);
    return {at, part.from + at - part.at, part.source, found_at(at)};
  }
  [[nodiscard]] bool fits(const WrongElement& wrong, std::uint64_t call, int source, Index element) const {
    return fits(wrong.found, call, source, element);
  }
  [[nodiscard]] bool fits(std::uint64_t code, std::uint64_t call, int source, Index element) const {
    if (element < 0) return false;
    return source == of_all ? data_.allows(call, element, code) : data_.given(call, source, element) == code;
  }
  template <class Explains>
  [[nodiscard]] double share_of(const Explains& explains) const {
    std::size_t explained = 0;
    for (const WrongElement& wrong : sample_) explained += explains(wrong) ? 1 : 0;
    return static_cast<double>(explained) / static_cast<double>(sample_.size());
  }
  /// `alternatives`: how many hypotheses like it were tried; `bits`: what one element that it explains tells.
  void suspect(const std::string& fault, int guilty, double share, const std::string& what, double alternatives,
               double bits) {
    const double chance = alternatives * std::exp2(-bits * share * static_cast<double>(sample_.size()));
    found_.push_back({fault, guilty, begin_, length_, share,
                      "rank " + std::to_string(rank_) + "'s output, " + where() + ": " + what, std::min(chance, 1.0)});
  }
  void suspect(const std::string& fault, int guilty, double share, const std::string& what) {
    suspect(fault, guilty, share, what, 4, right_bits());
  }
  /// What it tells that an element is the right one of elsewhere.
  [[nodiscard]] double right_bits() const {
    if (!reduces(problem_.operation)) return static_cast<double>(8 * bytes_);
    return data_.pattern().cancels() ? 0 : data_.pattern().telling_bits();
  }
  [[nodiscard]] std::string where() const;
  [[nodiscard]] static std::string of_rank(int rank) { return "rank " + std::to_string(rank); }

  void look_for_single_bits();

  /// What was in the output before the call.
  [[nodiscard]] bool is_unwritten(Index at) const {
    const char* bytes = output_ + at * static_cast<Index>(bytes_);
    if (std::all_of(bytes, bytes + bytes_, [&](char byte) { return static_cast<unsigned char>(byte) == poison_; }))
      return !is_overwritten_input(at);
    return is_overwritten_input(at) && found_at(at) == data_.given(call_, rank_, input_element(at));
  }
  [[nodiscard]] bool is_overwritten_input(Index at) const {
    using enum CollectiveOperation;
    if (!problem_.in_place) return false;
    if (problem_.operation == all_gather || problem_.operation == gather)
      return at / std::max<Index>(problem_.count, 1) == rank_;
    return problem_.operation != broadcast || rank_ == problem_.root;
  }
  [[nodiscard]] Index input_element(Index at) const {
    using enum CollectiveOperation;
    if (problem_.operation == all_gather || problem_.operation == gather) return at % problem_.count;
    return problem_.operation == reduce_scatter || problem_.operation == scatter ? at + rank_ * problem_.count : at;
  }

  void look_for_unwritten();
  /// From `limit` on nothing was written; what belongs there stands at the begin.
  void look_for_overflow(Index limit, Index end);

  /// The right elements of this call, elsewhere in the output.
  void look_for_other_places();

  /// How far from where they are found some elements belong, within their block; 0: nowhere else.
  [[nodiscard]] Index distance_of_window(Index begin, Index window) const;

  void look_for_other_calls();

  /// Of movements: the elements of other ranks.
  void look_for_other_sources();
  /// The element of another source that belongs where `wrong` is.
  [[nodiscard]] Index counterpart(const WrongElement& wrong, int source) const {
    if (problem_.operation != CollectiveOperation::all_to_all_v) return wrong.element;
    const auto rank = static_cast<std::size_t>(rank_);
    return wrong.element - varied_layout(problem_, wrong.source, size_, true).displacements[rank] +
           varied_layout(problem_, source, size_, true).displacements[rank];
  }

  [[nodiscard]] bool chooses() const {
    return problem_.reduction == ReductionOperator::minimum || problem_.reduction == ReductionOperator::maximum;
  }
  void look_into_reduction();
  void look_for_changes(const ReductionHypotheses& hypotheses);
  bool look_for_partial_sums(const ReductionHypotheses& hypotheses, ReductionChange change);
  void look_for_arithmetic(const ReductionHypotheses& hypotheses);
  [[nodiscard]] double share_of_shown(const ReductionHypotheses& hypotheses, const ChangedReduction& changed,
                                      Index begin, Index length) const;

  const CollectiveData& data_;
  const CollectiveProblem& problem_;
  int rank_, size_;
  std::uint64_t call_;
  const char* output_;
  Index extent_;
  std::size_t bytes_;
  unsigned char poison_;
  const std::vector<StreamPart>& parts_;
  const std::vector<ElementRun>& runs_;
  Index wrong_, begin_ = 0, length_ = 0;
  std::vector<WrongElement> sample_;
  std::vector<CollectiveSuspicion> found_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/detail/output_diagnosis.ipp"
#endif
