#pragma once

#include <vector>

#include "assay/suite/case.hpp"
#include "assay/tolerance/unit_promise.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"

namespace assay::inline v0 {

/// `diagnose_within_budget`, as a check asks for it (`DiagnosisOptions::by`), of what the promises of the case that
/// runs in this thread do not explain; of what they do, nothing is said.
[[nodiscard]] std::vector<Diagnosis> diagnose_unless_promised(const DiagnosedCase& given,
                                                              const DiagnosisOptions& options = {});

/// Only asks whether promises explain a failure, and diagnoses nothing.
[[nodiscard]] std::vector<Diagnosis> judge_promises_alone(const DiagnosedCase& given,
                                                          const DiagnosisOptions& options = {});

/// Has the cases of a suite judged by known properties of the units that their kernels run on, whose checks ask one of
/// the two functions above: what `judge_by_promises` explains passes, with the label `judged_with`, and says how many
/// elements are right only so. What it does not explain stays a failure. `require_determinism`: runs that differ fail
/// nevertheless. How many outputs are misrounded is not judged where elements were flushed. Checks whose kernels do not
/// run on host memory, and quick ones, are judged as without promises. Thread safety: the cases may run at the same
/// time.
void judge_by_promises(Suite& suite, const std::vector<UnitPromise>& promises, bool require_determinism = false);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/promises.ipp"
#endif
