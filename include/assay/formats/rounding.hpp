#pragma once

namespace assay::inline v0 {

/// The rounding of a real number to a format. `nearest_even` is IEEE 754's default: of two equally near
/// numbers the one whose significand ends in 0; where significands have a single bit, the larger power of two.
enum class Rounding { nearest_even, nearest_away, toward_zero, toward_positive, toward_negative };

/// What becomes of a rounded value beyond the largest finite one. `ieee` gives infinity, or the largest finite value
/// where the rounding direction says so; a format without infinities gives NaN if it has one, else it saturates.
enum class Overflow { ieee, saturate };

}  // namespace assay::inline v0
