#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/detail/device_vectors.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// Where an allocation has been written that nobody may write, in elements.
struct CanaryReport {
  std::uint64_t overwritten_before = 0;  ///< ahead of the first element
  std::uint64_t overwritten_after = 0;   ///< behind the last
  /// Whether nothing was written.
  [[nodiscard]] bool intact() const { return overwritten_before == 0 && overwritten_after == 0; }
};

/// What lies about a tensor, where nobody may read or write: about what kernels read a NaN, where the format has one,
/// so that it shows who reads it; about what they write a finite number, since a NaN is passed on, and a kernel that
/// computes one element too many would write back what it read.
enum class Guard { input, output };

namespace detail {

/// A bit pattern that computation hardly makes: a quiet NaN with an odd payload in every IEEE-like format.
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr typename FormatTraits<T>::Bits poison_bits(unsigned variant) {
  using Bits = typename FormatTraits<T>::Bits;
  const std::uint64_t pattern = variant == 0 ? 0xA5A5A5A5A5A5A5A5u : 0x5A5A5A5A5A5A5A5Au;
  if constexpr (FloatFormat<T>) {
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    if (layout.has_infinity())
      return static_cast<Bits>(layout.nan_bits() | (pattern & ((std::uint64_t{1} << (layout.fraction_bits - 1)) - 1)));
  }
  return static_cast<Bits>(pattern);
}

/// The guard of a floating-point format. Outputs: a large negative number, so that no activation leaves it as it is.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t guard_code(const FloatLayout& layout, Guard guard) {
  const std::uint64_t pattern = 0x5A5A5A5A5A5A5A5Au, fraction = (std::uint64_t{1} << layout.fraction_bits) - 1;
  if (guard == Guard::output) return layout.sign_mask() | (layout.max_finite_bits() ^ (pattern & fraction));
  return layout.has_infinity() ? layout.nan_bits() | (pattern & fraction >> 1)
                               : pattern & (layout.magnitude_mask() | layout.sign_mask());
}
/// That of a format without numbers that are no numbers.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t guard_code(Guard guard) {
  return guard == Guard::output ? 0xC3C3C3C3C3C3C3C3u : 0x5A5A5A5A5A5A5A5Au;
}
template <Format T>
[[nodiscard]] ASSAY_FUNCTION constexpr typename FormatTraits<T>::Bits guard_bits(Guard guard) {
  using Bits = typename FormatTraits<T>::Bits;
  if constexpr (FloatFormat<T>) {
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    return static_cast<Bits>(guard_code(layout, guard));
  } else {
    return static_cast<Bits>(guard_code(guard));
  }
}

template <Format T>
struct WriteBits {
  static constexpr std::size_t chunk = 4096;
  T* data;
  std::size_t count;
  typename FormatTraits<T>::Bits bits;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const std::size_t last = (index + 1) * chunk < count ? (index + 1) * chunk : count;
    for (std::size_t i = index * chunk; i < last; ++i) data[i] = FormatTraits<T>::from_bits(bits);
  }
};

struct Tally {
  std::uint64_t count = 0;
  ASSAY_FUNCTION void join(const Tally& other) { count += other.count; }
};

template <Format T>
struct CountOtherBits {
  static constexpr std::size_t chunk = 4096;
  const T* data;
  std::size_t count;
  typename FormatTraits<T>::Bits bits;

  ASSAY_FUNCTION void operator()(std::size_t index, Tally& tally) const {
    const std::size_t last = (index + 1) * chunk < count ? (index + 1) * chunk : count;
    for (std::size_t i = index * chunk; i < last; ++i) tally.count += FormatTraits<T>::to_bits(data[i]) != bits ? 1 : 0;
  }
};

/// What one element adds to a fingerprint. The mixing is a bijection for each position, so one changed element always
/// changes the sum; several do but for a chance of about 2^−64, which needs the last fold: a product alone adds up
/// linearly. Source: the finalizer of SplitMix64; Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA'14.
[[nodiscard]] ASSAY_FUNCTION constexpr std::uint64_t mixed_with_position(std::uint64_t code, std::size_t position) {
  std::uint64_t mixed = code + 0x9E3779B97F4A7C15u * (position + 1);
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return mixed ^ mixed >> 31;
}

/// The same sums on devices, where neighboring threads read neighboring elements.
struct MixCode {
  ASSAY_FUNCTION std::uint64_t operator()(std::uint64_t code, std::size_t position) const {
    return mixed_with_position(code, position);
  }
};
struct IsOtherCode {
  std::uint64_t code;
  ASSAY_FUNCTION std::uint64_t operator()(std::uint64_t found, std::size_t) const { return found != code ? 1 : 0; }
};

/// A sum of mixed (bits, position) pairs.
template <Format T>
struct FingerprintChunk {
  static constexpr std::size_t chunk = 16384;
  const T* data;
  std::size_t count;

  ASSAY_FUNCTION void operator()(std::size_t index, Tally& tally) const {
    const std::size_t last = (index + 1) * chunk < count ? (index + 1) * chunk : count;
    for (std::size_t i = index * chunk; i < last; ++i)
      tally.count += mixed_with_position(static_cast<std::uint64_t>(FormatTraits<T>::to_bits(data[i])), i);
  }
};

}  // namespace detail

/// Elements on a backend, owned, with a canary of 4 KiB on either side: memory that nobody may write. The first element
/// lies `misalignment` elements behind a 64-byte boundary.
template <Format T, ParallelBackend B>
class Tensor {
 public:
  static constexpr std::size_t canary_elements = 4096 / sizeof(T);  ///< width of a canary on either side

  /// `elements` elements between fresh canaries; waits for the stream. What is to be read holds what its canaries do,
  /// what is to be written is poisoned. `ErrorKind::out_of_memory` if the backend refuses or where the count overflows.
  /// Misuse: a negative number.
  [[nodiscard]] static Result<Tensor> create(B& backend, typename B::Stream& stream, Index elements,
                                             Index misalignment = 0, Guard guard = Guard::input) {
    auto made = create_within(backend, stream, elements, misalignment, detail::guard_bits<T>(guard));
    if (!made || guard == Guard::input) return made;
    if (auto poisoned = made.value().poison(backend, stream); !poisoned) return poisoned.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    return made;
  }
  /// The same with canaries, and elements, of that code.
  [[nodiscard]] static Result<Tensor> create_within(B& backend, typename B::Stream& stream, Index elements,
                                                    Index misalignment, typename FormatTraits<T>::Bits guard) {
    expect(elements >= 0 && misalignment >= 0, [&] {
      return "a tensor of " + std::to_string(elements) + " elements at misalignment " + std::to_string(misalignment) +
             " was asked for; both are 0 or more";
    });
    constexpr std::size_t canaries = 2 * canary_elements;
    const std::size_t wanted =
        static_cast<std::size_t>(elements) + static_cast<std::size_t>(misalignment);  // two halves: no overflow
    if (wanted > static_cast<std::size_t>(-1) / sizeof(T) - canaries)
      return failure(ErrorKind::out_of_memory, "a tensor of " + std::to_string(elements) +
                                                   " elements at misalignment " + std::to_string(misalignment) +
                                                   " is more than can be addressed; use a smaller one");
    auto buffer = backend.template allocate<T>(wanted + canaries);
    if (!buffer) return buffer.propagate();
    Tensor tensor(std::move(buffer).value(), elements, misalignment, guard);
    if (auto written = tensor.write(backend, stream, tensor.buffer_.data(), tensor.buffer_.size(), guard); !written)
      return written.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    return Result<Tensor>(std::move(tensor));  // nvcc does not move a local into a result by itself
  }

  /// Elements, without canaries.
  [[nodiscard]] Index size() const { return elements_; }
  /// The first element, on the backend; not null, even without elements.
  [[nodiscard]] T* data() { return buffer_.data() + front(); }
  [[nodiscard]] const T* data() const { return buffer_.data() + front(); }

  /// Overwrites all elements, not the canaries, with one of two patterns that computation hardly makes (NaN where the
  /// format has it): what a kernel does not write stays recognizable.
  [[nodiscard]] Result<void> poison(B& backend, typename B::Stream& stream, unsigned variant = 0) {
    return write(backend, stream, data(), static_cast<std::size_t>(elements_), detail::poison_bits<T>(variant));
  }

  /// Looks for writes beside the elements; waits for the stream. Errors are the backend's. O(canary).
  [[nodiscard]] Result<CanaryReport> check_canaries(B& backend, typename B::Stream& stream) const {
    const auto count = [&](const T* start, std::size_t elements) -> Result<detail::Tally> {
      if constexpr (sums_in_blocks) {
        auto sum = sum_of(backend, stream, start, elements, detail::IsOtherCode{static_cast<std::uint64_t>(guard_)});
        if (!sum) return sum.propagate();
        return detail::Tally{sum.value()};
      }
      const detail::CountOtherBits<T> work{start, elements, guard_};
      return parallel_reduce<detail::Tally>(backend, stream, (elements + work.chunk - 1) / work.chunk, work);
    };
    auto before = count(buffer_.data(), front());
    if (!before) return before.propagate();
    auto after = count(data() + elements_, buffer_.size() - front() - static_cast<std::size_t>(elements_));
    if (!after) return after.propagate();
    return CanaryReport{before.value().count, after.value().count};
  }

  /// A number that changes when any bit of the allocation does, canaries and gaps between rows included: taken before
  /// and after a kernel it proves an input unmodified. O(elements), one read pass.
  [[nodiscard]] Result<std::uint64_t> fingerprint(B& backend, typename B::Stream& stream) const {
    if constexpr (sums_in_blocks) return sum_of(backend, stream, buffer_.data(), buffer_.size(), detail::MixCode{});
    const detail::FingerprintChunk<T> work{buffer_.data(), buffer_.size()};
    auto sum = parallel_reduce<detail::Tally>(backend, stream, (buffer_.size() + work.chunk - 1) / work.chunk, work);
    if (!sum) return sum.propagate();
    return sum.value().count;
  }

 private:
  using Buffer = typename B::template Buffer<T>;

  Tensor(Buffer buffer, Index elements, Index misalignment, typename FormatTraits<T>::Bits guard)
      : buffer_(std::move(buffer)), elements_(elements), misalignment_(misalignment), guard_(guard) {}

  static constexpr bool sums_in_blocks = BlockBackend<B> && !backend_runs_on_host<B> && 16 % sizeof(T) == 0;

  template <class Each>
  [[nodiscard]] static Result<std::uint64_t> sum_of(B& backend, typename B::Stream& stream, const T* start,
                                                    std::size_t count, const Each& each) {
    const detail::SumOfVector<T, Each> work{detail::AlignedVectors<const T>::of(start, count), each};
    return detail::sum_in_blocks(backend, stream, work.array.vectors(), work);
  }

  [[nodiscard]] std::size_t front() const { return canary_elements + static_cast<std::size_t>(misalignment_); }

  [[nodiscard]] static Result<void> write(B& backend, typename B::Stream& stream, T* data, std::size_t count,
                                          typename FormatTraits<T>::Bits bits) {
    if constexpr (!backend_runs_on_host<B> && 16 % sizeof(T) == 0) {
      const auto vectors =
          detail::WriteVectors<T>::of(data, count, static_cast<std::uint64_t>(bits), FormatTraits<T>::from_bits(bits));
      return backend.parallel_for(stream, vectors.array.vectors(), vectors);
    }
    const detail::WriteBits<T> work{data, count, bits};
    return backend.parallel_for(stream, (count + work.chunk - 1) / work.chunk, work);
  }

  Buffer buffer_;
  Index elements_;
  Index misalignment_;
  typename FormatTraits<T>::Bits guard_;
};

}  // namespace assay::inline v0
