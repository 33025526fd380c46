#pragma once

#include "assay/core/process/executed_worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/core/process/spawn_process.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::int64_t deadline_in(double seconds) noexcept {
  const std::int64_t now = monotonic_nanoseconds();
  return seconds < 1e9 ? now + static_cast<std::int64_t>(seconds * 1e9) : no_deadline;
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutedWorker> ExecutedWorker::start(const WorkerCommand& command) {
  expect(!command.arguments.empty() && command.shared.size() <= 8,
         [] { return "a worker needs a command, and gets at most 8 descriptors"; });
  FileDescriptor ours, theirs;
  if (command.channel) {
    auto ends = open_channel();
    if (!ends) return ends.propagate();
    ours = std::move(ends.value().first), theirs = std::move(ends.value().second);
  }
  FileDescriptor file;
  if (command.log.empty()) {
    auto nameless = open_nameless_file();
    if (!nameless) return nameless.propagate();
    file = std::move(nameless).value();
  } else {
    file = FileDescriptor(::open(command.log.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
    if (!file) return system_failure("'" + command.log + "': the log cannot be written");
  }
  std::vector<int> inherited;
  if (command.channel) inherited.push_back(theirs.number());
  inherited.insert(inherited.end(), command.shared.begin(), command.shared.end());
  auto process = spawn_process(command, file.number(), inherited);
  if (!process) return process.propagate();
  return ExecutedWorker(std::move(process).value(), std::move(ours), WorkerOutput(std::move(file)),
                        command.log.empty());
}

ASSAY_DETAIL_HEADER_INLINE Result<short> ExecutedWorker::await(short events, std::int64_t deadline) {
  for (;;) {
    if (limited_) output_.limit(std::size_t{1} << 16);
    // Asked before the channel is looked at: what it wrote before it ended is then there.
    if (!ending_) ending_ = process_.ended();
    const std::int64_t left = deadline - monotonic_nanoseconds();
    if (left <= 0) return failure(ErrorKind::timed_out, "no answer in time");
    // In short turns: a process that it started may hold its end of the channel open when it has ended.
    const std::int64_t turn = ending_ ? 0 : std::min<std::int64_t>(left / 1000000 + 1, 20);
    ::pollfd waiting{channel_.number(), events, 0};
    if (::poll(&waiting, 1, static_cast<int>(turn)) > 0) return waiting.revents;
    if (ending_) return failure(ErrorKind::aborted, "it ended");
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<void> ExecutedWorker::send(std::string_view bytes, std::int64_t deadline) {
  constexpr std::size_t most_kept = std::size_t{1} << 26;
  while (!bytes.empty()) {
    // Who answers before all was read would wait for this process as this one waits for it.
    const bool listens = received_.size() < most_kept;
    const auto ready = await(static_cast<short>(listens ? POLLIN | POLLOUT : POLLOUT), deadline);
    if (!ready) return ready.propagate();
    if (listens && (ready.value() & POLLIN) != 0)
      if (auto taken = take_received(); !taken) return taken;
    if ((ready.value() & ~POLLIN) == 0) continue;
    const ssize_t sent = send_some(channel_.number(), bytes.data(), bytes.size(), false);
    if (sent >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EAGAIN && errno != EWOULDBLOCK)
      return failure(ErrorKind::aborted, "it does not listen any more");
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> ExecutedWorker::send_message(std::string_view message, std::int64_t deadline) {
  const std::uint64_t size = message.size();
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  if (auto sent = send({head, sizeof head}, deadline); !sent) return sent;
  return send(message, deadline);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> ExecutedWorker::take_received() {
  char buffer[1 << 16];
  const ssize_t size = receive_some(channel_.number(), buffer, sizeof buffer, false);
  if (size > 0)
    received_.append(buffer, static_cast<std::size_t>(size));
  else if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
    return failure(ErrorKind::aborted, "it closed the channel");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> ExecutedWorker::receive_more(std::int64_t deadline) {
  for (const std::size_t before = received_.size(); received_.size() == before;) {
    if (auto ready = await(POLLIN, deadline); !ready) return ready.propagate();
    if (auto taken = take_received(); !taken) return taken;
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> ExecutedWorker::receive_message(std::int64_t deadline,
                                                                               std::uint64_t longest) {
  std::uint64_t size = 0;
  while (received_.size() < sizeof size)
    if (auto more = receive_more(deadline); !more) return more.propagate();
  std::memcpy(&size, received_.data(), sizeof size);
  if (size > longest) return failure(ErrorKind::malformed, "it sent what is no message");
  while (received_.size() - sizeof size < size)
    if (auto more = receive_more(deadline); !more) return more.propagate();
  std::string message = received_.substr(sizeof size, static_cast<std::size_t>(size));
  received_.erase(0, sizeof size + static_cast<std::size_t>(size));
  return message;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> ExecutedWorker::ask(std::string_view message, std::int64_t deadline,
                                                                   std::uint64_t longest) {
  if (auto sent = send_message(message, deadline); !sent) return sent.propagate();
  return receive_message(deadline, longest);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> ExecutedWorker::receive_line(std::int64_t deadline,
                                                                            std::uint64_t longest) {
  for (std::size_t from = 0;;) {
    if (const std::size_t end = received_.find('\n', from); end != received_.npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    from = received_.size();
    if (from > longest) return failure(ErrorKind::malformed, "it sent a line without end");
    if (auto more = receive_more(deadline); !more) return more.propagate();
  }
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Ending> ExecutedWorker::ended(std::int64_t deadline) {
  if (!ending_) ending_ = process_.ended();
  if (!ending_ && monotonic_nanoseconds() >= deadline) {
    static_cast<void>(process_.kill());
    ending_ = Ending{Ending::Kind::timeout, 0, {}};
  }
  return ending_;
}

ASSAY_DETAIL_HEADER_INLINE Ending ExecutedWorker::wait(std::int64_t deadline) {
  for (auto pause = std::chrono::microseconds(50);; pause = std::min(2 * pause, std::chrono::microseconds(5000))) {
    if (const auto ending = ended(deadline)) return *ending;
    if (limited_) output_.limit(std::size_t{1} << 20);
    std::this_thread::sleep_for(pause);
  }
}

ASSAY_DETAIL_HEADER_INLINE Ending ExecutedWorker::end() {
  const auto hung_up = [&] {
    ::pollfd channel{channel_.number(), 0, 0};
    return channel_ && ::poll(&channel, 1, 0) > 0;
  };
  // Its channel closes a moment before its status can be taken; the status is then its own.
  for (int turn = 0; turn < 200 && !ending_ && (turn == 0 || hung_up()); ++turn) {
    if (turn > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ending_ = process_.ended();
  }
  if (!ending_) {
    ending_ = Ending{hung_up() ? Ending::Kind::channel : Ending::Kind::timeout, 0, {}};
    static_cast<void>(process_.kill());
  }
  return *ending_;
}

ASSAY_DETAIL_HEADER_INLINE void leave_with_channel(int descriptor) {
  std::thread([descriptor] {
    ::pollfd channel{descriptor, 0, 0};
    while (::poll(&channel, 1, -1) <= 0) continue;
    ::_exit(0);
  }).detach();
}

}  // namespace assay::inline v0::detail
