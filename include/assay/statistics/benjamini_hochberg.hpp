#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

/// The adjusted p-values of many tests, each at the place of its own: min over j ≥ i of p₍ⱼ₎·n/j, at most 1. Rejecting
/// what is at most q keeps the expected share of wrong rejections among all rejections at or below q, for independent
/// tests and for positively dependent ones. Source: Benjamini, Hochberg, Journal of the Royal Statistical Society B 57
/// (1995); dependence: Benjamini, Yekutieli, Annals of Statistics 29 (2001).
///
/// The tests are all that were asked, not those that look interesting: leave none out. O(n log n). Misuse: a value that
/// is no probability, NaN among them. No tests give no values.
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/statistics/benjamini_hochberg.ipp"
#endif
