#pragma once

#include <string>

#include "assay/suite/case.hpp"
#include "assay/suite/selection.hpp"

namespace assay_program {

/// Whether the user may have named problems that the suite does not have: whole names in --shape or --only.
[[nodiscard]] bool names_problems(const assay::Selection& selection);

/// Adds the cases of problems that the user names and the suite does not have, for every kernel, format and pattern of
/// data of problems written alike: in m777-n13-k50-nn-row the numbers are hers, the letters those of a problem of the
/// suite. Names that cannot be read so add nothing.
void add_own_problems(assay::Suite& cases, const assay::Selection& selection);

/// Why the problems among the names add nothing: the place where each stops being like one of the suite, and what the
/// suite writes instead. Empty if all can be read.
[[nodiscard]] std::string unreadable_problems(const assay::Suite& cases, const assay::Selection& selection);

}  // namespace assay_program
