#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/validators/gemm_suite.hpp"

namespace assay_program {

/// Two matrices from npy files: A m×k, B k×n, of any real dtype; raw two-byte elements are taken for bfloat16, as
/// ml_dtypes saves them. Errors: as `assay::read_npy`, and `invalid` if they are no matrices or do not fit each other.
[[nodiscard]] assay::Result<assay::GemmMatrices> read_matrices(const std::string& path_a, const std::string& path_b);

}  // namespace assay_program
