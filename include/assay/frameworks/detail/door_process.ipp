#pragma once

#include "assay/frameworks/detail/door_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/suite/ending.hpp"

extern char** environ;

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> DoorProcess::start() {
  auto ends = open_channel();
  if (!ends) return ends.propagate();
  auto output = open_nameless_file();
  if (!output) return output.propagate();
  // Above the numbers that they get in the worker, so that none is overwritten there before it was moved.
  const FileDescriptor theirs(::fcntl(ends.value().second.number(), F_DUPFD_CLOEXEC, 16));
  const FileDescriptor words(::fcntl(output.value().number(), F_DUPFD_CLOEXEC, 16));
  if (!theirs || !words) return system_failure("no worker for a runtime could be started");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_adddup2(&actions, words.number(), stream);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.number(), door_channel);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGABRT, SIGCHLD, SIGSEGV}) ::sigaddset(&usual, number);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> arguments = command_;
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int code = ::posix_spawnp(&process, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (code != 0) return failure(ErrorKind::io, "cannot execute '" + command_[0] + "': " + std::strerror(code));
  process_ = process;
  channel_ = std::move(ends.value().first);
  output_ = std::move(output).value();
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> DoorProcess::converse(const std::string& request,
                                                                     std::int64_t deadline) {
  const std::uint64_t size = request.size();
  std::string head(sizeof size, '\0'), answer;
  std::memcpy(head.data(), &size, sizeof size);
  std::size_t sent = 0;
  std::optional<std::uint64_t> due;
  while (!due || answer.size() < *due) {
    const std::int64_t left = deadline - monotonic_nanoseconds();
    if (left <= 0) return failure(ErrorKind::timed_out, "");
    const bool sending = sent < head.size() + request.size();
    ::pollfd waiting{channel_.number(), static_cast<short>(sending ? POLLIN | POLLOUT : POLLIN), 0};
    if (::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left / 1000000 + 1, 60000))) <= 0) continue;
    if (sending && (waiting.revents & POLLOUT) != 0) {
      const bool first = sent < head.size();
      const ssize_t some = first ? send_some(channel_.number(), head.data() + sent, head.size() - sent, false)
                                 : send_some(channel_.number(), request.data() + (sent - head.size()),
                                             request.size() - (sent - head.size()), false);
      if (some > 0) sent += static_cast<std::size_t>(some);
      if (some < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return failure(ErrorKind::aborted, "");
      continue;
    }
    if ((waiting.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    char buffer[1 << 16];
    const ssize_t some = receive_some(channel_.number(), buffer, sizeof buffer, false);
    if (some == 0 || (some < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) return failure(ErrorKind::aborted, "");
    if (some > 0) answer.append(buffer, static_cast<std::size_t>(some));
    if (!due && answer.size() >= sizeof size) {
      std::uint64_t told = 0;
      std::memcpy(&told, answer.data(), sizeof told);
      if (told > longest_door_message) return failure(ErrorKind::malformed, "it sent what is no answer");
      due = told;
      answer.erase(0, sizeof told);
    }
  }
  return answer;
}

ASSAY_DETAIL_HEADER_INLINE Result<DoorAnswer> DoorProcess::ask(const DoorRequest& request) {
  const std::lock_guard<std::mutex> lock(asking_);
  const std::int64_t deadline = monotonic_nanoseconds() + static_cast<std::int64_t>(seconds_ * 1e9);
  if (process_ < 0)
    if (auto started = start(); !started) return started.propagate();
  ByteWriter writer;
  writer(request);
  auto bytes = converse(writer.take(), deadline);
  if (!bytes) {
    const std::string ended = end(), words = last_words();
    const std::string tail = words.empty() ? "" : "; its last words: " + words;
    if (bytes.error().kind == ErrorKind::timed_out)
      return failure(ErrorKind::timed_out, "the process of the runtime did not answer within " +
                                               printed_number(seconds_, 4) + " s and was killed" + tail);
    return failure(ErrorKind::device, "the process of the runtime ended" + (ended.empty() ? "" : ": " + ended) + tail);
  }
  DoorAnswer answer;
  ByteReader reader(bytes.value());
  reader(answer);
  if (!reader.complete()) {
    static_cast<void>(end());
    return failure(ErrorKind::malformed, "the process of the runtime sent what is no answer");
  }
  if (answer.failed) return failure(answer.kind, answer.message);
  return answer;
}

ASSAY_DETAIL_HEADER_INLINE std::string DoorProcess::last_words() const {
  struct stat status {};
  if (!output_ || ::fstat(output_.number(), &status) != 0 || status.st_size <= 0) return {};
  std::string text(static_cast<std::size_t>(std::min<off_t>(status.st_size, 600)), '\0');
  const ssize_t size =
      ::pread(output_.number(), text.data(), text.size(), status.st_size - static_cast<off_t>(text.size()));
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 32) letter = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string DoorProcess::end() {
  if (process_ < 0) return {};
  const pid_t process = std::exchange(process_, -1);
  int status = 0;
  bool reaped = false;
  // Its channel closes a moment before it can be waited for; then the status is its own.
  for (int wait = 0; wait < 40 && !reaped; ++wait) {
    ::pollfd hung_up{channel_.number(), 0, 0};
    if (wait > 0 && ::poll(&hung_up, 1, 0) == 0) break;
    reaped = ::waitpid(process, &status, WNOHANG) == process;
    if (!reaped) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(-process, SIGKILL);  // what it started
  if (reaped)
    return WIFSIGNALED(status) ? description_of({Ending::Kind::signal, WTERMSIG(status), {}})
                               : "exit code " + std::to_string(WEXITSTATUS(status));
  ::kill(process, SIGKILL);
  // A process in a driver's uninterruptible sleep cannot die; it is given up after a while.
  for (int wait = 0; wait < 200 && ::waitpid(process, &status, WNOHANG) == 0; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return {};
}

}  // namespace assay::inline v0::detail
