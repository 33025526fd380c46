#pragma once

#include "matrix_options.hpp"

namespace assay_program {

/// Exit codes: 0 done, and of status and report: nothing is missing; 1: results failed or disagree; 2: results are
/// missing, or it could not be done.
[[nodiscard]] int matrix(const MatrixOptions& options);

}  // namespace assay_program
