#pragma once

#include "assay/backends/emulated_device.hpp"

#include <chrono>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Capabilities EmulatedDevice::capabilities() const {
  Capabilities capabilities;
  capabilities.device = text();
  capabilities.memory_bytes = state_->capacity;
  capabilities.concurrency = state_->pool.size();
  capabilities.host_accessible = false;
  capabilities.asynchronous = true;
  return capabilities;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> EmulatedDevice::record(Event& event, Stream& stream) const {
  const Call called = call("recording an event", &stream);
  if (called.error) return Failure{*called.error};
  if (stream.queue_->captured())
    return failure(ErrorKind::invalid, text() + " captures copies and launches into graphs, not events");
  auto reached = std::make_shared<std::optional<std::chrono::steady_clock::time_point>>();
  stream.queue_->submit({"a record", {}, [reached] { *reached = std::chrono::steady_clock::now(); }});
  event.mark_ = {stream.queue_, stream.queue_->submitted(), reached};
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> EmulatedDevice::wait(Stream& stream, const Event& event) const {
  if (!event.mark_)
    return failure(ErrorKind::invalid, "wait was given an event that was never recorded; call record first");
  const Call called = call("waiting for an event", &stream);
  if (called.error) return Failure{*called.error};
  if (stream.queue_->captured())
    return failure(ErrorKind::invalid, text() + " captures copies and launches into graphs, not events");
  if (event.mark_->queue == stream.queue_) return {};
  stream.queue_->submit({"a wait", {}, [mark = *event.mark_] { mark.queue->run_until(mark.submitted); }});
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<double> EmulatedDevice::elapsed_seconds(const Event& first,
                                                                          const Event& second) const {
  if (!first.mark_ || !second.mark_)
    return failure(ErrorKind::invalid, std::string("elapsed_seconds was given an event that was never recorded (the ") +
                                           (!first.mark_ ? "first" : "second") + "); call record first");
  const Call called = call("the time between two events");
  if (called.error) return Failure{*called.error};
  if (!*first.mark_->reached || !*second.mark_->reached)
    return failure(ErrorKind::device,
                   text() + ", the time between two events: the work before them is not over; call synchronize first");
  return std::chrono::duration<double>(**second.mark_->reached - **first.mark_->reached).count();
}

ASSAY_DETAIL_HEADER_INLINE Result<void> EmulatedDevice::synchronize(Stream& stream) const {
  const Call called = call("waiting for a stream", &stream);
  if (called.error) {
    if (called.error->kind == ErrorKind::device) stream.queue_->lose();
    return Failure{*called.error};
  }
  if (stream.queue_->captured())
    return failure(ErrorKind::invalid,
                   text() + " is capturing this stream into a graph; end the capture before waiting");
  {
    const detail::EmulatedMemory::Open open(*state_->memory);
    stream.queue_->run_until(stream.queue_->submitted());
  }
  state_->losing_work = false;
  if (const auto late = std::exchange(state_->late, std::nullopt)) return Failure{*late};
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> EmulatedDevice::begin_capture(Stream& stream) const {
  const Call called = call("beginning to capture a stream into a graph", &stream);
  if (called.error) return Failure{*called.error};
  if (stream.queue_->captured()) return failure(ErrorKind::invalid, text() + " is capturing this stream already");
  stream.queue_->capture(std::make_shared<std::vector<detail::EmulatedQueue::Operation>>());
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<EmulatedDevice::Graph> EmulatedDevice::end_capture(Stream& stream) const {
  const Call called = call("capturing a stream into a graph", &stream);
  Graph graph;
  if (stream.queue_ != nullptr) graph.operations_ = stream.queue_->captured();
  if (graph.operations_) stream.queue_->capture(nullptr);
  if (called.error) return Failure{*called.error};
  if (!graph.operations_)
    return failure(ErrorKind::invalid, text() + " is not capturing this stream; call begin_capture first");
  return graph;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> EmulatedDevice::launch(Stream& stream, const Graph& graph) const {
  const Call called = call("the launch of a graph", &stream);
  if (called.error) return Failure{*called.error};
  if (!called.dropped && graph.operations_)
    for (const auto& operation : *graph.operations_) stream.queue_->submit(operation);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE EmulatedDevice::Call EmulatedDevice::call(const char* what, const Stream* stream) const {
  Call called{std::unique_lock(state_->mutex), std::nullopt, false};
  const bool fails = state_->calls++ == state_->failing_call;
  if (state_->sticky) {
    called.error = state_->sticky;
  } else if (fails) {
    state_->refused_a_call = true;
    state_->lost_work = state_->lost_work || state_->failure != EmulatedFailure::once;
    const Error error{ErrorKind::device, text() + ", " + what + ": it was told to fail"};
    called.dropped = true;
    if (state_->failure == EmulatedFailure::asynchronous) {
      state_->late = error;
      state_->losing_work = true;
    } else {
      called.error = error;
      if (state_->failure == EmulatedFailure::sticky)
        state_->sticky = Error{ErrorKind::device, error.message + "; this process can use the device no more"};
    }
  } else if (stream != nullptr && (stream->queue_ == nullptr || stream->queue_->device() != state_.get())) {
    called.error = refuse(std::string(what) + " was given " +
                          (stream->queue_ == nullptr ? "no stream" : "a stream of another device") +
                          "; use one that make_stream of this device gave");
  }
  called.dropped = called.dropped || state_->losing_work;
  return called;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> EmulatedDevice::copy(Stream& stream, void* destination, const void* source,
                                                             std::size_t bytes, bool to_device) const {
  if (bytes == 0) return {};
  if (destination == nullptr || source == nullptr)
    misuse("a copy of " + std::to_string(bytes) + " bytes was given a null " +
           (destination == nullptr ? "destination" : "source"));
  const std::string what =
      "a copy of " + std::to_string(bytes) + " bytes " + (to_device ? "to the device" : "to the host");
  const Call called = call(what.c_str(), &stream);
  if (called.error) return Failure{*called.error};
  const auto on_device = reinterpret_cast<std::uintptr_t>(to_device ? destination : source);
  const auto block = Resource::find(on_device);
  if (block.owner != state_->memory.get())
    return Failure{refuse(what + " was given memory of " +
                          (block.owner == nullptr ? "no device" : "device " + std::to_string(block.owner->device())) +
                          " as the device's; give it what allocate of this device gave")};
  if (bytes > block.bytes - (on_device - block.begin))
    return Failure{refuse(what + " goes past the end of an allocation of " + std::to_string(block.bytes) +
                          " bytes, from its byte " + std::to_string(on_device - block.begin))};
  if (Resource::find(reinterpret_cast<std::uintptr_t>(to_device ? source : destination)).owner != nullptr)
    return Failure{
        refuse(what + " was given memory of a device as the host's; this call copies between the host and the device")};
  ++(to_device ? state_->transfers.copies_to_device : state_->transfers.copies_to_host);
  (to_device ? state_->transfers.bytes_to_device : state_->transfers.bytes_to_host) += bytes;
  if (!called.dropped) stream.queue_->submit({what, {block}, [=] { std::memcpy(destination, source, bytes); }});
  return {};
}

}  // namespace assay::inline v0
