#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/kernels/dropout/explanation.hpp"
#include "assay/kernels/dropout/judge.hpp"
#include "assay/kernels/dropout/portable.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// Nothing is expected of single elements of a dropout: `Dropout::judge` decides.
struct DropoutExpected {
  int output = 0;
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index, Index) const {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
};

/// Dropout with a generator of the kernel's own. Operands of (rows, columns): `input`, `gradient`; `output`, `mask` of
/// bytes, `input_gradient` (the last two and the gradient absent unless the problem has them). Judged: kept values one
/// by one, the mask by tests with a stated rate of false alarms, and that mask, output and gradient are of the same
/// mask.
struct Dropout {
  using Problem = DropoutProblem;
  using Arguments = OperandArray;
  /// Positions of the operands.
  enum Position { input, gradient, output, mask, input_gradient };

  [[nodiscard]] static const char* name() { return "dropout"; }
  [[nodiscard]] static std::string name_of(const Problem& problem) { return assay::name_of(problem); }
  [[nodiscard]] static std::string formats_of(const Problem& problem) {
    return std::string(problem.input.name) + "." + problem.output.name;
  }

  [[nodiscard]] static Result<std::vector<OperandSpec>> operands(const Problem& problem);

  /// What each pattern is for: normal: wrong scales and rates, values at wrong places; constant: the mask shows in
  /// every element; uniform: as normal, of one sign; special: NaN and infinities that are kept; extreme: zeros, whose
  /// fate does not show, and scales that overflow.
  [[nodiscard]] static OperationData data(const Problem& problem, FillKind kind, const Arithmetic&,
                                          std::uint64_t seed) {
    OperandFill x, g;
    x.pattern = {kind, seed * 4, problem.columns, problem.input.layout};
    g.pattern = {FillKind::normal, seed * 4 + 1, problem.columns, problem.input.layout};
    return {{x, g, {}, {}, {}}, RoundingModel::worst_case};
  }

  [[nodiscard]] static std::vector<OperationShape<Problem>> shapes(const ElementFormat& format);

  [[nodiscard]] static std::vector<std::string> derivation(const Problem& problem, RoundingModel,
                                                           const Arithmetic& arithmetic);

  template <ParallelBackend B>
  [[nodiscard]] static Result<OperationReference<DropoutExpected>> reference(B&, typename B::Stream&, const Problem&,
                                                                             const OperandArray&, RoundingModel,
                                                                             const Arithmetic&) {
    return OperationReference<DropoutExpected>{};
  }
  template <ParallelBackend B>
  [[nodiscard]] static Result<void> portable(B& backend, typename B::Stream& stream, const Problem& problem,
                                             const OperandArray& operands) {
    return portable_dropout(backend, stream, problem, operands);
  }

  /// `written`: 0 the output, 1 the mask, 2 the gradient.
  [[nodiscard]] static bool judge(const Problem& problem, const OperandArray& after, const OperandArray& before,
                                  int written, const Arithmetic& arithmetic, Outcome& outcome);

  /// The same problem with another seed, whose results are the same with a probability of 1e-17 at most: nothing where
  /// too few elements tell.
  [[nodiscard]] static std::optional<Problem> another_seed(const Problem& problem, const OperandArray& operands);

  /// What is due in each element of an output (as for `judge`) by the mask that most of what was written of the element
  /// agrees with: for those who look for the cause of a refusal.
  [[nodiscard]] static std::vector<ExpectedElement> due_by_choices(const Problem& problem, const OperandArray& after,
                                                                   const OperandArray& before, int written,
                                                                   const Arithmetic& arithmetic);
  /// What is wrong with the mask, if that is: values that neither a kept nor a dropped element may have are for others
  /// to explain.
  [[nodiscard]] static std::optional<Diagnosis> explain(const Problem& problem, const OperandArray& after,
                                                        const OperandArray& before, const Arithmetic& arithmetic);

 private:
  [[nodiscard]] static bool kept_or_dropped(const Problem& problem, const Operand& out, const Operand& x,
                                            const Arithmetic& arithmetic);
  /// Many elements of the gradient are kept that the output's mask drops, or the reverse.
  [[nodiscard]] static std::optional<Diagnosis> gradient_of_other_mask(const Problem& problem,
                                                                       const OperandArray& after,
                                                                       const OperandArray& before,
                                                                       const std::vector<unsigned char>& kept);

  /// By the mask where there is one, else by the output: what cannot be seen is 2.
  [[nodiscard]] static std::vector<unsigned char> mask_of(const Problem& problem, const OperandArray& after,
                                                          const OperandArray& before, const Arithmetic& arithmetic);
  static void judge_values(const Problem& problem, const Operand& out, const Operand& x,
                           const std::vector<unsigned char>& kept, const Arithmetic& arithmetic,
                           detail::JudgedOutput& judged) {
    const DropoutScaling scaling(problem, arithmetic);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const double value = out.load(static_cast<Index>(i)), own = x.load(static_cast<Index>(i));
      const bool zero = value == 0 || (is_nan(value) && !is_finite(own)), scaled = scaling.accepts(own, value);
      if ((kept[i] != 1 && zero) || (kept[i] != 0 && scaled)) continue;
      judged.refute("element " + std::to_string(i) + " is " + detail::number(value) + "; " +
                    (kept[i] == 1   ? "kept, it is to be " + detail::number(own * scaling.scale)
                     : kept[i] == 0 ? "dropped, it is to be 0"
                                    : "it is to be 0 or " + detail::number(own * scaling.scale)));
    }
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/dropout/dropout.ipp"
#endif
