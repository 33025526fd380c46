#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/suite/case_record.hpp"
#include "assay/suite/observed_output.hpp"

namespace assay::inline v0 {

/// What the runner tells a case.
struct CaseContext {
  std::uint64_t seed = 0;    ///< this case's own seed, derived from the run's seed and the case's id
  unsigned repetitions = 1;  ///< how many times the subject is to run; above 1, runs that differ in any bit are told
  /// Is shown the outputs of the first run, by cases whose kernels run on the host. May be null.
  const OutputObserver* outputs = nullptr;
};

/// Anything that yields an outcome. Type-erased, so that suites of any size cost no instantiations.
struct Case {
  std::string id;                             ///< stable, hierarchical, unique in its suite
  std::map<std::string, std::string> labels;  ///< see Outcome::labels
  std::vector<std::string> tags;              ///< "large" cases run only when asked for
  /// Runs the case. May throw: the runner turns an exception into the verdict `error`.
  /// Thread safety: may be called while other cases of the suite run.
  std::function<Outcome(const CaseContext&)> run;
  /// How the tolerance of this case comes about, one step a line, without running the subject. May be empty.
  std::function<std::vector<std::string>(const CaseContext&)> explain;
  /// What runs this case on other problems and data. May be null.
  std::shared_ptr<const RecordedKernel> kernel;
};

/// Cases in a fixed order.
using Suite = std::vector<Case>;

/// Appends one suite to another.
inline void append(Suite& suite, Suite more) {
  for (auto& entry : more) suite.push_back(std::move(entry));
}

}  // namespace assay::inline v0
