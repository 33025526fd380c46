#pragma once

#include "assay/suite/serve_cases.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> serve_cases(const Suite& suite) {
#if defined(__unix__) || defined(__APPLE__)
  const char* const variable = std::getenv(worker_channel_variable);
  if (variable == nullptr)
    return failure(ErrorKind::invalid, std::string("this command serves cases to a runner, which starts it and sets ") +
                                           worker_channel_variable + "; it is not for use by hand");
  const std::string_view text = variable;
  int channel = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), channel);
  struct stat status {};
  if (code != std::errc() || end != text.data() + text.size() || channel < 0 || ::fstat(channel, &status) != 0 ||
      !S_ISSOCK(status.st_mode))
    return failure(ErrorKind::invalid, std::string(worker_channel_variable) + " is '" + variable +
                                           "', which is no open socket of this process");
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
