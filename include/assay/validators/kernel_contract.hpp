#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/suite/case_record.hpp"
#include "assay/validators/minimize/problem_fields.hpp"

namespace assay::inline v0 {

/// Fields of problems that a kernel's contract fixes, with their values: what it computes is right for these, and
/// suites ask it for no others. "rounded_before_gamma=true" of an RMSNorm, "alpha=1,beta=0" of a plain product.
using KernelContract = std::vector<RecordedField>;

/// A contract from its text, `field=value` with commas between them. `ErrorKind::malformed` tells the part that is
/// none, and a field that is named twice.
[[nodiscard]] Result<KernelContract> read_contract(std::string_view text);

/// The text of a contract, as `read_contract` takes it.
[[nodiscard]] std::string contract_text(const KernelContract& contract);

/// A problem as a contract has it. Errors: `malformed`, of a field that the problem has not, or a value that it cannot
/// have; `unsupported` where `check(problem)` refuses what becomes of it.
template <NamesItsFields Problem, class Check>
[[nodiscard]] Result<Problem> under_contract(const Problem& problem, const KernelContract& contract,
                                             const Check& check_problem) {
  auto changed = with_fields(problem, contract);
  if (!changed)
    return failure(changed.error().kind,
                   "the contract of the kernel, " + contract_text(contract) + ": " + changed.error().message);
  if (auto checked = check_problem(changed.value()); !checked)
    return failure(ErrorKind::unsupported, "the contract of the kernel, " + contract_text(contract) +
                                               ", does not go with this problem: " + checked.error().message);
  return changed;
}

namespace detail {
/// The fields of the simplest problem that a kernel under that contract takes.
[[nodiscard]] inline std::vector<RecordedField> simplest_under(const KernelContract& contract,
                                                               std::vector<RecordedField> simplest) {
  for (const RecordedField& fixed : contract)
    for (RecordedField& field : simplest)
      if (field.name == fixed.name) field.value = fixed.value;
  return simplest;
}
}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/kernel_contract.ipp"
#endif
