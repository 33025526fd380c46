#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Operators of ONNX's that networks of today are made of, one a line, to start from: copy it, and strike or add.
[[nodiscard]] std::string_view default_critical_operators() noexcept;

/// The operators of such a list; empty lines and those that begin with # are nothing. `malformed`, with the line, for
/// names with other signs than letters, digits, '_', '*' and '?'; `invalid` where the list is empty.
[[nodiscard]] Result<std::vector<std::string>> read_critical_operators(std::string_view text);

/// What outcomes of cases say of operators: a table operator × type of the first input × version of the operators, and
/// the shares for a gate, as an outcome onnx/BACKEND/operators/coverage.
///
/// An operator is whole where a case of it passes and none fails or errs; one that is refused throughout is not.
/// Measurements: `operators`, `operators_percent` (whole ones), and where globs of critical operators are given
/// `critical_operators_percent`, `critical_cases_percent` (of critical operators' cases that passed, failed or erred).
///
/// Pass: more than 99 % of the critical operators (without a list: of all) are whole. Fail: fewer, with their names; a
/// glob that no case is of counts as an operator that is not whole. O(outcomes·globs).
[[nodiscard]] Outcome operator_coverage(const std::vector<Outcome>& outcomes, const std::string& backend,
                                        const std::vector<std::string>& critical);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/cases/operator_coverage.ipp"
#endif
