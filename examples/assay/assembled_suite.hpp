#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "assay/core/environment.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/selection.hpp"
#include "command_line.hpp"

namespace assay_program {

/// The cases of libraries, and what keeps those libraries running.
struct AssembledSuite {
  std::vector<std::shared_ptr<void>> runtimes;  ///< destroyed last
  assay::Suite cases;
};

/// All cases of all libraries compiled in, to be selected and explained, not run: no library is started. Kernels of
/// libraries that are told to use another instruction set ("onednn@sse41") are among them where the user names one.
/// Fails if the user's own matrices cannot be read or do not fit each other.
[[nodiscard]] assay::Result<assay::Suite> catalog(const CommandLine& line);

/// The cases of the libraries named, ready to run; these libraries are started. Errors as `catalog`.
[[nodiscard]] assay::Result<AssembledSuite> assemble_suite(const CommandLine& line,
                                                           const std::set<std::string>& backends);

/// The cases of the catalog that were chosen, in its order. Errors as `assay::select`, whose message also tells of
/// backends that this program was built without. Plugins that cannot be loaded are always among them.
[[nodiscard]] assay::Result<assay::Suite> chosen_cases(assay::Suite catalog, assay::Selection selection);

/// The host, and the libraries that these backends are of.
[[nodiscard]] assay::Environment environment_of(const std::set<std::string>& backends);

/// The backends that cases are about.
[[nodiscard]] std::set<std::string> backends_of(const assay::Suite& cases);

}  // namespace assay_program
