#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "assay/collectives/deadline.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// "MPI_Iallreduce: MPI_ERR_TRUNCATE: message truncated (15)". Precondition: MPI is initialized.
[[nodiscard]] inline std::string mpi_error_text(const std::string& function, int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  return function + ": " +
         (length > 0 ? std::string(text, static_cast<std::size_t>(length)) : std::string("an unknown error")) +
         " (code " + std::to_string(code) + ")";
}

[[nodiscard]] inline Result<void> check_mpi(const std::string& function, int code) {
  if (code == MPI_SUCCESS) return {};
  return failure(ErrorKind::device, mpi_error_text(function, code));
}

/// Whether MPI may be called at all.
[[nodiscard]] inline Result<void> expect_mpi_runs() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (finalized != 0)
    return failure(ErrorKind::invalid,
                   "MPI was finalized already, and cannot start again in this process; keep the MpiSession alive as "
                   "long as collectives are used");
  if (initialized == 0)
    return failure(
        ErrorKind::invalid,
        "MPI is not initialized; call MPI_Init_thread, or keep an MpiSession alive, before communicators are used");
  return {};
}

/// Looks at something now and then: first often, then seldom, so that other ranks of the same processors get on.
class Pause {
 public:
  void operator()() {
    using namespace std::chrono_literals;
    if (++turns_ < 64) return;
    if (turns_ < 512)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(turns_ < 2048 ? 20us : 200us);
  }

 private:
  int turns_ = 0;
};

/// How waiting ended.
enum class MpiWait { done, late, aborted };

/// Until all `requests` are complete, the deadline has passed or `aborted` is set. Errors: MPI's.
[[nodiscard]] inline Result<MpiWait> wait_for(MPI_Request* requests, int count, Deadline deadline,
                                              const std::atomic<bool>* aborted = nullptr) {
  Pause pause;
  std::vector<MPI_Status> statuses(static_cast<std::size_t>(count));
  while (true) {
    int complete = 0;
    int code = MPI_Testall(count, requests, &complete, statuses.data());
    if (code == MPI_ERR_IN_STATUS)
      for (const MPI_Status& status : statuses)
        if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING) code = status.MPI_ERROR;
    if (code != MPI_SUCCESS) return failure(ErrorKind::device, mpi_error_text("MPI_Testall", code));
    if (complete != 0) return MpiWait::done;
    if (aborted != nullptr && aborted->load(std::memory_order_relaxed)) return MpiWait::aborted;
    if (has_passed(deadline)) return MpiWait::late;
    pause();
  }
}

/// A communicator of its own over the same ranks, which returns errors instead of ending the program.
[[nodiscard]] inline Result<MPI_Comm> duplicate_communicator(MPI_Comm communicator) {
  if (auto runs = expect_mpi_runs(); !runs) return runs.propagate();
  if (communicator == MPI_COMM_NULL)
    return failure(ErrorKind::invalid, "the communicator is MPI_COMM_NULL; give one that this rank belongs to");
  int between = 0;
  if (auto tested = check_mpi("MPI_Comm_test_inter", MPI_Comm_test_inter(communicator, &between)); !tested)
    return tested.propagate();
  if (between != 0)
    return failure(ErrorKind::unsupported,
                   "the communicator is an inter-communicator; collectives run on ranks of one group: merge it with "
                   "MPI_Intercomm_merge");
  MPI_Comm copy = MPI_COMM_NULL;
  if (auto made = check_mpi("MPI_Comm_dup", MPI_Comm_dup(communicator, &copy)); !made) return made.propagate();
  if (auto set = check_mpi("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN)); !set)
    return set.propagate();
  return copy;
}

}  // namespace assay::inline v0::detail
