#pragma once

#include "assay/suite/detail/worker_process.hpp"

#include <cerrno>
#include <cstdio>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> resident_bytes_of(pid_t process) {
  std::FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/statm").c_str(), "re");
  if (file == nullptr) return std::nullopt;
  unsigned long long whole = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &whole, &resident);
  std::fclose(file);
  if (read != 2) return std::nullopt;
  return std::uint64_t{resident} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

ASSAY_DETAIL_HEADER_INLINE Result<WorkerProcess> WorkerProcess::start(const Suite& suite,
                                                                      const std::vector<std::string>& command,
                                                                      const std::vector<std::string>& environment,
                                                                      const std::vector<int>& foreign) {
  auto channel = open_channel();
  if (!channel) return channel.propagate();
  auto output = WorkerOutput::open();
  if (!output) return output.propagate();
  FileDescriptor runners_end = std::move(channel.value().first), workers_end = std::move(channel.value().second);

  std::vector<std::string> variables = environment_of_worker(workers_end.number(), environment), arguments = command;
  const std::vector<char*> variable_pointers = pointers_to(variables), argument_pointers = pointers_to(arguments);
  std::fflush(nullptr);  // or the worker would write it a second time
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return system_failure("no process for a worker could be started");
  if (process == 0) {
    detach_from(parent, output.value().number());
    if (command.empty()) {
      for (const int descriptor : foreign) ::close(descriptor);
      ::close(runners_end.number());
      serve_and_leave(suite, workers_end.number());
    }
    execute(workers_end.number(), argument_pointers, variable_pointers);
  }
  ::setpgid(process, process);  // the child does so too: whoever comes first
  return WorkerProcess(process, std::move(runners_end), std::move(output).value());
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> WorkerProcess::environment_of_worker(
    int channel, const std::vector<std::string>& own) {
  std::vector<std::string> variables = own;
  variables.push_back(std::string(worker_channel_variable) + "=" + std::to_string(channel));
  std::set<std::string> names;
  for (const std::string& variable : variables) names.insert(name_of_variable(variable));
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (names.count(name_of_variable(*variable)) == 0) variables.emplace_back(*variable);
  return variables;
}

ASSAY_DETAIL_HEADER_INLINE void WorkerProcess::detach_from(pid_t parent, int output) {
  ::setpgid(0, 0);  // the terminal's interrupt is the runner's to handle
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);  // it died before that took effect
  const int badness = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (badness >= 0) {  // a system out of memory shall take the worker, not the runner
    static_cast<void>(!::write(badness, "1000", 4));
    ::close(badness);
  }
#else
  static_cast<void>(parent);
#endif
  for (int number = 1; number < 32; ++number)
    if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  if (nothing > STDERR_FILENO) ::close(nothing);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
}

ASSAY_DETAIL_HEADER_INLINE void WorkerProcess::execute(int channel, const std::vector<char*>& arguments,
                                                       const std::vector<char*>& variables) {
#if defined(CLOSE_RANGE_CLOEXEC)
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
  ::fcntl(channel, F_SETFD, 0);
  environ = const_cast<char**>(variables.data());
  ::execvp(arguments[0], arguments.data());
  const char* const reason = std::strerror(errno);
  for (const char* part : {"cannot execute '", static_cast<const char*>(arguments[0]), "': ", reason, "\n"})
    static_cast<void>(!::write(STDERR_FILENO, part, std::strlen(part)));
  ::_exit(127);
}

}  // namespace assay::inline v0::detail
