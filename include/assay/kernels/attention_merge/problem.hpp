#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/kernels/attention/problem.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/kernels/softmax/problem.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// Results of an attention over parts of the keys become the result over all: L = log Σ exp(L_p) and o = Σ exp(L_p −
/// L)·o_p. What decoding with split keys ends with. A part whose L_p is −∞ saw nothing and adds nothing, whatever its
/// output holds.
struct AttentionMergeProblem {
  Index parts = 1;
  Index rows = 1;                                 ///< queries of all heads
  Index value_depth = 1;                          ///< elements of a value
  bool unwritten_parts = false;                   ///< the outputs of parts that saw nothing are not a number; else 0
  FullyMasked fully_masked = FullyMasked::zeros;  ///< the output where no part saw anything; its log-sum-exp is −∞
  LogarithmBase log_base = LogarithmBase::natural;    ///< of the log-sum-exps that are read and written
  ElementFormat partial = element_format<float32>();  ///< storage format of the partial outputs
  ElementFormat output = element_format<float32>();
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(AttentionMergeProblem& problem, Visit&& visit) {
  visit("parts", problem.parts, "rows", problem.rows, "value_depth", problem.value_depth, "unwritten_parts",
        problem.unwritten_parts, "fully_masked", problem.fully_masked, "log_base", problem.log_base, "partial",
        problem.partial, "output", problem.output);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] inline Result<void> check(const AttentionMergeProblem& problem) {
  if (auto extents =
          check_extents({{"parts", problem.parts}, {"rows", problem.rows}, {"value_depth", problem.value_depth}});
      !extents)
    return extents;
  if (problem.parts == 0) return failure(ErrorKind::invalid, "parts is 0; it must be 1 or more");
  return check_float_formats({{"partial", problem.partial}, {"output", problem.output}});
}

/// "8x32x128-unwritten".
[[nodiscard]] inline std::string name_of(const AttentionMergeProblem& problem) {
  return extents_name({problem.parts, problem.rows, problem.value_depth}) +
         (problem.unwritten_parts ? "-unwritten" : "") +
         (problem.fully_masked == FullyMasked::nan ? "-masked_nan" : "") +
         (problem.log_base == LogarithmBase::two ? "-log2" : "");
}

}  // namespace assay::inline v0
