#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/frameworks/cases/check_onnx_case.hpp"

namespace assay::inline v0 {

/// A version of ONNX's operators from which on the same node means something else.
struct OpsetChange {
  const char* operation;  ///< of the operator
  std::int64_t version;   ///< the first with the new meaning
  const char* what;       ///< the new meaning, and the old one
  /// Only nodes that have this attribute, and not 0, are meant; null: all.
  const char* attribute = nullptr;
};

/// The changes of meaning that ONNX documents (docs/Changelog.md), of nodes that are valid before and after. Changes of
/// form, such as an attribute that becomes an input, make a node invalid in the other version, and are not among them.
[[nodiscard]] const std::vector<OpsetChange>& documented_opset_changes();

/// Runs a case of one node in every older version of the operators from `oldest` on, and compares the bits with those
/// of its own version. The outcome is opset/BACKEND/OPERATOR/CASE; its derivation lists what each version gave.
///
/// Pass: every version that takes the node gives the same bits; others within ONNX's tolerance, which is named: another
/// kernel rounds otherwise; or the change is a documented one, which is named. Fail: other numbers without one.
/// Unsupported: the runtime refuses the node in its own version. Inconclusive: no older version takes it, strings or
/// sequences, or outputs that are drawn at random.
[[nodiscard]] Outcome compare_opsets(const OnnxCase& own, const std::string& backend, const ExecutionMode& mode,
                                     const RunProgram& run, std::int64_t oldest = 7);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/cases/opset_agreement.ipp"
#endif
