#pragma once

#include "assay/validators/describe_quantized.hpp"

#include <cstdio>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string scheme_number(double value) {
  return printed_number(value, 9);
}

/// The first mismatches, in the order in which they were met.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Table quantize_mismatches(const QuantizeJudgment& judgment) {
  Table table{"first mismatches",
              {"what", "row", "column", "code", "actual", "accepted from", "accepted to", "of the value"},
              {}};
  for (int i = 0; i < judgment.mismatches_kept; ++i) {
    const QuantizeMismatch& mismatch = judgment.first[i];
    const char* what = "code of element";
    switch (mismatch.kind) {
      case QuantizeMismatchKind::tensor_scale: what = "scale of the tensor"; break;
      case QuantizeMismatchKind::scale: what = "scale of block"; break;
      case QuantizeMismatchKind::zero_point: what = "zero point of block"; break;
      case QuantizeMismatchKind::code: break;
      case QuantizeMismatchKind::padding: what = "padding of the scales"; break;
    }
    char code[16];
    std::snprintf(code, sizeof code, "0x%02x", mismatch.code);
    table.rows.push_back({what, std::to_string(mismatch.row), std::to_string(mismatch.column), code,
                          scheme_number(mismatch.actual), scheme_number(mismatch.lowest),
                          scheme_number(mismatch.highest), scheme_number(mismatch.value)});
  }
  return table;
}

/// What the wrong scales have in common.
ASSAY_DETAIL_HEADER_INLINE void describe_scales(const QuantizeProblem& problem, const QuantizeJudgment& judgment,
                                                Outcome& outcome) {
  const std::uint64_t wrong = judgment.wrong_scales;
  const auto all = [&](std::uint64_t count) { return count * 10 >= wrong * 9 && count > 0; };
  const auto find = [&](const std::string& finding) { outcome.diagnosis.push_back(finding); };
  const std::string of_all = " of " + std::to_string(wrong) + " wrong scales";
  const bool misplaced = all(judgment.scales_stored_row_major) && problem.scheme.order == ScaleOrder::tiles_128x4;
  if (misplaced)
    find(std::to_string(judgment.scales_stored_row_major) + of_all +
         " stand where a row-major table would have them: scales are not in tiles of 128x4");
  if (all(judgment.scales_doubled))
    find(std::to_string(judgment.scales_doubled) + of_all +
         " are twice what is due: the scale's exponent is one too large");
  if (all(judgment.scales_halved))
    find(std::to_string(judgment.scales_halved) + of_all +
         " are half of what is due: the scale's exponent is one too small");
  if (judgment.scales_not_finite > 0)
    find(std::to_string(judgment.scales_not_finite) + of_all + " are NaN or infinite where a number is due");
  const bool tail = judgment.scales_in_tail == wrong;
  if (tail && all(judgment.scales_too_large))
    find("all wrong scales are too large, and of blocks that are partly filled: padding counts in their amax");
  else if (tail)
    find("all wrong scales are of blocks that are partly filled");
  if (judgment.codes_of_right_scales > 0)
    find(std::to_string(judgment.codes_of_right_scales) +
         " codes follow from the scales that are due, not from those stored: scales are written to wrong places "
         "(stride, block extents or "
         "order of the table)");
}

/// What the wrong codes have in common.
ASSAY_DETAIL_HEADER_INLINE void describe_codes(const QuantizeProblem& problem, const QuantizeJudgment& judgment,
                                               Outcome& outcome) {
  const std::uint64_t wrong = judgment.wrong_codes;
  const auto all = [&](std::uint64_t count) { return count * 10 >= wrong * 9 && count > 0; };
  const auto find = [&](std::uint64_t count, const std::string& finding) {
    outcome.diagnosis.push_back(std::to_string(count) + " of " + std::to_string(wrong) + " wrong codes " + finding);
  };
  if (all(judgment.codes_tie_away))
    find(judgment.codes_tie_away, "lie beside a tie, which was rounded away from zero: ties are due to the even code");
  if (judgment.codes_not_finite > 0)
    find(judgment.codes_not_finite, "are NaN or infinite: what is beyond the largest element is due to saturate");
  if (all(judgment.codes_swapped))
    find(judgment.codes_swapped, "are those of the neighbor in their byte: the order of nibbles is turned around");
  if (all(judgment.codes_without_zero_point))
    find(judgment.codes_without_zero_point, "are right without the zero point: it was not added");
  if (all(judgment.codes_sign_of_zero))
    find(judgment.codes_sign_of_zero,
         "are zeros with the other sign (BlockScaling::keeps_negative_zero says whether that matters)");
  const bool whole = problem.rows % problem.scheme.rows_of_block(problem.rows) == 0 &&
                     problem.columns % problem.scheme.columns_of_block(problem.columns) == 0;
  if (!whole && judgment.codes_in_tail == wrong) find(wrong, "are in blocks that are partly filled");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE void describe(const QuantizeProblem& problem, const QuantizeJudgment& judgment,
                                         Outcome& outcome) {
  outcome.verdict = judgment.violations() > 0                                          ? Verdict::fail
                    : judgment.elements > 0 && judgment.undefined == judgment.elements ? Verdict::inconclusive
                                                                                       : Verdict::pass;
  outcome.measure(measurement::violations, static_cast<double>(judgment.violations()), "elements");
  outcome.measure(measurement::elements, static_cast<double>(judgment.elements), "elements");
  outcome.measure("scales", static_cast<double>(judgment.scales));
  outcome.measure("codes_beside_a_tie", static_cast<double>(judgment.neighbors), "elements");
  if (judgment.undefined > 0)
    outcome.measure("undefined_elements", static_cast<double>(judgment.undefined), "elements");
  if (outcome.verdict == Verdict::inconclusive)
    outcome.reason = "the scheme says nothing of blocks with NaN or infinities, and all blocks have some";
  if (judgment.violations() == 0) return;
  std::string reason;
  const auto add = [&](std::uint64_t count, std::uint64_t of, const char* what) {
    if (count == 0) return;
    reason += (reason.empty() ? "" : ", ") + std::to_string(count) +
              (of > 0 ? " of " + std::to_string(of) : std::string()) + " " + what;
  };
  add(judgment.wrong_tensor_scales, 0, "scale of the tensor");
  add(judgment.wrong_scales, judgment.scales, "scales");
  add(judgment.wrong_zero_points, problem.scheme.zero_points ? judgment.scales : 0, "zero points");
  add(judgment.wrong_codes, judgment.elements, "codes");
  add(judgment.wrong_padding, 0, "places of padding in the table of scales, which are due to be zero,");
  outcome.reason = reason + (judgment.violations() == 1 ? " is wrong" : " are wrong");
  if (judgment.wrong_scales > 0) detail::describe_scales(problem, judgment, outcome);
  if (judgment.wrong_codes > 0) detail::describe_codes(problem, judgment, outcome);
  if (judgment.wrong_padding > 0)
    outcome.diagnosis.push_back(std::to_string(judgment.wrong_padding) +
                                " places that pad the table of scales to whole tiles are not zero: products with what "
                                "lies behind the matrix are scaled by them");
  outcome.tables.push_back(detail::quantize_mismatches(judgment));
}

}  // namespace assay::inline v0
