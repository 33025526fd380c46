#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0 {

/// Which terms of the sums of a product are missing or counted twice: the coefficients x_k of (actual − expected)_ij ≈
/// α·Σ_k x_k·a_ik·b_kj, each by itself by least squares over a sample of elements, x_k = −1 for a missing term and +1
/// for a repeated one. What is found has to explain the errors of the sample.
///
/// `a` is (batch, m, k), `b` (batch, k, n), the output (batch, m, n). Each of w wrong terms disturbs the coefficients
/// of the others by about 1/√(sample size), so that w must be small against it: one among 480 elements is told, 16 are
/// not; then nothing is said. Of a single term a lost product and a lost factor are the same, and both are said.
/// O(k·sample), with a sample of at most 16,384 elements.
[[nodiscard]] std::optional<Diagnosis> wrong_gemm_terms(const FailingOutput& output, const Operand& a, const Operand& b,
                                                        double alpha);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/failures/gemm_terms.ipp"
#endif
