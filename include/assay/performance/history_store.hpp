#pragma once

#include <concepts>

#include "assay/performance/history.hpp"

namespace assay::inline v0 {

/// Where a history is kept. A handle on a file or database that other processes may use at the same time.
///
/// - `append(run)` keeps the run, whole or not at all, and returns when it survives a kill of the process (and, unless
///   the store was told otherwise, a loss of power). What was appended is never changed. Errors: `invalid` as
///   `check_history_run`; `io`: the store cannot be written, `malformed`: it is not a history, or one of a newer
///   version. After an error the store is as before.
/// - `load()` gives all runs whose `append` had returned when it began, in the order in which they were appended, and
///   what was damaged without loss to them as warnings; what says to the bit what an earlier run says, once, with a
///   warning (`drop_repeated_runs`), as a run is evidence once. A store that does not exist yet is empty. Errors: `io`;
///   `malformed` for damage, with the place.
/// - Thread safety: each thread takes a handle of its own.
template <class S>
concept HistoryStore = requires(S& store, const HistoryRun& run) {
  { store.append(run) } -> std::same_as<Result<void>>;
  { store.load() } -> std::same_as<Result<History>>;
};

}  // namespace assay::inline v0
