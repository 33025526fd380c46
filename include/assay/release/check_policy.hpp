#pragma once

#include <string>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/release/gate_policy.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

/// Whether a policy can be meant. Errors: `invalid`: no gates or no hard one, a name twice, a minimum of 0, a waiver or
/// an entry of the quarantine without owner, reason or expiry, one that would let everything through, one for a gate
/// that is not there (with the nearest).
[[nodiscard]] Result<void> check(const GatePolicy& policy);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/check_policy.ipp"
#endif
