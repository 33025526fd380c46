#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/collectives/element_type.hpp"
#include "assay/collectives/in_process/detail/element_loops.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// into[i] = into[i] ∘ with[i] for `count` elements of `type`; average and premultiplied_sum add. Integers wrap. Sums
/// and products of floating-point elements are rounded to the type, once and to nearest even; overflow is infinity, NaN
/// in e4m3fn, which has none. Minimum and maximum give NaN where either is NaN, and take −0 for less than +0. No
/// alignment is needed; the arrays do not overlap. O(count).
void reduce_elements(ElementType type, ReductionOperator reduction, void* into, const void* with, Index count);

/// elements[i] = elements[i] · multiplier, the multiplier rounded to the type first (of integers: toward zero, then
/// modulo 2^bits; beyond 64 bits it is 0), the product as in `reduce_elements`. O(count).
void scale_elements(ElementType type, void* elements, double multiplier, Index count);

/// elements[i] = elements[i] / divisor: what makes an average of a sum. Of integers rounded toward zero, else to the
/// nearest of the type. Precondition: divisor ≥ 1. O(count).
void divide_elements(ElementType type, void* elements, int divisor, Index count);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/in_process/reduce_elements.ipp"
#endif
