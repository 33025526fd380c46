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

/// Serves the cases of `suite` to the runner that started this process (`IsolationOptions::command`), and returns when it
/// wants no more; the program should then end. Cases are found by their id, so the suite may hold more than are run.
/// Call it early: what the program prints before the first case is only seen if it ends before that. The variable of the
/// environment is taken away, so that programs that a case starts do not mistake themselves for workers.
///
/// Fails (invalid) if this process was not started by `run_isolated`, and (unsupported) where there is no isolation.
[[nodiscard]] inline Result<void> serve_cases(const Suite& suite) {
#if defined(__unix__) || defined(__APPLE__)
  const char* const variable = std::getenv(worker_channel_variable);
  if (variable == nullptr)
    return failure(ErrorKind::invalid, std::string("this command serves cases to a runner, which starts it and sets ") +
                                           worker_channel_variable + "; it is not for use by hand");
  const std::string_view text = variable;
  int channel = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), channel);
  struct stat status {};
  if (code != std::errc() || end != text.data() + text.size() || channel < 0 || ::fstat(channel, &status) != 0 || !S_ISSOCK(status.st_mode))
    return failure(ErrorKind::invalid,
                   std::string(worker_channel_variable) + " is '" + variable + "', which is no open socket of this process");
  ::fcntl(channel, F_SETFD, FD_CLOEXEC);
  ::unsetenv(worker_channel_variable);
  detail::CaseServer(suite, channel).serve();
  return {};
#else
  static_cast<void>(suite);
  return failure(ErrorKind::unsupported, "cases can be isolated on POSIX systems only");
#endif
}

}  // namespace assay::inline v0
