#pragma once

#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "assay/suite/detail/case_server.hpp"
#endif

namespace assay::inline v0 {

/// The variable of the environment that tells a worker the number of the descriptor it inherits: its end of a stream
/// socket, over which requests come and outcomes go. Nobody else reads from or writes to it.
inline constexpr const char* worker_channel_variable = "ASSAY_WORKER_CHANNEL";

/// Serves the cases of `suite` to the runner that started this process (`IsolationOptions::command`), and returns when
/// it wants no more; the program should then end. Cases are found by their id, so the suite may hold more than are run.
/// Call it early: what the program prints before the first case is only seen if it ends before that. The variable of
/// the environment is taken away, so that programs that a case starts do not mistake themselves for workers.
///
/// Fails (invalid) if this process was not started by `run_isolated`, and (unsupported) where there is no isolation.
[[nodiscard]] Result<void> serve_cases(const Suite& suite);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/suite/serve_cases.ipp"
#endif
