#pragma once

// Included by nccl.hpp and rccl.hpp only, behind the header of the library, whose names are the same in both.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/collective.hpp"
#include "assay/collectives/collective_memory.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/detail/abort_reason.hpp"
#include "assay/collectives/detail/nccl_calls.hpp"
#include "assay/collectives/detail/waiting_device.hpp"

#if defined(NCCL_MAJOR)  // defined by nccl.h and by rccl.h

namespace assay::inline v0 {

/// A `Collective` over NCCL, or RCCL, whose interface is NCCL's: one rank, on one device. `Runtime` is that of the
/// device, see backends/detail.
///
/// - Buffers lie on the device: `memory()`. An operation returns when the device has done it.
/// - Types: all but 16-bit integers; 8-bit floating point from version 2.24 on. all_to_all, gather and scatter are
///   NCCL's own from 2.28 on, before that sends and receives; all_to_all_v always is. A barrier is an all_reduce of one
///   element.
/// - In place: all_to_all and a send_receive that does both are `unsupported`.
/// - Deadlines: when one passes, `abort` was called or NCCL reports an error, the communicator is aborted
///   (ncclCommAbort), which ends what runs on the device; the other ranks learn of it by errors or deadlines of their
///   own.
template <class Runtime>
class BasicNcclCollective {
  using Device = detail::WaitingDevice<Runtime>;

 public:
  /// What rank 0 makes and all ranks of a communicator need: 128 bytes. Errors: `device`.
  [[nodiscard]] static Result<std::string> unique_id() {
    ncclUniqueId id;
    if (const ncclResult_t result = ncclGetUniqueId(&id); result != ncclSuccess)
      return failure(ErrorKind::device, text_of("ncclGetUniqueId", result, nullptr));
    return std::string(id.internal, sizeof id.internal);
  }

  /// All ranks call it together. Errors: `unsupported` where this machine has no such device, and says why; `invalid`,
  /// `timed_out`, `device`.
  [[nodiscard]] static Result<BasicNcclCollective> create(int rank, int size, const std::string& id, int device,
                                                          Deadline deadline) {
    if (size < 1 || rank < 0 || rank >= size)
      return failure(ErrorKind::invalid, "rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                             " is none; ranks count from 0 to the size less 1");
    ncclUniqueId bytes;
    if (id.size() != sizeof bytes.internal)
      return failure(ErrorKind::invalid, "the communicator's id has " + std::to_string(id.size()) + " bytes, not the " +
                                             std::to_string(sizeof bytes.internal) +
                                             " that unique_id() gives; send it to all ranks whole");
    std::memcpy(bytes.internal, id.data(), sizeof bytes.internal);
    if (auto there = expect_device(device); !there) return there.propagate();
    BasicNcclCollective made;
    State& state = *made.state_;
    state.device = device;
    state.calls.rank = rank;
    state.calls.size = size;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    const ncclResult_t begun = ncclCommInitRankConfig(&state.calls.communicator, size, bytes, rank, &config);
    if (auto done = state.settle("ncclCommInitRankConfig", begun, deadline); !done) return done.propagate();
    if (auto ready = state.prepare(); !ready) return ready.propagate();
    return made;
  }

  /// The same, with the id given out through the coordinator. Errors: also those of the coordinator, and a rank 0 that
  /// could not.
  [[nodiscard]] static Result<BasicNcclCollective> create(Coordinator& coordinator, int device, Deadline deadline) {
    // A rank without a device says so to all, so that none waits for it.
    const Result<void> there = expect_device(device);
    const Result<std::string> own = !there                    ? Result<std::string>(there.propagate())
                                    : coordinator.rank() == 0 ? unique_id()
                                                              : Result<std::string>(std::string());
    auto texts = coordinator.exchange(own ? "+" + own.value() : "-" + own.error().message, deadline);
    if (!texts) return texts.propagate();
    if (!own) return own.propagate();
    for (std::size_t rank = 0; rank < texts.value().size(); ++rank) {
      const auto& text = texts.value()[rank];
      if (!text)
        return failure(ErrorKind::timed_out, "rank " + std::to_string(rank) + " did not come to make the communicator");
      if (text->empty() || text->front() != '+')
        return failure(ErrorKind::aborted,
                       "rank " + std::to_string(rank) + " cannot take part: " + (text->empty() ? "" : text->substr(1)));
    }
    return create(coordinator.rank(), coordinator.size(), texts.value()[0]->substr(1), device, deadline);
  }

  [[nodiscard]] int rank() const { return state_->calls.rank; }
  [[nodiscard]] int size() const { return state_->calls.size; }
  [[nodiscard]] std::string name() const { return Device::collective_name; }

  void abort(std::string_view reason) { state_->aborted.give_up(reason); }

  /// The device's memory.
  [[nodiscard]] CollectiveMemory memory() const {
    CollectiveMemory memory;
    const int device = state_->device;
    memory.name = std::string(Device::name) + " device " + std::to_string(device);
    memory.host_accessible = false;
    memory.allocate = [device](std::size_t bytes) -> Result<void*> {
      if (auto set = Device::set_device(device); !set) return set.propagate();
      return Device::allocate(bytes > 0 ? bytes : 1);
    };
    memory.deallocate = [device](void* place, std::size_t) {
      if (Device::set_device(device)) Device::deallocate(place);
    };
    memory.write = [device](void* to, const void* from, std::size_t bytes) -> Result<void> {
      if (auto set = Device::set_device(device); !set) return set;
      return bytes > 0 ? Device::write(to, from, bytes) : Result<void>();
    };
    memory.read = [device](void* to, const void* from, std::size_t bytes) -> Result<void> {
      if (auto set = Device::set_device(device); !set) return set;
      return bytes > 0 ? Device::read(to, from, bytes) : Result<void>();
    };
    return memory;
  }

  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return run_group({&call, 1}, deadline);
  }

  /// As one group of NCCL.
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    State& state = *state_;
    std::vector<ncclDataType_t> types;
    std::string what;
    for (const CollectiveCall& call : calls) {
      what += (what.empty() ? "" : ", ") + signature_of(call);
      const auto type = detail::nccl_type_of(call.type);
      if (!type) return failure(ErrorKind::unsupported, name() + " has no type for " + std::string(name_of(call.type)));
      types.push_back(*type);
      const bool both =
          call.operation == CollectiveOperation::all_to_all ||
          (call.operation == CollectiveOperation::send_receive && call.destination >= 0 && call.source >= 0);
      if (both && call.count > 0 && call.send == call.receive)
        return failure(ErrorKind::unsupported,
                       name() + " does no " + std::string(name_of(call.operation)) + " in place");
    }
    what = "rank " + std::to_string(rank()) + " of " + std::to_string(size()) + ", " + what;
    if (state.gone()) return failure(ErrorKind::aborted, what + ": given up before: " + state.aborted.why());
    if (auto set = Device::set_device(state.device); !set) return set;
    ncclResult_t begun = ncclGroupStart();
    for (std::size_t i = 0; i < calls.size() && begun == ncclSuccess; ++i) {
      const ncclResult_t result = state.calls.enqueue(calls[i], types[i]);
      if (result != ncclInProgress) begun = result;
    }
    const ncclResult_t ended = ncclGroupEnd();
    if (begun == ncclSuccess) begun = ended;
    if (auto settled = state.settle(what, begun, deadline); !settled) return settled;
    return state.wait(what, deadline);
  }

#if NCCL_VERSION_CODE >= 21800
  /// Collective over all ranks, within half a minute. Errors: `timed_out`, `device`.
  [[nodiscard]] Result<BasicNcclCollective> split(int color) {
    if (color < 0)
      return failure(ErrorKind::invalid, "rank " + std::to_string(rank()) + ": color is " + std::to_string(color) +
                                             "; it must be 0 or more");
    if (state_->gone()) return failure(ErrorKind::aborted, "given up before: " + state_->aborted.why());
    if (auto set = Device::set_device(state_->device); !set) return set.propagate();
    const Deadline deadline = deadline_after(std::chrono::seconds(30));
    BasicNcclCollective part;
    State& state = *part.state_;
    state.device = state_->device;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    const ncclResult_t begun =
        ncclCommSplit(state_->calls.communicator, color, rank(), &state.calls.communicator, &config);
    if (auto done = state_->settle("ncclCommSplit", begun, deadline); !done) return done.propagate();
    if (auto done = state.settle("ncclCommSplit", ncclInProgress, deadline); !done) return done.propagate();
    ncclCommUserRank(state.calls.communicator, &state.calls.rank);
    ncclCommCount(state.calls.communicator, &state.calls.size);
    if (auto ready = state.prepare(); !ready) return ready.propagate();
    return part;
  }
#endif

 private:
  [[nodiscard]] static std::string text_of(const std::string& what, ncclResult_t result, ncclComm_t communicator) {
    std::string text = what + ": " + ncclGetErrorString(result);
    if (const char* more = ncclGetLastError(communicator); more != nullptr && *more != '\0')
      text += " (" + std::string(more) + ")";
    return text;
  }

  [[nodiscard]] static Result<void> expect_device(int device) {
    auto devices = Device::device_count();
    if (!devices) return devices.propagate();
    if (device < 0 || device >= devices.value())
      return failure(ErrorKind::unsupported, std::string(Device::name) + " has " + std::to_string(devices.value()) +
                                                 " devices on this machine; device " + std::to_string(device) +
                                                 " is not among them");
    return Device::set_device(device);
  }

  struct State {
    detail::NcclCalls<typename Device::Stream> calls;
    int device = 0;
    detail::AbortReason aborted;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      if (calls.communicator != nullptr && Device::set_device(device)) {
        const bool whole = !aborted && settle("ncclCommFinalize", ncclCommFinalize(calls.communicator),
                                              deadline_after(std::chrono::seconds(10)))
                                           .has_value();
        if (calls.communicator != nullptr)
          whole ? ncclCommDestroy(calls.communicator) : ncclCommAbort(calls.communicator);
      }
      if (calls.scratch != nullptr) Device::deallocate(calls.scratch);
      if (calls.stream != typename Device::Stream{}) Device::destroy_stream(calls.stream);
    }

    [[nodiscard]] bool gone() const { return aborted || calls.communicator == nullptr; }

    [[nodiscard]] Result<void> prepare() {
      auto stream = Device::make_stream();
      if (!stream) return stream.propagate();
      calls.stream = stream.value();
      auto scratch = Device::allocate(4);
      if (!scratch) return scratch.propagate();
      calls.scratch = scratch.value();
      const std::uint32_t zero = 0;
      return Device::write(calls.scratch, &zero, sizeof zero);
    }

    [[nodiscard]] Failure end(ErrorKind kind, const std::string& message) {
      aborted.give_up(message);
      if (calls.communicator != nullptr) ncclCommAbort(std::exchange(calls.communicator, nullptr));
      return failure(kind, message);
    }

    /// Until NCCL has taken a call on, which in its non-blocking form it does beside this thread.
    [[nodiscard]] Result<void> settle(const std::string& what, ncclResult_t begun, Deadline deadline) {
      ncclResult_t now = begun;
      while (now == ncclInProgress) {
        if (calls.communicator == nullptr) return failure(ErrorKind::device, what + ": NCCL gave no communicator");
        if (const ncclResult_t asked = ncclCommGetAsyncError(calls.communicator, &now); asked != ncclSuccess)
          now = asked;
        if (now != ncclInProgress) break;
        if (aborted) return end(ErrorKind::aborted, what + ": " + aborted.why());
        if (has_passed(deadline))
          return end(ErrorKind::timed_out,
                     what + ": not taken on by the deadline; NCCL does not tell which rank is missing");
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
      if (now == ncclSuccess) return {};
      return end(ErrorKind::device, text_of(what, now, calls.communicator));
    }

    /// Until the device has done what was enqueued.
    [[nodiscard]] Result<void> wait(const std::string& what, Deadline deadline) {
      for (int turn = 0;; ++turn) {
        auto done = Device::is_done(calls.stream);
        if (!done) return end(done.error().kind, what + ": " + done.error().message);
        if (done.value()) return {};
        ncclResult_t now = ncclSuccess;
        if (const ncclResult_t asked = ncclCommGetAsyncError(calls.communicator, &now); asked != ncclSuccess)
          now = asked;
        if (now != ncclSuccess && now != ncclInProgress)
          return end(ErrorKind::device, text_of(what, now, calls.communicator));
        if (aborted) return end(ErrorKind::aborted, what + ": " + aborted.why());
        if (has_passed(deadline))
          return end(ErrorKind::timed_out,
                     what + ": not complete by the deadline; NCCL does not tell which rank is missing");
        if (turn > 1000) std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
    }
  };

  BasicNcclCollective() : state_(std::make_unique<State>()) {}

  std::unique_ptr<State> state_;
};

}  // namespace assay::inline v0

#endif
