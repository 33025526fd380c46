#pragma once

#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/table.hpp"
#include "assay/fleet/chips/chip.hpp"

namespace assay::inline v0 {

/// Whether a chip's figures agree with each other: the stated peak with clock · units · fused multiply-adds · 2 within
/// one percent, and no wider format faster than a narrower one of the same kind (fp16 ≤ fp8 ≤ fp6 ≤ fp4). A stated
/// peak of twice the derived one is called what it nearly always is, the sparse figure. Verdicts: `pass`, `fail`;
/// `inconclusive` where confidence is low, or nothing could be derived. The id is `chips/NAME`.
[[nodiscard]] Outcome check_chip(const Chip& chip);

/// Chips side by side: peaks, memory, links, power, ridge points (operations a byte), confidence. A dash: not stated.
[[nodiscard]] Table compare_chips(const std::vector<Chip>& chips);

/// A chip a line: what most are chosen by.
[[nodiscard]] Table list_chips(const std::vector<Chip>& chips);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/chips/check_chip.ipp"
#endif
