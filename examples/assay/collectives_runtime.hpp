#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/core/environment.hpp"
#include "collectives_options.hpp"

namespace assay_program {

/// What a rank does with its end; returns the exit code, the same on all ranks. Rank 0 alone prints.
using RankWork = std::function<int(assay::AnyCollective& collective, assay::Coordinator& coordinator)>;

/// Gives the ranks of this process their ends: all of them as threads, or the one that a launcher made this process.
/// Returns the exit code. Errors: the runtime is not built in, not there, or was not started as it needs to be.
[[nodiscard]] assay::Result<int> with_ranks(const CollectivesOptions& options, const RankWork& work);

/// A library that ranks communicate by.
struct RuntimeLibrary {
  std::string name;  ///< of --runtime
  std::string title;
  std::string version;  ///< empty: not compiled in
  std::string package;  ///< of Debian or Ubuntu, or where it is had from
};
[[nodiscard]] std::vector<RuntimeLibrary> runtime_libraries();

/// Adds the libraries of a runtime to what is recorded.
void describe_runtime(const std::string& runtime, assay::Environment& environment);

}  // namespace assay_program
