#pragma once

#include "assay/telemetry/detail/reading_worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/telemetry/detail/shared_library.hpp"

extern char** environ;

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t start = 0;;) {
    const std::size_t end = std::min(line.find('\t', start), line.size());
    fields.emplace_back(line.substr(start, end - start));
    if (end == line.size()) return fields;
    start = end + 1;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string worker_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return text;
}

ASSAY_DETAIL_HEADER_INLINE Result<ReadingWorker> ReadingWorker::start(const std::vector<std::string>& command) {
  const auto failed = [](const char* what) {
    return failure(ErrorKind::io,
                   std::string("no worker for readings could be started: ") + what + ": " + std::strerror(errno));
  };
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failed("socketpair");
  OpenFile own(ends[0]), lower(ends[1]);
  // Above the numbers that they get in the worker, so that none is overwritten there before it was moved.
  const OpenFile theirs(::fcntl(lower.number(), F_DUPFD_CLOEXEC, 16));
  const OpenFile low_memory(::memfd_create("readings", MFD_CLOEXEC));
  const OpenFile memory(low_memory.number() < 0 ? -1 : ::fcntl(low_memory.number(), F_DUPFD_CLOEXEC, 16));
  if (theirs.number() < 0 || memory.number() < 0 || ::ftruncate(memory.number(), worker_page_size) != 0)
    return failed("memfd_create");
  void* const page = ::mmap(nullptr, worker_page_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.number(), 0);
  if (page == MAP_FAILED) return failed("mmap");

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})  // vendors' libraries print
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.number(), worker_channel);
  ::posix_spawn_file_actions_adddup2(&actions, memory.number(), worker_page);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGABRT, SIGCHLD, SIGSEGV}) ::sigaddset(&usual, number);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);  // the terminal's interrupt is the parent's to handle
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> arguments = command;
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int code = ::posix_spawnp(&process, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (code != 0) {
    ::munmap(page, worker_page_size);
    errno = code;
    return failed(("'" + command[0] + "'").c_str());
  }
  auto* const slots = static_cast<volatile std::uint64_t*>(page);
  slots[0] = ~std::uint64_t{0};
  return ReadingWorker(process, std::move(own), slots);
}

ASSAY_DETAIL_HEADER_INLINE ReadingWorker::~ReadingWorker() {
  static_cast<void>(end());
  if (page_ != nullptr) ::munmap(const_cast<std::uint64_t*>(page_), worker_page_size);
}

ASSAY_DETAIL_HEADER_INLINE bool ReadingWorker::send(const std::string& line) {
  return ::send(channel_.number(), line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size());
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> ReadingWorker::receive(std::int64_t deadline) {
  for (;;) {
    const std::size_t end = rest_.find('\n');
    if (end != rest_.npos) {
      std::string line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return line;
    }
    const std::int64_t left = deadline - monotonic_nanoseconds();
    if (left <= 0) return failure(ErrorKind::timed_out, "no answer in time");
    struct pollfd waiting {
      channel_.number(), POLLIN, 0
    };
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left / 1000000 + 1, 60000)));
    if (ready <= 0) continue;
    char buffer[16384];
    const ssize_t size = ::recv(channel_.number(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (size > 0)
      rest_.append(buffer, static_cast<std::size_t>(size));
    else if (size == 0 || (errno != EAGAIN && errno != EINTR))
      return failure(ErrorKind::aborted, "it ended");
    if (rest_.size() > (std::size_t{1} << 20) && rest_.find('\n') == rest_.npos)
      return failure(ErrorKind::malformed, "it sent a line without end");
  }
}

ASSAY_DETAIL_HEADER_INLINE std::size_t ReadingWorker::asking() const noexcept {
  return static_cast<std::size_t>(page_[0]);
}

ASSAY_DETAIL_HEADER_INLINE std::string ReadingWorker::end() {
  if (process_ < 0) return {};
  const pid_t process = std::exchange(process_, -1);
  int status = 0;
  // Its channel closes a moment before it can be waited for; then the status is its own.
  bool reaped = false;
  for (int wait = 0; wait < 20 && !reaped; ++wait) {
    struct pollfd hung_up {
      channel_.number(), 0, 0
    };
    if (wait > 0 && ::poll(&hung_up, 1, 0) == 0) break;
    reaped = ::waitpid(process, &status, WNOHANG) == process;
    if (!reaped) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (reaped) {
    if (WIFSIGNALED(status))
      return "signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
    return "exit code " + std::to_string(WEXITSTATUS(status));
  }
  ::kill(-process, SIGKILL);
  ::kill(process, SIGKILL);
  // A process in a driver's uninterruptible sleep cannot die; it is given up after a while.
  for (int wait = 0; wait < 200 && ::waitpid(process, &status, WNOHANG) == 0; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return {};
}

}  // namespace assay::inline v0::detail
