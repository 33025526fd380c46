#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"

namespace assay::inline v0 {

/// Agreement through files of a folder that all ranks see, for launchers without MPI. No rank is special: the first
/// that sees all others, or whose deadline passes, decides who is absent, and all abide by it, the late ones included.
/// Files appear by hard links, which are made whole or not at all; on network file systems a rank may see them as late
/// as attributes are cached.
///
/// Files stand in `<folder>/<run>/`, of which the last two exchanges stay; the folder is the launcher's to remove.
class DirectoryCoordinator final : public Coordinator {
 public:
  /// `run` tells runs apart, and is the same on all ranks: the scheduler's job and step, for example. Errors: `invalid`
  /// if the name is not of letters, digits, '.', '_' and '-', the rank is none, or this rank took part in a run of that
  /// name before; `io`.
  [[nodiscard]] static Result<std::unique_ptr<DirectoryCoordinator>> open(std::string folder, const std::string& run,
                                                                          int rank, int size);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  [[nodiscard]] Result<std::vector<std::optional<std::string>>> exchange(std::string mine, Deadline deadline) override;

 private:
  DirectoryCoordinator(std::string folder, int rank, int size) : folder_(std::move(folder)), rank_(rank), size_(size) {}

  [[nodiscard]] static std::string part_of(const std::string& number, int rank) {
    return "part-" + number + "-" + std::to_string(rank);
  }
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  [[nodiscard]] Failure refused(const std::string& what) const {
    const int cause = errno;
    return failure(ErrorKind::io, "rank " + std::to_string(rank_) + " could not " + what + ": " + std::strerror(cause));
  }

  /// Gives a name to a file, complete at once; false if there is one of that name.
  [[nodiscard]] Result<bool> publish(const std::string& name, const std::string& text) const;

  /// The text of a file; none if it is not there.
  [[nodiscard]] Result<std::optional<std::string>> read(const std::string& name) const;

  [[nodiscard]] bool is_there(const std::string& name) const { return ::access(path_of(name).c_str(), F_OK) == 0; }

  /// Until a decision is there: another rank's, or this one's.
  [[nodiscard]] Result<void> wait_for_decision(const std::string& number, Deadline deadline) const;

  /// After an exchange to which all have come, nobody reads the one before.
  void forget() const {
    if (exchanges_ < 2) return;
    const std::string number = std::to_string(exchanges_ - 2);
    ::unlink(path_of(part_of(number, rank_)).c_str());
    if (rank_ == 0) ::unlink(path_of("decision-" + number).c_str());
  }

  std::string folder_;
  int rank_, size_;
  std::uint64_t exchanges_ = 0;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/directory_coordinator.ipp"
#endif
