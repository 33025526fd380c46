#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "assay/tensor/dlpack_device.hpp"

/// The numbers by which `__dlpack__(stream=…)` of Python names streams. The consumer names the one that it will use;
/// the producer makes that stream wait for what writes the tensor, so that neither side stops the other (Python array
/// API standard 2024.12, `__dlpack__`):
///
/// | number | CUDA | ROCm |
/// |---|---|---|
/// | −1 | the producer is not to order anything | the same |
/// | 0 | not allowed: it is not clear which default stream is meant | the default stream |
/// | 1 | the legacy default stream | not allowed |
/// | 2 | the default stream of each thread | not allowed |
/// | above 2 | the stream with that address | the same |
///
/// `None` is the legacy default stream on CUDA, the default stream on ROCm, and the only choice on the host: here
/// `dlpack_default_stream`.
namespace assay::inline v0 {

/// What Python calls `None`.
inline constexpr std::int64_t dlpack_default_stream = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t dlpack_no_order = -1;  ///< the stream number that asks the producer for no order at all

/// What a consumer that will work on `stream` asks a producer for. Null is CUDA's legacy default stream, unless the
/// unit is compiled for the other (`nvcc --default-stream per-thread`). Errors: `unsupported` for HIP's default stream
/// of each thread, which has no number.
template <class B>
[[nodiscard]] Result<std::int64_t> dlpack_stream_number([[maybe_unused]] const B& backend,
                                                        [[maybe_unused]] const typename B::Stream& stream) {
  if constexpr (detail::HasDeviceRuntime<B>) {
    const auto number = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stream.handle()));
    if constexpr (detail::is_hip<B>) {
      if (number == 1 || number == 2)
        return failure(
            ErrorKind::unsupported,
            "DLPack: HIP's default stream of each thread has no number in __dlpack__; use a stream of your own");
      return number;
    } else {
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
      return number == 0 ? 2 : number;
#else
      return number == 0 ? 1 : number;
#endif
    }
  } else {
    return dlpack_default_stream;
  }
}

/// The stream that a consumer named to us, borrowed. Errors: `invalid` for numbers that its device does not have, and
/// for `dlpack_no_order`.
template <class B>
[[nodiscard]] Result<typename B::Stream> borrow_dlpack_stream(const B& backend, std::int64_t number) {
  if constexpr (detail::HasDeviceRuntime<B>) {
    using Handle = std::remove_cvref_t<decltype(std::declval<const typename B::Stream&>().handle())>;
    if (number == dlpack_default_stream) number = detail::is_hip<B> ? 0 : 1;
    const bool named = number > 2 || (detail::is_hip<B> ? number == 0 : number == 1 || number == 2);
    if (!named)
      return failure(ErrorKind::invalid,
                     "DLPack: " + std::to_string(number) + " names no stream of " + detail::DeviceRuntimeOf<B>::name +
                         "; " +
                         (detail::is_hip<B> ? "0 is the default stream"
                                            : "1 is the legacy default stream, 2 that of each thread") +
                         ", numbers above 2 are addresses of streams");
    return backend.borrow(reinterpret_cast<Handle>(static_cast<std::intptr_t>(number)));
  } else {
    if (number != dlpack_default_stream)
      return failure(ErrorKind::invalid, "DLPack: the backend '" + std::string(backend.name()) +
                                             "' has no numbered streams, and was given " + std::to_string(number) +
                                             "; in Python: stream=None");
    return backend.make_stream();
  }
}

/// A producer's duty: what the consumer submits to its stream from now on sees what `stream` was given until now. Does
/// not wait. `dlpack_no_order` does nothing. Errors: those of `borrow_dlpack_stream` and of events.
template <class B>
[[nodiscard]] Result<void> order_for_dlpack(B& backend, typename B::Stream& stream, std::int64_t consumer) {
  if (consumer == dlpack_no_order) return {};
  auto theirs = borrow_dlpack_stream(backend, consumer);
  if (!theirs) return theirs.propagate();
  if constexpr (detail::HasDeviceRuntime<B>) {
    if (theirs.value().handle() == stream.handle()) return {};
  } else {
    return backend.synchronize(stream);
  }
  auto event = backend.make_event();
  if (!event) return event.propagate();
  if (auto recorded = backend.record(event.value(), stream); !recorded) return recorded;
  return backend.wait(theirs.value(), event.value());
}

}  // namespace assay::inline v0
