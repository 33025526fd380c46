#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "assay/suite/case.hpp"
#include "assay/suite/detail/case_request.hpp"
#include "assay/suite/detail/ending.hpp"
#include "assay/suite/detail/file_descriptor.hpp"
#include "assay/suite/detail/frame.hpp"
#include "assay/suite/detail/outcome_codec.hpp"
#include "assay/suite/detail/perform.hpp"
#include "assay/suite/spent_process.hpp"

namespace assay::inline v0::detail {

/// Which file a descriptor stands for, to notice that a case has closed or replaced it.
struct FileIdentity {
  dev_t device{};
  ino_t node{};

  [[nodiscard]] static std::optional<FileIdentity> of(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
  }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Keeps a channel out of the processes that this one forks from now on: one that a case leaves behind would otherwise hold
/// the channel open, and a later case that closes it would look like one that hangs. One channel a process.
class UnforkedChannel {
 public:
  explicit UnforkedChannel(int channel) {
    if (std::exchange(number_, channel) < 0) static_cast<void>(::pthread_atfork(nullptr, nullptr, &UnforkedChannel::close_in_child));
    identity_ = FileIdentity::of(channel);
  }

 private:
  static void close_in_child() {
    if (identity_ && FileIdentity::of(number_) == identity_) ::close(number_);
  }

  static inline int number_ = -1;
  static inline std::optional<FileIdentity> identity_;
};

/// The worker's side: performs the cases that come through a channel, one after another, until it is closed.
///
/// A result waits until it is known whether another request is there: the result and "started" then travel together. What
/// was sent stays in the channel if the process dies, so the runner may come for it at leisure.
class CaseServer {
 public:
  CaseServer(const Suite& suite, int channel) : channel_(channel) {
    for (const Case& entry : suite) cases_.emplace(entry.id, &entry);
  }

  /// Returns when the runner wants no more, or is gone, or a case says that this process is spent. A case that ends the process ends it here.
  void serve() {
    static char line_buffer[BUFSIZ];  // one of our own: with that of a forked parent, glibc does not change the mode
    std::setvbuf(stdout, line_buffer, _IOLBF, sizeof line_buffer);  // what a case has printed is in the file when it crashes
    saved_output_ = FileDescriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    output_file_ = FileIdentity::of(STDOUT_FILENO);
    forget_output();
    append_frame(outgoing_, MessageKind::ready, cases_.size(), {});
    while (const std::optional<Message> message = next_request()) {
      append_frame(outgoing_, MessageKind::started, message->ticket, {});
      if (!flush()) return;
      const Outcome outcome = perform_request(message->payload);
      reply(message->ticket, outcome);
      if (outcome.labels.count(spent_process_label) > 0) return static_cast<void>(flush());
    }
  }

 private:
  [[nodiscard]] Outcome perform_request(std::string_view payload) {
    const Result<CaseRequest> request = decode_request(payload);
    if (!request) return error_outcome("the runner and its worker do not understand each other: " + request.error().message);
    const auto found = cases_.find(request.value().id);
    if (found == cases_.end()) {
      Outcome outcome =
          error_outcome("the worker's suite has no such case; the program that serves cases must build the suite that is run");
      outcome.id = request.value().id;
      return outcome;
    }
    Outcome outcome = perform_once(*found->second, request.value().options());
    std::fflush(stdout);
    if (has_own_output())
      forget_output();
    else
      repair_output(outcome);
    return outcome;
  }

  /// What a case has printed that returned is of no interest: the file holds the output of the running one.
  void forget_output() const {
    if (::lseek(STDOUT_FILENO, 0, SEEK_END) > 0) static_cast<void>(!::ftruncate(STDOUT_FILENO, 0));
  }

  [[nodiscard]] bool has_own_output() const {
    return FileIdentity::of(STDOUT_FILENO) == output_file_ && FileIdentity::of(STDERR_FILENO) == output_file_;
  }

  /// Gives the next cases the output back that this one has closed or replaced.
  void repair_output(Outcome& outcome) const {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      if (FileIdentity::of(stream) == output_file_) continue;
      const bool repaired = FileIdentity::of(saved_output_.number()) == output_file_ && ::dup2(saved_output_.number(), stream) == stream;
      outcome.diagnosis.push_back(std::string("the case closed or replaced its process's standard ") +
                                  (stream == STDOUT_FILENO ? "output" : "error") +
                                  (repaired ? "; it was restored for the cases that follow" : ", and it could not be restored"));
    }
  }

  void reply(std::uint64_t ticket, const Outcome& outcome) {
    std::string bytes = encode_outcome(outcome);
    if (bytes.size() > largest_payload) {
      Outcome replacement = error_outcome("the outcome takes " + std::to_string(bytes.size()) + " bytes, and a worker can send " +
                                          std::to_string(largest_payload) + "; make its tables, series and heat maps smaller");
      replacement.id = outcome.id;
      replacement.labels = outcome.labels;
      replacement.seed = outcome.seed;
      replacement.duration_seconds = outcome.duration_seconds;
      replacement.reproduce = outcome.reproduce;
      bytes = encode_outcome(replacement);
    }
    append_frame(outgoing_, MessageKind::performed, ticket, bytes);
  }

  [[nodiscard]] std::optional<Message> next_request() {
    for (bool wait = false;;) {
      Result<std::optional<Message>> message = incoming_.next();
      if (!message || (message.value() && message.value()->kind != MessageKind::perform)) return std::nullopt;
      if (message.value()) return std::move(message).value();
      std::array<char, 4096> bytes;
      const ssize_t size = receive_some(channel_, bytes.data(), bytes.size(), wait);
      if (size > 0)
        incoming_.add({bytes.data(), static_cast<std::size_t>(size)});
      else if (size == 0 || wait || (errno != EAGAIN && errno != EWOULDBLOCK))
        return flush(), std::nullopt;
      else if (!flush())
        return std::nullopt;
      else
        wait = true;
    }
  }

  bool flush() {
    std::string_view rest = outgoing_;
    while (!rest.empty()) {
      const ssize_t sent = send_some(channel_, rest.data(), rest.size(), true);
      if (sent < 0 && (errno == EBADF || errno == ENOTSOCK)) ::_exit(exit_code_of_lost_channel);
      if (sent < 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    outgoing_.clear();
    return true;
  }

  const int channel_;
  UnforkedChannel unforked_{channel_};
  std::map<std::string_view, const Case*> cases_;
  FileDescriptor saved_output_;
  std::optional<FileIdentity> output_file_;
  FrameReader incoming_;
  std::string outgoing_;
};

}  // namespace assay::inline v0::detail
