#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay::inline v0::detail {

/// Whether this thread runs on that logical processor and on no other from now on.
[[nodiscard]] bool pin_to(int processor);

/// The processor on which this thread runs now; −1: unknown.
[[nodiscard]] int processor_of_this_thread();

/// Calls `work(index, processor)` in one thread a processor, each pinned to its own, and waits for all. Returns the
/// processors for which there is no such thread, with the reason; their work was not done.
[[nodiscard]] std::vector<std::string> run_pinned(std::span<const int> processors,
                                                  const std::function<void(std::size_t, int)>& work);

/// The processors asked for, or all that this process may use where none are named, or {−1}: one thread that is not
/// pinned, where the system does not tell.
[[nodiscard]] std::vector<int> chosen_processors(std::span<const int> asked);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/detail/pinned_threads.ipp"
#endif
