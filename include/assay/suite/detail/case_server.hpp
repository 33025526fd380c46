#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/process/ending.hpp"
#include "assay/core/process/file_descriptor.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/case_request.hpp"
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

/// Keeps a channel out of the processes that this one forks from now on: one that a case leaves behind would otherwise
/// hold the channel open, and a later case that closes it would look like one that hangs. One channel a process.
class UnforkedChannel {
 public:
  explicit UnforkedChannel(int channel) {
    if (std::exchange(number_, channel) < 0)
      static_cast<void>(::pthread_atfork(nullptr, nullptr, &UnforkedChannel::close_in_child));
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
/// A result waits until it is known whether another request is there: the result and "started" then travel together.
/// What was sent stays in the channel if the process dies, so the runner may come for it at leisure.
class CaseServer {
 public:
  CaseServer(const Suite& suite, int channel) : channel_(channel) {
    for (const Case& entry : suite) cases_.emplace(entry.id, &entry);
  }

  /// Returns when the runner wants no more, or is gone, or a case says that this process is spent. A case that ends the
  /// process ends it here.
  void serve();

 private:
  [[nodiscard]] Outcome perform_request(std::string_view payload);

  /// What a case has printed that returned is of no interest: the file holds the output of the running one.
  void forget_output() const {
    if (::lseek(STDOUT_FILENO, 0, SEEK_END) > 0) static_cast<void>(!::ftruncate(STDOUT_FILENO, 0));
  }

  [[nodiscard]] bool has_own_output() const {
    return FileIdentity::of(STDOUT_FILENO) == output_file_ && FileIdentity::of(STDERR_FILENO) == output_file_;
  }

  /// Gives the next cases the output back that this one has closed or replaced.
  void repair_output(Outcome& outcome) const;

  void reply(std::uint64_t ticket, const Outcome& outcome);

  [[nodiscard]] std::optional<Message> next_request();

  bool flush();

  const int channel_;
  UnforkedChannel unforked_{channel_};
  std::map<std::string_view, const Case*> cases_;
  FileDescriptor saved_output_;
  std::optional<FileIdentity> output_file_;
  FrameReader incoming_;
  std::string outgoing_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/case_server.ipp"
#endif
