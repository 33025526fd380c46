#pragma once

#include <vector>

#include "assay/diagnosis/detail/diagnosis_search.hpp"

namespace assay::inline v0 {

/// Names the likeliest causes of a failure, most likely first.
///
/// Asked in this order: what happened to memory; whether runs differ; whether only the chosen tolerance refutes what
/// rounding allows a right kernel; whether the output is the right one after something was done to each element;
/// whether its elements stand in wrong places; of what other question it is the right answer; what wrong places
/// suggest; to which inputs the kernel reacts otherwise than it should; what sizes suggest. What explains every element
/// ends the search.
[[nodiscard]] inline std::vector<Diagnosis> diagnose(const DiagnosedCase& given, const DiagnosisOptions& options = {}) {
  return detail::DiagnosisSearch(given, options).causes();
}

}  // namespace assay::inline v0
