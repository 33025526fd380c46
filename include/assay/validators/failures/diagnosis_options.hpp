#pragma once

#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0 {

/// Whether and how checks look for the cause of what they refute. What passes costs nothing.
struct DiagnosisOptions {
  /// `diagnose` of diagnosis/diagnose.hpp: only those who ask for diagnoses compile them. Null: none.
  std::vector<Diagnosis> (*by)(const DiagnosedCase&, const DiagnosisOptions&) = nullptr;
  double seconds = 1;      ///< at most about so long is spent on hypotheses, and as long on re-runs
  bool may_rerun = false;  ///< the kernel under test may be run again, on the same data and on others
};

}  // namespace assay::inline v0
