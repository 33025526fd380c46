#pragma once

#include <vector>

#include "assay/suite/case.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"

namespace assay::inline v0 {

/// How much the cases of a suite spend on diagnoses. A hundred failures of one cause need no hundred diagnoses. A
/// signature is an operation, backend, formats and pattern of data; while seconds last, one failure of each is
/// diagnosed at least.
struct DiagnosisBudget {
  unsigned per_signature = 6;  ///< failures of one signature that are diagnosed
  /// Diagnoses of one signature, one after the other, that name the same cause, behind which no further failure of it
  /// is diagnosed.
  unsigned of_one_cause = 4;
  double seconds_per_kernel = 6;  ///< on all failures of one backend's operation together
  double seconds = 40;            ///< on those of the whole suite, in this process
};

/// `diagnose`, as a check asks for it (`DiagnosisOptions::by`), within the budget of the case that runs in this thread:
/// once that is spent, it says nothing. Without a budget it is `diagnose`.
[[nodiscard]] std::vector<Diagnosis> diagnose_within_budget(const DiagnosedCase& given,
                                                            const DiagnosisOptions& options = {});

/// Gives the cases of a suite one budget together, which `diagnose_within_budget` keeps. A failure that it leaves
/// undiagnosed has the label diagnosis=omitted, and says which limit it was; run alone, it is diagnosed. Thread safety:
/// the cases may run at the same time.
void limit_diagnoses(Suite& suite, const DiagnosisBudget& budget = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/budget.ipp"
#endif
