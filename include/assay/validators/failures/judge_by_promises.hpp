#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/tolerance/unit_promise.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0 {

/// What known properties of a unit explain of a refuted launch.
struct PromiseJudgment {
  bool explains_all = false;   ///< every element is right for a unit that has them, and memory is as it should be
  std::uint64_t accepted = 0;  ///< elements that are right only so
  std::vector<std::string> promises;  ///< those that were needed, as `described` tells them
  double worst_ratio = 0;             ///< the largest error / allowed error of what is right and not flushed
};

/// Judges what was refuted by promises that are about this kernel. With flushing, an element is right if it is so for
/// the inputs as they are, or for inputs with 0 in place of subnormal numbers; if it is 0 where a subnormal result is
/// acceptable; or within the bound of sums whose subnormal values are lost. With `default_nan`, if it is any NaN where
/// one is due. Nothing else is forgiven: not memory that was not the kernel's to write, and no normal number that is
/// wrong. O(two references).
[[nodiscard]] PromiseJudgment judge_by_promises(const DiagnosedCase& given, const std::vector<UnitPromise>& promises);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/failures/judge_by_promises.ipp"
#endif
