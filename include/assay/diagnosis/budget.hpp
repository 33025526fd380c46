#pragma once

#include <vector>

#include "assay/suite/case.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"

namespace assay::inline v0 {

/// How much the cases of a suite spend on diagnoses. A hundred failures of one cause need no hundred diagnoses.
struct DiagnosisBudget {
  unsigned per_signature = 6;  ///< failures of one operation, backend, formats and pattern of data that are diagnosed
  /// Diagnoses of one backend's operation, one after the other, that name the same cause, behind which no further
  /// failure of it is diagnosed.
  unsigned of_one_cause = 4;
  double seconds_per_kernel = 6;  ///< on all failures of one backend's operation together
  double seconds = 40;            ///< on those of the whole suite, in this process
};

/// `diagnose`, as a check asks for it (`DiagnosisOptions::by`), within the budget of the case that runs in this thread:
/// once that is spent, it says nothing. Without a budget it is `diagnose`.
[[nodiscard]] std::vector<Diagnosis> diagnose_within_budget(const DiagnosedCase& given,
                                                            const DiagnosisOptions& options = {});

/// Gives the cases of a suite one budget together, which `diagnose_within_budget` keeps. What a case has no diagnosis
/// for is told in its outcome; run alone, it is diagnosed. Thread safety: the cases may run at the same time.
void limit_diagnoses(Suite& suite, const DiagnosisBudget& budget = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/budget.ipp"
#endif
