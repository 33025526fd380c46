#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/verification/collective_data.hpp"
#include "assay/collectives/verification/diagnose_output.hpp"
#include "assay/collectives/verification/rank_finding.hpp"
#include "assay/core/assign.hpp"
#include "assay/validators/device/detail/stream_work.hpp"

namespace assay::inline v0 {

/// One rank's buffers for all_reduce calls, made, filled and compared in the memory of a backend, which must be the one
/// that the runtime's buffers lie in: what `RankCheck` does through the host. The same data, so ranks may mix the two.
/// Of right calls nothing but counts comes to the host; of wrong ones the output does, to be diagnosed.
template <ParallelBackend B>
class DeviceRankCheck {
 public:
  static constexpr std::size_t guard = 256;          ///< bytes on either side of a buffer
  static constexpr unsigned char guard_byte = 0xC5;  ///< the byte beside the buffers

  /// Errors: `unsupported` for another operation than all_reduce, and for data that have no single right answer (take
  /// decode or exact); those of the backend. Misuse: no slot, a negative count or offset.
  [[nodiscard]] static Result<DeviceRankCheck> make(B& backend, const AnyCollective& collective,
                                                    const CollectiveProblem& problem, std::size_t slots = 2) {
    expect(slots > 0 && problem.count >= 0 && problem.offset >= 0, [&] {
      return "a check of all_reduce was given " + std::to_string(slots) + " slots, count " +
             std::to_string(problem.count) + " and offset " + std::to_string(problem.offset) +
             "; give a slot, and 0 or more";
    });
    if (problem.operation != CollectiveOperation::all_reduce)
      return failure(ErrorKind::unsupported, "only all_reduce is checked in the memory of a device, not " +
                                                 std::string(name_of(problem.operation)) +
                                                 "; check_collective checks it through the host");
    DeviceRankCheck check(backend, problem, collective.rank(), collective.size());
    if (!check.data_->is_exact())
      return failure(ErrorKind::unsupported, "data of kind " + std::string(name_of(problem.data)) +
                                                 " have no single right answer; take decode or exact, or "
                                                 "check_collective, which judges them through the host");
    if (auto ready = check.make_buffers(slots); !ready) return ready.propagate();
    return Result<DeviceRankCheck>(std::move(check));
  }

  /// Fills the slot's buffers for the call of that number. Synchronizes.
  [[nodiscard]] Result<void> prepare(std::size_t slot, std::uint64_t number) {
    Slot& own = slots_.at(slot);
    own.number = number;
    Result<void> done = fill(own.receive, data_->poison());
    if (done && own.send) detail::assign(done, fill(*own.send, data_->poison()));
    if (done)
      detail::assign(
          done, backend_->parallel_for(stream_, elements(),
                                       detail::WriteStream{sent(number), address(own.send ? *own.send : own.receive)}));
    if (done) detail::assign(done, backend_->synchronize(stream_));
    return done;
  }

  /// What to launch on this rank.
  [[nodiscard]] CollectiveCall call(std::size_t slot) {
    Slot& own = slots_.at(slot);
    CollectiveCall made = detail::call_of(problem_, rank_, size_, own.number);
    made.multiplier = data_->pattern().multiplier(rank_);
    made.receive = address(own.receive);
    made.send = own.send ? address(*own.send) : made.receive;
    return made;
  }

  /// Compares what the call has left. Synchronizes. O(elements) on the backend; where something is wrong, as much on
  /// the host.
  [[nodiscard]] Result<RankFinding> inspect(std::size_t slot) {
    Slot& own = slots_.at(slot);
    RankFinding finding;
    finding.rank = rank_;
    finding.call = own.number;
    finding.elements = problem_.count;
    auto output = detail::compare_elements(
        *backend_, stream_, detail::CompareStream{expected(own.number), address(own.receive), elements()});
    if (!output) return output.propagate();
    if (output.value().count > 0)
      if (auto diagnosed = diagnose(own, finding); !diagnosed) return diagnosed.propagate();
    if (own.send) {
      auto input = detail::compare_elements(*backend_, stream_,
                                            detail::CompareStream{sent(own.number), address(*own.send), elements()});
      if (!input) return input.propagate();
      if (input.value().count > 0)
        finding.suspicions.push_back({"input_overwritten", rank_, static_cast<Index>(input.value().first), 1, 1,
                                      "rank " + std::to_string(rank_) + "'s input was altered from element " +
                                          std::to_string(input.value().first) + " on, though the output is elsewhere"});
    }
    for (Buffer* buffer : {own.send ? &*own.send : nullptr, &own.receive})
      if (buffer != nullptr)
        if (auto looked = look_beside(*buffer, own.send && buffer == &*own.send, finding); !looked)
          return looked.propagate();
    return finding;
  }

 private:
  using Buffer = typename B::template Buffer<unsigned char>;
  struct Slot {
    std::optional<Buffer> send;  ///< none in place
    Buffer receive;
    std::uint64_t number = 0;
  };

  DeviceRankCheck(B& backend, const CollectiveProblem& problem, int rank, int size)
      : backend_(&backend),
        problem_(problem),
        rank_(rank),
        size_(size),
        bytes_(bytes_of(problem.type)),
        data_(std::make_shared<const CollectiveData>(problem, rank, size)) {}

  [[nodiscard]] Result<void> make_buffers(std::size_t slots) {
    auto stream = backend_->make_stream();
    if (!stream) return stream.propagate();
    stream_ = std::move(stream).value();
    for (auto [codes, table] :
         {std::pair{&data_->sent_codes(), &sent_}, std::pair{&data_->expected_codes(), &expected_}}) {
      auto made = backend_->template allocate<unsigned char>(codes->size());
      if (!made) return made.propagate();
      *table = std::move(made).value();
      if (auto copied = backend_->copy_to_device(stream_, table->data(),
                                                 reinterpret_cast<const unsigned char*>(codes->data()), codes->size());
          !copied)
        return copied;
    }
    const std::size_t bytes = elements() * bytes_ + shift() + 2 * guard;
    for (std::size_t i = 0; i < slots; ++i) {
      Slot slot;
      auto receive = backend_->template allocate<unsigned char>(bytes);
      if (!receive) return receive.propagate();
      slot.receive = std::move(receive).value();
      if (!problem_.in_place) {
        auto send = backend_->template allocate<unsigned char>(bytes);
        if (!send) return send.propagate();
        slot.send.emplace(std::move(send).value());
      }
      slots_.push_back(std::move(slot));
    }
    return backend_->synchronize(stream_);
  }

  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(problem_.count); }
  [[nodiscard]] std::size_t shift() const { return static_cast<std::size_t>(problem_.offset) * bytes_; }
  [[nodiscard]] unsigned char* address(Buffer& buffer) const { return buffer.data() + guard + shift(); }
  [[nodiscard]] detail::StreamCodes sent(std::uint64_t call) {
    return {sent_.data(), data_->places(call, rank_), bytes_};
  }
  [[nodiscard]] detail::StreamCodes expected(std::uint64_t call) {
    return {expected_.data(), data_->places(call, detail::of_all), bytes_};
  }

  [[nodiscard]] Result<void> fill(Buffer& buffer, unsigned char value) {
    if (auto guarded = detail::fill_bytes(*backend_, stream_, buffer.data(), buffer.size(), guard_byte); !guarded)
      return guarded;
    return detail::fill_bytes(*backend_, stream_, address(buffer), elements() * bytes_, value);
  }

  [[nodiscard]] Result<void> diagnose(Slot& own, RankFinding& finding) {
    std::vector<char> output(elements() * bytes_);
    if (auto copied = backend_->copy_to_host(stream_, reinterpret_cast<unsigned char*>(output.data()),
                                             address(own.receive), output.size());
        !copied)
      return copied;
    if (auto done = backend_->synchronize(stream_); !done) return done;
    const auto parts = detail::expected_parts(problem_, rank_, size_, own.number);
    finding.wrong = data_->compare(output.data(), own.number, detail::of_all, 0, problem_.count, 0, finding.runs);
    if (finding.wrong == 0)
      return failure(ErrorKind::device,
                     "an output that the device found wrong is right on the host: a copy, or the device's own "
                     "comparison, is not to be trusted");
    finding.suspicions = detail::diagnose_output(*data_, rank_, own.number, output.data(), problem_.count,
                                                 data_->poison(), parts, finding.runs, finding.wrong);
    if (finding.runs.size() > RankFinding::most_runs) finding.runs.resize(RankFinding::most_runs);
    return {};
  }

  [[nodiscard]] Result<void> look_beside(Buffer& buffer, bool input, RankFinding& finding) {
    for (const bool before : {true, false}) {
      const std::size_t bytes = before ? guard + shift() : guard;
      const unsigned char* const at = before ? buffer.data() : address(buffer) + elements() * bytes_;
      auto altered = detail::find_altered_bytes(*backend_, stream_, at, bytes, guard_byte);
      if (!altered) return altered.propagate();
      if (altered.value().count == 0) continue;
      finding.suspicions.push_back(
          {"out_of_bounds_write", rank_, 0, 0, 1,
           "rank " + std::to_string(rank_) + ": byte " +
               std::to_string(before ? bytes - altered.value().first : altered.value().first + 1) +
               (before ? " before " : " behind ") + (input ? "the input" : "the output") + " was written"});
    }
    return {};
  }

  B* backend_;
  CollectiveProblem problem_;
  int rank_, size_;
  std::size_t bytes_;
  std::shared_ptr<const CollectiveData> data_;
  typename B::Stream stream_;
  Buffer sent_, expected_;  ///< codes by place
  std::vector<Slot> slots_;
};

}  // namespace assay::inline v0
