#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/selection.hpp"
#include "command_line.hpp"

namespace assay_program {

/// The cases of all libraries compiled in, and what keeps those libraries running.
struct AssembledSuite {
  std::vector<std::shared_ptr<void>> runtimes;  ///< destroyed last
  assay::Suite cases;
};

/// Fails if the user's own matrices cannot be read or do not fit each other.
[[nodiscard]] assay::Result<AssembledSuite> assemble_suite(const CommandLine& line);

/// `assay::select`, whose message also tells of backends that this program was built without.
[[nodiscard]] assay::Result<std::vector<std::size_t>> select_cases(const assay::Suite& suite, const assay::Selection& selection);

}  // namespace assay_program
