#pragma once

#include <mpi.h>

#include <limits>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/collective.hpp"
#include "assay/collectives/detail/abort_reason.hpp"
#include "assay/collectives/detail/mpi_operations.hpp"

namespace assay::inline v0 {

/// How MPI is used.
struct MpiOptions {
  /// Whether operations take MPI's blocking form. Libraries implement the forms apart (Open MPI: "tuned" and "libnbc"),
  /// so that each is worth a check; the blocking form keeps no deadline and heeds no abort.
  bool blocking = false;
  /// Most elements that a count of MPI is given; larger operations go in pieces, or as a type that holds a block. At
  /// least 1.
  Index largest_count = std::numeric_limits<int>::max();
};

/// A `Collective` over MPI. Has a communicator of its own. MPI must run as long as it is used (see `MpiSession`).
///
/// - Types: integers, f32 and f64 are MPI's; f16, bf16 and the 8-bit formats travel as bytes and are reduced by
///   operators of Assay's, which round every step. Averages are sums divided in the end, pre-multiplied sums are sums
///   of scaled copies.
/// - In place: as MPI demands, on all ranks of an all_reduce, all_gather or all_to_all or on none.
/// - Deadlines: MPI cannot withdraw an operation. After `timed_out` or `aborted` it may still read and write the
///   buffers of that call: keep them until MPI is finalized. Later calls are refused as `aborted`.
/// - Open MPI 4.1's sums of 8- and 16-bit integers saturate in AVX registers and wrap in what is left over
///   (open-mpi/ompi#8045): 200 + 200 is 255 in one element of a message and 144 in another. `--mca op ^avx` makes all
///   of them wrap.
/// - MPI does not compare what ranks ask for: mismatched calls corrupt memory or hang. `GuardedCollective` compares
///   first.
class MpiCollective {
 public:
  /// Collective over `communicator`. Errors: `invalid` if MPI does not run or the communicator is none, `unsupported`
  /// for an inter-communicator, `device`.
  [[nodiscard]] static Result<MpiCollective> create(MPI_Comm communicator, MpiOptions options = {}) {
    auto own = detail::duplicate_communicator(communicator);
    if (!own) return own.propagate();
    return adopt(own.value(), options);
  }

  [[nodiscard]] int rank() const { return state_->operations.rank; }
  [[nodiscard]] int size() const { return state_->operations.size; }
  [[nodiscard]] std::string name() const { return state_->operations.blocking ? "mpi.blocking" : "mpi"; }

  /// Ends the waiting of this rank; MPI tells the others nothing.
  void abort(std::string_view reason) { state_->aborted.give_up(reason); }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return run_group({&call, 1}, deadline);
  }

  /// All of them under way at once, in the order given, which must be that of all ranks.
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    if (auto runs = detail::expect_mpi_runs(); !runs) return runs;
    if (state_->aborted) return refused(calls, ErrorKind::aborted, "given up before: " + state_->aborted.why());
    detail::MpiWork& work = state_->work.emplace_back();
    for (const CollectiveCall& call : calls) {
      if (auto begun = state_->operations.begin(call, work); !begun) {
        if (begun.error().kind != ErrorKind::unsupported || !work.requests.empty())
          abort(begun.error().message);
        else
          state_->work.pop_back();
        return refused({&call, 1}, begun.error().kind, begun.error().message);
      }
    }
    const auto ended = detail::wait_for(work.requests.data(), static_cast<int>(work.requests.size()), deadline,
                                        &state_->aborted.flag());
    if (!ended) {
      abort(ended.error().message);
      return refused(calls, ended.error().kind, ended.error().message);
    }
    if (ended.value() == detail::MpiWait::aborted) return refused(calls, ErrorKind::aborted, state_->aborted.why());
    if (ended.value() == detail::MpiWait::late) {
      abort("an operation was not complete by its deadline");
      return refused(calls, ErrorKind::timed_out,
                     "not complete by the deadline; MPI does not tell which rank is missing");
    }
    for (const auto& finish : work.at_end) finish();
    state_->work.pop_back();
    return {};
  }

  /// Collective over all ranks, without a deadline: MPI's split has none. Precondition: `color` ≥ 0. Errors: `invalid`,
  /// `device`.
  [[nodiscard]] Result<MpiCollective> split(int color) {
    if (auto runs = detail::expect_mpi_runs(); !runs) return runs.propagate();
    if (color < 0)
      return failure(ErrorKind::invalid, "rank " + std::to_string(rank()) + ": color is " + std::to_string(color) +
                                             "; it must be 0 or more");
    MPI_Comm part = MPI_COMM_NULL;
    if (auto made =
            detail::check_mpi("MPI_Comm_split", MPI_Comm_split(state_->operations.communicator, color, rank(), &part));
        !made)
      return made.propagate();
    return adopt(part, {state_->operations.blocking, state_->operations.largest_count});
  }

 private:
  struct State {
    detail::MpiOperations operations;
    std::list<detail::MpiWork> work;  ///< under way, or given up
    detail::AbortReason aborted;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      if (!detail::expect_mpi_runs()) return;
      work.remove_if([](detail::MpiWork& given_up) {
        int complete = 0;
        return MPI_Testall(static_cast<int>(given_up.requests.size()), given_up.requests.data(), &complete,
                           MPI_STATUSES_IGNORE) == MPI_SUCCESS &&
               complete != 0;
      });
      if (work.empty()) {
        operations.types.free();
        MPI_Comm_free(&operations.communicator);
      } else {
        static_cast<void>(new std::list<detail::MpiWork>(std::move(work)));  // MPI may still use it
      }
    }
  };

  /// Takes the communicator over.
  [[nodiscard]] static Result<MpiCollective> adopt(MPI_Comm communicator, MpiOptions options) {
    MpiCollective made;
    detail::MpiOperations& operations = made.state_->operations;
    operations.communicator = communicator;
    operations.blocking = options.blocking;
    operations.largest_count = options.largest_count;
    MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    MPI_Comm_rank(communicator, &operations.rank);
    MPI_Comm_size(communicator, &operations.size);
    if (auto types = operations.types.make(); !types) return types.propagate();
    return made;
  }

  MpiCollective() : state_(std::make_unique<State>()) {}

  [[nodiscard]] Failure refused(std::span<const CollectiveCall> calls, ErrorKind kind, const std::string& why) const {
    std::string what;
    for (const CollectiveCall& call : calls.first(std::min<std::size_t>(calls.size(), 3)))
      what += (what.empty() ? "" : ", ") + signature_of(call);
    if (calls.size() > 3) what += " and " + std::to_string(calls.size() - 3) + " more";
    return failure(kind, "rank " + std::to_string(rank()) + " of " + std::to_string(size()) + ", " + what + ": " + why);
  }

  std::unique_ptr<State> state_;
};

}  // namespace assay::inline v0
