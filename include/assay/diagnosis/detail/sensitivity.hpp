#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/inputs.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// How an output changed with one input element, beside how it should have.
struct Reaction {
  std::string where;
  std::size_t due = 0;          ///< elements that should have changed by much more than rounding errors
  std::size_t absent = 0;       ///< of these, those that did not
  std::size_t doubled = 0;      ///< of these, those that changed twice as much
  std::size_t right = 0;        ///< of these, those that changed as they should
  std::size_t undue = 0;        ///< elements that should not have changed, and did
  std::size_t noisy = 0;        ///< elements that should have changed, and did so by some other amount
  bool in_second_half = false;  ///< of its operand, which is the `position`th
  int position = 0;
};

class ProbeReactions {
 public:
  ProbeReactions(const DiagnosedCase& given, double seconds) : case_(given), seconds_(seconds) {}

  [[nodiscard]] std::optional<Diagnosis> explanation();

 private:
  [[nodiscard]] std::vector<FailingOutput> run(const OperandArray& before) const {
    ChangedOperands own(before);
    for (std::size_t i = 0; i < case_.specs.size(); ++i)
      if (case_.specs[i].present && before[static_cast<int>(i)].present())
        static_cast<void>(own.own(static_cast<int>(i)));
    return case_.rerun(own.array()) ? case_.look(before, own.array()) : std::vector<FailingOutput>();
  }

  [[nodiscard]] std::vector<std::pair<int, Index>> probes() const;

  [[nodiscard]] Reaction react(const std::vector<FailingOutput>& base, const std::vector<FailingOutput>& probed,
                               int position, Index element) const;

  /// The operand of which the kernel sees the first half, and nothing of the second; −1: none.
  [[nodiscard]] static int not_ready(const std::vector<Reaction>& reactions);

  /// The operand of which the kernel does not see most elements, and reacts to others where it should not; −1: none.
  [[nodiscard]] static int read_from_few_places(const std::vector<Reaction>& reactions);

  [[nodiscard]] static std::optional<Diagnosis> judge(const std::vector<Reaction>& reactions);

  const DiagnosedCase& case_;
  double seconds_;
};

/// Changes input elements one by one, those at the ends of dimensions among them, runs the kernel again and looks which
/// outputs react.
[[nodiscard]] inline std::optional<Diagnosis> explain_by_reactions(const DiagnosedCase& given, double seconds) {
  return ProbeReactions(given, seconds).explanation();
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/sensitivity.ipp"
#endif
