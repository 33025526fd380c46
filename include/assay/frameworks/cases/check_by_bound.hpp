#pragma once

#include <optional>
#include <string>

#include "assay/core/outcome.hpp"
#include "assay/frameworks/cases/check_onnx_case.hpp"

namespace assay::inline v0 {

/// What the derived bound says of a case whose one node is an operation of Assay's: elementwise functions, arithmetic
/// with broadcasting, Softmax and LogSoftmax, and reductions along one axis, in floating-point formats. The operation's
/// reference is computed from the case's inputs; the expected data are not looked at, but judged, too.
struct BoundOnCase {
  Outcome runtime;   ///< of what the runtime gave
  Outcome expected;  ///< of what ONNX expects
};

/// Nothing where the operation is none of ours, or the case says what our problems do not.
[[nodiscard]] std::optional<BoundOnCase> check_by_bound(const OnnxCase& own, const ExecutionMode& mode,
                                                        const RunProgram& run);

/// Judges a case by the bound where there is one, else by ONNX's tolerance, which is named in either case: where the
/// two differ, the outcome says whether ONNX's is too loose, or refuses a right result.
[[nodiscard]] Outcome judge_onnx_case(const OnnxCase& own, const std::string& backend, const ExecutionMode& mode,
                                      const RunProgram& run);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/cases/check_by_bound.ipp"
#endif
