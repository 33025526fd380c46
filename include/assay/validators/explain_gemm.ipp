#pragma once

#include "assay/validators/explain_gemm.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string describe_gemm(const GemmProblem& problem) {
  const auto extents = [](Index rows, Index columns) { return std::to_string(rows) + "×" + std::to_string(columns); };
  std::string text = "C = α·op(A)·op(B) + β·C with op(A) " + extents(problem.m, problem.k) + ", op(B) " +
                     extents(problem.k, problem.n) + ", C " + extents(problem.m, problem.n) +
                     ", α = " + number(problem.alpha) + ", β = " + number(problem.beta) +
                     (problem.beta == 0 ? " (C is not read)" : "");
  if (problem.batch != 1) text += ", for each of " + std::to_string(problem.batch) + " independent matrices";
  text += problem.order == StorageOrder::row_major ? "; row-major" : "; column-major";
  if (problem.transpose_a || problem.transpose_b)
    text += std::string(", ") +
            (problem.transpose_a && problem.transpose_b ? "A and B"
             : problem.transpose_a                      ? "A"
                                                        : "B") +
            " stored transposed";
  if (problem.leading_dimension_a != 0 || problem.leading_dimension_b != 0 || problem.leading_dimension_c != 0)
    text += ", with gaps between rows or columns";
  if (problem.batch_stride_a != 0 || problem.batch_stride_b != 0 || problem.batch_stride_c != 0)
    text += ", with gaps between the matrices of the batch";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string describe_data(const GemmFill& fill) {
  if (fill.given != nullptr) return "matrices of the user's own, rounded to the inputs' formats";
  const std::string name = std::string(name_of(fill.kind)) + ": ";
  switch (fill.kind) {
    case FillKind::uniform: return name + "A and B from U(0, 1], so that nothing cancels";
    case FillKind::normal: return name + "A and B from N(0, 1)";
    case FillKind::log_uniform: return name + "magnitudes spread evenly over many binades, signs at random";
    case FillKind::exact_integer:
      return name + "whole numbers up to " + std::to_string(fill.largest_a) + " in A and " +
             std::to_string(fill.largest_b + 1) +
             " in B that cancel in pairs but for a few, so that every term matters and sums stay small";
    case FillKind::one_hot:
      return name + "a single ±power of two in every row of A, so that each output is a scaled element of B";
    case FillKind::constant:
      return name + "A is 0.1 and B is 0.3 everywhere, so that rounding errors all point the same way";
    case FillKind::canceling: return name + "the second half of every sum undoes the first but for a few terms";
    case FillKind::swamping: return name + "one term near 1 a sum, and many that a narrow accumulator loses beside it";
    case FillKind::near_tie: return name + "sums that lie at, or a quarter beside, the midpoint of two output numbers";
    case FillKind::subnormal:
      return name + "A below the smallest normal number of its format, B scaled up so that products are normal";
    case FillKind::extreme:
      return name + "products that overflow, are the largest number, or underflow, column by column";
    case FillKind::special: return name + "N(0, 1) with NaN, ±infinity and ±0 in a quarter of the rows and columns";
  }
  return name;
}

ASSAY_DETAIL_HEADER_INLINE std::string describe_accumulation(const AccumulationModel& accumulation) {
  std::string text = "sums are kept in " + std::string(accumulation.format_name) + ": " +
                     std::to_string(accumulation.precision) +
                     " significand bits, u = " + number(accumulation.unit_roundoff) +
                     (accumulation.truncating ? ", rounded toward zero" : ", rounded to nearest") +
                     ", largest number " + number(accumulation.max_finite);
  if (accumulation.block > 1)
    text += "; " + std::to_string(accumulation.block) + " products are aligned and added at once";
  if (accumulation.split > 1) text += "; in " + std::to_string(accumulation.split) + " partial sums";
  return text;
}

}  // namespace assay::inline v0::detail
