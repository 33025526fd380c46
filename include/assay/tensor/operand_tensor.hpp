#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tensor/tensor.hpp"

namespace assay::inline v0 {

namespace detail {

/// The elements of a row-major matrix with a row pitch, among the slots of an allocation that starts before it.
struct OperandSlots {
  Index first = 0;  ///< slot of the first element
  Index rows = 0;
  Index columns = 0;
  Index pitch = 1;
  Index slots = 0;  ///< in all

  [[nodiscard]] ASSAY_FUNCTION constexpr bool holds(Index slot) const {
    const Index place = slot - first;
    if (pitch == columns) return place >= 0 && place < rows * columns;
    return place >= 0 && place / pitch < rows && place % pitch < columns;
  }
};

/// Writes a code into the slots of the matrix and another one outside, or counts the slots of the matrix that hold it,
/// or those outside that no longer hold theirs.
struct OperandPoison {
  static constexpr Index chunk = 4096;
  void* words;
  ElementFormat format;
  OperandSlots slots;
  std::uint64_t code, guard;
  bool inside = false;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    for (Index slot = begin(index); slot < end(index); ++slot) write(slot);
  }
  ASSAY_FUNCTION void operator()(std::size_t index, Tally& tally) const {
    for (Index slot = begin(index); slot < end(index); ++slot) tally.count += counted(slot);
  }
  ASSAY_FUNCTION void write(Index slot) const { format.store_code(words, slot, slots.holds(slot) ? code : guard); }
  /// What a slot adds to the count.
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t counted(Index slot) const {
    const std::uint64_t found = format.load_code(words, slot);
    return (inside ? found == code && slots.holds(slot) : found != guard && !slots.holds(slot)) ? 1 : 0;
  }
  [[nodiscard]] std::size_t chunks() const { return static_cast<std::size_t>((slots.slots + chunk - 1) / chunk); }

 private:
  ASSAY_FUNCTION static Index begin(std::size_t index) { return static_cast<Index>(index) * chunk; }
  ASSAY_FUNCTION Index end(std::size_t index) const {
    return begin(index) + chunk < slots.slots ? begin(index) + chunk : slots.slots;
  }
};

/// The same slot by slot, for devices: neighboring threads take neighboring slots.
struct PoisonSlot {
  OperandPoison poison;
  ASSAY_FUNCTION void operator()(std::size_t slot) const { poison.write(static_cast<Index>(slot)); }
};
struct CountSlot {
  OperandPoison poison;
  ASSAY_FUNCTION std::uint64_t operator()(std::size_t slot) const { return poison.counted(static_cast<Index>(slot)); }
};

}  // namespace detail

/// A tensor whose format and rank are chosen at run time, owned, row-major, with canaries about it and perhaps gaps
/// between its rows, `row_padding` elements wide. Its first element lies `misalignment` elements behind a 64-byte
/// boundary.
template <ParallelBackend B>
class OperandTensor {
 public:
  using Stream = typename B::Stream;  ///< of the backend

  /// Guarded as what is read or written, once the stream was waited for. `ErrorKind::out_of_memory` if the backend
  /// refuses; `invalid` where extents are negative, too many or too large.
  [[nodiscard]] static Result<OperandTensor> create(B& backend, Stream& stream, const ElementFormat& format,
                                                    const std::vector<Index>& extents, Index row_padding = 0,
                                                    Index misalignment = 0, Guard guard = Guard::input) {
    if (extents.size() > static_cast<std::size_t>(Operand::most_dimensions))
      return failure(ErrorKind::invalid, "a tensor of " + std::to_string(extents.size()) +
                                             " dimensions was asked for; there are at most " +
                                             std::to_string(Operand::most_dimensions));
    detail::OperandSlots slots{misalignment, 1, 1, 1, 0};
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (extents[d] < 0)
        return failure(ErrorKind::invalid, "extent " + std::to_string(extents[d]) + " of dimension " +
                                               std::to_string(d) + " is negative; extents are 0 or more");
      Index& factor = d + 1 == extents.size() ? slots.columns : slots.rows;
      factor = checked_product(factor, extents[d]);
      if (factor < 0)
        return failure(ErrorKind::invalid,
                       "the product of the extents exceeds 2^63 − 1 elements at dimension " + std::to_string(d));
    }
    slots.pitch = slots.columns + row_padding > 0 ? slots.columns + row_padding : 1;
    const Index reach = checked_product(slots.rows, slots.pitch), per_word = 8 / format.bytes;
    if (reach < 0 || reach > INT64_MAX / 16)
      return failure(ErrorKind::out_of_memory, "a tensor of " + std::to_string(slots.rows) + " rows of " +
                                                   std::to_string(slots.pitch) +
                                                   " elements is more than can be addressed");
    const Index words = (misalignment + reach + per_word - 1) / per_word;
    slots.slots = words * per_word;
    auto tensor =
        Tensor<float64, B>::create_within(backend, stream, words, 0, word_of(guard_of(format, guard), format));
    if (!tensor) return tensor.propagate();
    OperandTensor made(std::move(tensor).value(), format, slots, guard);
    made.view_.rank = static_cast<int>(extents.size());
    made.view_.guard_bytes = static_cast<Index>(Tensor<float64, B>::canary_elements * sizeof(float64));
    Index stride = 1;
    for (int d = made.view_.rank - 1; d >= 0; --d) {
      made.view_.extents[d] = extents[static_cast<std::size_t>(d)];
      made.view_.strides[d] = stride;
      stride =
          d + 1 == made.view_.rank ? slots.pitch : stride * (made.view_.extents[d] > 0 ? made.view_.extents[d] : 1);
    }
    if (guard == Guard::output)
      if (auto poisoned = made.poison(backend, stream); !poisoned) return poisoned.propagate();
    return Result<OperandTensor>(std::move(made));
  }

  /// The operand, for kernels; valid as long as this tensor.
  [[nodiscard]] Operand view() {
    Operand operand = view_;
    operand.data = reinterpret_cast<char*>(tensor_.data()) + slots_.first * view_.format.bytes;
    return operand;
  }

  /// The same elements in a copy of the whole allocation, which `words` holds on the host. Waits for the stream.
  [[nodiscard]] Result<Operand> copy_to_host(B& backend, Stream& stream, std::vector<float64>& words) const {
    words.resize(static_cast<std::size_t>(tensor_.size()) + 1);
    if (auto copied =
            backend.copy_to_host(stream, words.data(), tensor_.data(), static_cast<std::size_t>(tensor_.size()));
        !copied)
      return copied.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    Operand operand = view_;
    operand.data = reinterpret_cast<char*>(words.data()) + slots_.first * view_.format.bytes;
    operand.guard_bytes = 0;
    return operand;
  }

  /// Elements become what they were made with, as the gaps between rows do: of outputs, formats with quiet NaNs get one
  /// with an odd payload, so that what stays unwritten is recognized; others a pattern.
  [[nodiscard]] Result<void> poison(B& backend, Stream& stream) {
    auto work = poison_work(false);
    if constexpr (!backend_runs_on_host<B>)
      return backend.parallel_for(stream, static_cast<std::size_t>(slots_.slots), detail::PoisonSlot{work});
    return backend.parallel_for(stream, work.chunks(), work);
  }
  /// Elements that still hold the poison; always 0 for formats whose poison may be a right result.
  [[nodiscard]] Result<std::uint64_t> count_unwritten(B& backend, Stream& stream) {
    if (!view_.format.is_float() || !view_.format.layout.has_infinity()) return std::uint64_t{0};
    return count(backend, stream, true);
  }
  /// Elements between rows and about the tensor, within its allocation, that do not hold their guard any more.
  [[nodiscard]] Result<std::uint64_t> count_overwritten_gaps(B& backend, Stream& stream) {
    return count(backend, stream, false);
  }
  /// Whether somebody wrote beside the elements; waits for the stream. One pass over the canaries and gaps.
  [[nodiscard]] Result<CanaryReport> check_canaries(B& backend, Stream& stream) const {
    return tensor_.check_canaries(backend, stream);
  }
  /// See `Tensor::fingerprint`.
  [[nodiscard]] Result<std::uint64_t> fingerprint(B& backend, Stream& stream) const {
    return tensor_.fingerprint(backend, stream);
  }

 private:
  OperandTensor(Tensor<float64, B> tensor, const ElementFormat& format, const detail::OperandSlots& slots, Guard guard)
      : tensor_(std::move(tensor)), slots_(slots), guard_(guard) {
    view_.format = format;
  }

  [[nodiscard]] static std::uint64_t guard_of(const ElementFormat& format, Guard guard) {
    return (format.is_float() ? detail::guard_code(format.layout, guard) : detail::guard_code(guard)) &
           ~std::uint64_t{0} >> (64 - 8 * format.bytes);
  }
  /// A word that holds a code in each of its slots.
  [[nodiscard]] static std::uint64_t word_of(std::uint64_t code, const ElementFormat& format) {
    std::uint64_t word = code;
    for (int bits = 8 * static_cast<int>(format.bytes); bits < 64; bits *= 2) word |= word << bits;
    return word;
  }

  [[nodiscard]] detail::OperandPoison poison_work(bool inside) {
    const ElementFormat& format = view_.format;
    const std::uint64_t guard = guard_of(format, guard_);
    if (guard_ == Guard::input) return {tensor_.data(), format, slots_, guard, guard, inside};
    std::uint64_t code = 0xA5A5A5A5A5A5A5A5u >> (64 - 8 * format.bytes);
    if (format.is_float()) {
      const FloatLayout layout = format.layout;
      code &= (std::uint64_t{2} << (layout.bits() - 1)) - 1;
      if (layout.has_infinity())
        code = layout.nan_bits() | (code & ((std::uint64_t{1} << (layout.fraction_bits - 1)) - 1));
    }
    return {tensor_.data(), format, slots_, code, guard, inside};
  }
  [[nodiscard]] Result<std::uint64_t> count(B& backend, Stream& stream, bool inside) {
    const auto work = poison_work(inside);
    if constexpr (BlockBackend<B> && !backend_runs_on_host<B>)
      return detail::sum_in_blocks(backend, stream, static_cast<std::size_t>(slots_.slots), detail::CountSlot{work});
    auto tally = parallel_reduce<detail::Tally>(backend, stream, work.chunks(), work);
    if (!tally) return tally.propagate();
    return tally.value().count;
  }

  Tensor<float64, B> tensor_;
  detail::OperandSlots slots_;
  Guard guard_;
  Operand view_{};
};

#if defined(ASSAY_COMPILED)
extern template class OperandTensor<Host>;
#endif

}  // namespace assay::inline v0
