#pragma once

#include "assay/profile/numeric_profile.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0 {

/// The arithmetic that a profile proves a kernel to have, as the bounds of tolerances take it: in place of what a
/// kernel promises. With additions that are cut or directed, u is a whole unit in the last place and errors have a
/// bias; with several products at once, a step rounds each operand and the sum. `ErrorKind::unsupported` names what is
/// undetermined. A GemmSubject takes it: `subject.accumulation = [model](const GemmProblem&) { return model; }`.
[[nodiscard]] Result<AccumulationModel> accumulation_of(const NumericProfile& profile);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/profiled_accumulation.ipp"
#endif
