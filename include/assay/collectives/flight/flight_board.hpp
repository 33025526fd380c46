#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/flight/flight_recorder.hpp"

namespace assay::inline v0 {

/// What stands on a board.
struct FlightBoardReading {
  std::vector<RankFlight> flights;    ///< by rank
  std::vector<std::string> problems;  ///< files that were not read as truth, each with its name and why
};

/// A folder in which every rank of a run keeps its record in a file of its own, so that any process of the machine, or
/// of all that share the folder, can read it while the ranks run or afterwards; a process that is killed, even by
/// SIGKILL, leaves all that it had noted.
class FlightBoard {
 public:
  /// `run` tells the files of this run from those that an earlier one left; by default what the launcher calls the job,
  /// if it tells (Slurm, Open MPI's PRRTE and orted, torchrun).
  explicit FlightBoard(std::filesystem::path folder, std::string run = run_of_launcher())
      : folder_(std::move(folder)), run_(run.substr(0, 63)) {}

  /// Where the records are.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// The file of that rank's record.
  [[nodiscard]] std::filesystem::path file_of(int rank) const {
    return folder_ / ("rank-" + std::to_string(rank) + ".flight");
  }

  /// A recorder whose memory is the file of `rank`; one that is there is replaced. Makes the folder if need be. The
  /// file has 4 KiB and 128 bytes a record. Errors: `io`, `out_of_memory`. Misuse: as of `FlightRecorder`.
  [[nodiscard]] Result<FlightRecorder> recorder(int rank, int size, std::size_t capacity = 1024) const;

  /// One file. Errors: `not_found`; `io`; `malformed`, with its name and what is wrong: another kind of file, cut
  /// short, torn, of another run.
  [[nodiscard]] Result<RankFlight> read_file(const std::filesystem::path& path) const;

  /// All files of the folder, by rank. What cannot be read stands under `problems`. Errors: `not_found`: no such
  /// folder.
  [[nodiscard]] Result<FlightBoardReading> read() const;

  /// An id that all processes of one launch share, from the variables of known launchers; empty where there is none.
  [[nodiscard]] static std::string run_of_launcher() {
    for (const char* name : {"PMIX_NAMESPACE", "SLURM_JOB_ID", "TORCHELASTIC_RUN_ID", "OMPI_MCA_ess_base_jobid"})
      if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
    return {};
  }

 private:
  [[nodiscard]] Result<RankFlight> checked(const std::filesystem::path& path, const detail::FlightHeader* header,
                                           const detail::FlightSlot* slots, std::size_t bytes) const;

  std::filesystem::path folder_;
  std::string run_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/flight_board.ipp"
#endif
