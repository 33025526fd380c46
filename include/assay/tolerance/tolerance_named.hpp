#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay::inline v0 {

/// "derived", "exact", "strict", "normal", "relaxed", "ulps=N", "atol=X,rtol=Y" (either alone means the other is 0).
/// Numbers are plain decimals. Nothing may be said twice.
/// `ErrorKind::invalid` says what was given and what is allowed.
[[nodiscard]] Result<ChosenTolerance> tolerance_named(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/tolerance/tolerance_named.ipp"
#endif
