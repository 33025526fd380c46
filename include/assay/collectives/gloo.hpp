#pragma once

#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>

#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/collective.hpp"
#include "assay/collectives/detail/abort_reason.hpp"
#include "assay/collectives/detail/gloo_operations.hpp"

namespace assay::inline v0 {

/// How Gloo is set up.
struct GlooOptions {
  GlooAllReduce all_reduce = GlooAllReduce::ring;  ///< the algorithm of all_reduce
  std::string host;                                ///< name or address to listen at; empty: the machine's name
  std::string interface;                           ///< the network interface to use instead, "eth0"
  /// Of connecting, of `split`, and of each wait within a reduce_scatter, to which Gloo gives no deadline.
  std::chrono::milliseconds timeout{30000};
};

/// A `Collective` over Gloo's TCP transport. Reductions are Assay's for all types, rounded every step; averages are
/// sums divided in the end, pre-multiplied sums are sums of scaled copies. all_to_all_v goes through packed copies,
/// since Gloo's blocks lie one after another; reduce_scatter is Gloo's older class, which works in a copy.
///
/// That class, in the version of 2022, gave wrong results on one rank in about one of 4000 calls with 5 and 6 ranks, on
/// a loaded machine; never with a power of two. The cause is not known.
///
/// Gloo gives its timeout to each message, so an operation whose ranks get on slowly may end later than its deadline.
/// What times out on one rank closes that rank's connections: the others learn at once, as an error of the kind
/// `device`.
class GlooCollective {
 public:
  /// Connects with all other ranks, which do the same with their view of the store: a FileStore in a shared folder, or
  /// one HashStore for the threads of a process. A store serves one such meeting. Errors: `timed_out`, `not_found`,
  /// `device`.
  [[nodiscard]] static Result<GlooCollective> connect(int rank, int size,
                                                      std::shared_ptr<gloo::rendezvous::Store> store,
                                                      GlooOptions options = {}) {
    if (store == nullptr)
      return failure(ErrorKind::invalid,
                     "Gloo was given no store to meet at; give all ranks the same FileStore or HashStore");
    if (size < 1 || rank < 0 || rank >= size)
      return failure(ErrorKind::invalid, "rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                             " is none; ranks count from 0 to the size less 1");
    if (!options.host.empty() && !detail::resolves(options.host))
      return failure(
          ErrorKind::not_found,
          "the host '" + options.host + "' has no address; Gloo's option `host` names what this rank listens at");
    GlooCollective made;
    made.state_->options = options;
    made.state_->store = store;
    try {
      gloo::transport::tcp::attr place;
      place.hostname = options.host;
      place.iface = options.interface;
      std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(place);
      auto context = std::make_shared<gloo::rendezvous::Context>(rank, size);
      context->setTimeout(options.timeout);
      detail::connect_full_mesh(*context, store, device);
      made.state_->operations.context = std::move(context);
    } catch (const std::exception& thrown) {
      const std::string what = thrown.what();
      const bool late = detail::is_gloo_timeout(what);
      return failure(late ? ErrorKind::timed_out : ErrorKind::device,
                     "rank " + std::to_string(rank) + " of " + std::to_string(size) + " could not connect: " + what);
    }
    made.state_->operations.all_reduce_algorithm = options.all_reduce;
    return made;
  }

  [[nodiscard]] int rank() const { return state_->operations.rank(); }
  [[nodiscard]] int size() const { return state_->operations.size(); }
  [[nodiscard]] std::string name() const {
    return state_->options.all_reduce == GlooAllReduce::ring ? "gloo" : "gloo.bcube";
  }

  /// Closes this rank's connections: the others learn of it.
  void abort(std::string_view reason) {
    if (!state_->aborted.give_up(reason)) return;
    // To close connections wakes nobody who waits on this rank; a wait that times out does, and closes them as well.
    try {
      char nothing = 0;
      state_->operations.context->createUnboundBuffer(&nothing, 1)->waitRecv(std::chrono::milliseconds(1));
    } catch (const std::exception&) {
    }
  }

  [[nodiscard]] Result<void> all_reduce(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::all_reduce);
  }
  [[nodiscard]] Result<void> reduce_scatter(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::reduce_scatter);
  }
  [[nodiscard]] Result<void> all_gather(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::all_gather);
  }
  [[nodiscard]] Result<void> broadcast(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::broadcast);
  }
  [[nodiscard]] Result<void> reduce(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::reduce);
  }
  [[nodiscard]] Result<void> all_to_all(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::all_to_all);
  }
  [[nodiscard]] Result<void> all_to_all_v(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::all_to_all_v);
  }
  [[nodiscard]] Result<void> gather(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::gather);
  }
  [[nodiscard]] Result<void> scatter(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::scatter);
  }
  [[nodiscard]] Result<void> send_receive(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::send_receive);
  }
  [[nodiscard]] Result<void> barrier(const CollectiveCall& call, Deadline deadline) {
    return run(call, deadline, &detail::GlooOperations::barrier);
  }

  /// Collective over all ranks. Errors: those of the all_gather of colors, and of `connect`.
  [[nodiscard]] Result<GlooCollective> split(int color) {
    std::vector<int> colors(static_cast<std::size_t>(size()));
    CollectiveCall call;
    call.operation = CollectiveOperation::all_gather;
    call.type = ElementType::int32;
    call.count = 1;
    call.send = &color;
    call.receive = colors.data();
    if (auto gathered = all_gather(call, deadline_after(state_->options.timeout)); !gathered)
      return gathered.propagate();
    int part_rank = 0, part_size = 0;
    for (int other = 0; other < size(); ++other) {
      if (colors[static_cast<std::size_t>(other)] != color) continue;
      if (other < rank()) ++part_rank;
      ++part_size;
    }
    const std::string prefix = "split-" + std::to_string(state_->splits++) + "-" + std::to_string(color) + "-";
    return connect(part_rank, part_size, std::make_shared<detail::PrefixedGlooStore>(prefix, state_->store),
                   state_->options);
  }

 private:
  struct State {
    detail::GlooOperations operations;
    GlooOptions options;
    std::shared_ptr<gloo::rendezvous::Store> store;
    int splits = 0;
    detail::AbortReason aborted;
  };

  GlooCollective() : state_(std::make_unique<State>()) {}

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline,
                                 void (detail::GlooOperations::*operation)(const CollectiveCall&, Deadline)) {
    if (state_->aborted) return refused(call, ErrorKind::aborted, "given up before: " + state_->aborted.why());
    try {
      (state_->operations.*operation)(call, deadline);
      return {};
    } catch (const std::exception& thrown) {
      const std::string what = thrown.what();
      const bool asked{state_->aborted}, late = has_passed(deadline) || detail::is_gloo_timeout(what);
      const std::string why = asked ? state_->aborted.why() : what;
      abort(what);
      return refused(call, asked ? ErrorKind::aborted : late ? ErrorKind::timed_out : ErrorKind::device, why);
    }
  }

  [[nodiscard]] Failure refused(const CollectiveCall& call, ErrorKind kind, const std::string& why) const {
    return failure(kind, "rank " + std::to_string(rank()) + " of " + std::to_string(size()) + ", " +
                             signature_of(call) + ": " + why);
  }

  std::unique_ptr<State> state_;
};

}  // namespace assay::inline v0
