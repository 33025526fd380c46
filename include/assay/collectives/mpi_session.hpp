#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "assay/collectives/detail/mpi_support.hpp"
#include "assay/core/environment.hpp"

namespace assay::inline v0 {

/// What MPI promises to programs with threads; each includes those before it.
enum class MpiThreads {
  single = MPI_THREAD_SINGLE,
  funneled = MPI_THREAD_FUNNELED,      ///< only the thread that made the session calls MPI
  serialized = MPI_THREAD_SERIALIZED,  ///< any, one at a time
  multiple = MPI_THREAD_MULTIPLE
};

/// MPI from begin to end of its life. Movable; a program has one. Communicators, coordinators and collectives end
/// before it.
///
/// Finalizing waits for all ranks: where one is dead or stuck it would never end. So the end of the session first waits
/// `patience` for the ranks, and leaves MPI unfinalized if they do not come: the launcher then ends the job, and says
/// so.
class MpiSession {
 public:
  /// Errors: `invalid` if MPI runs already or was finalized, `unsupported` if it promises less than `threads`,
  /// `device`.
  [[nodiscard]] static Result<MpiSession> open(
      MpiThreads threads = MpiThreads::serialized,
      std::chrono::steady_clock::duration patience = std::chrono::seconds(10)) {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized != 0)
      return failure(ErrorKind::invalid, "MPI was finalized already, and cannot start again in this process");
    if (initialized != 0)
      return failure(ErrorKind::invalid,
                     "MPI runs already: another session, or the program itself, initialized it; use its communicators");
    int provided = MPI_THREAD_SINGLE;
    if (const int code = MPI_Init_thread(nullptr, nullptr, static_cast<int>(threads), &provided); code != MPI_SUCCESS)
      return failure(ErrorKind::device, "MPI_Init_thread failed with code " + std::to_string(code) +
                                            "; is the program run by this library's mpirun?");
    MpiSession session(std::make_unique<State>());
    session.state_->threads = static_cast<MpiThreads>(provided);
    session.state_->patience = patience;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    auto own = detail::duplicate_communicator(MPI_COMM_WORLD);
    if (!own) return own.propagate();
    session.state_->at_end = own.value();
    if (provided < static_cast<int>(threads))
      return failure(ErrorKind::unsupported, "MPI promises the thread level " +
                                                 name_of(static_cast<MpiThreads>(provided)) + ", less than the " +
                                                 name_of(threads) + " that was asked for");
    return session;
  }

  /// What MPI granted.
  [[nodiscard]] MpiThreads threads() const { return state_->threads; }

  /// Name and version of the library, one line. Precondition: none; it may be asked for at any time.
  [[nodiscard]] static std::pair<std::string, std::string> library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string version(text, static_cast<std::size_t>(length));
    version = version.substr(0, version.find('\n'));
    while (!version.empty() && (version.back() == '\0' || version.back() == ' ')) version.pop_back();
    int major = 0, minor = 0;
    MPI_Get_version(&major, &minor);
    return {"MPI", version + "; MPI " + std::to_string(major) + "." + std::to_string(minor)};
  }

  /// Adds the library to what is recorded with outcomes.
  static void describe(Environment& environment) { environment.libraries.push_back(library()); }

  /// MPI's name of the level.
  [[nodiscard]] static std::string name_of(MpiThreads threads) {
    switch (threads) {
      case MpiThreads::single: return "single";
      case MpiThreads::funneled: return "funneled";
      case MpiThreads::serialized: return "serialized";
      case MpiThreads::multiple: return "multiple";
    }
    return "single";
  }

 private:
  struct State {
    MpiThreads threads = MpiThreads::single;
    std::chrono::steady_clock::duration patience{};
    MPI_Comm at_end = MPI_COMM_NULL;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      int finalized = 0;
      MPI_Finalized(&finalized);
      if (finalized != 0 || at_end == MPI_COMM_NULL) return;
      MPI_Request barrier = MPI_REQUEST_NULL;
      if (MPI_Ibarrier(at_end, &barrier) == MPI_SUCCESS) {
        const auto met = detail::wait_for(&barrier, 1, deadline_after(patience));
        if (met && met.value() == detail::MpiWait::done) {
          MPI_Finalize();
          return;
        }
      }
      std::fputs("assay: MPI is not finalized, since not all ranks came to their end in time\n", stderr);
    }
  };

  explicit MpiSession(std::unique_ptr<State> state) : state_(std::move(state)) {}

  std::unique_ptr<State> state_;
};

}  // namespace assay::inline v0
