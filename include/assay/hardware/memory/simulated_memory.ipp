#pragma once

#include "assay/hardware/memory/simulated_memory.hpp"

#include <string>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE SimulatedMemory::SimulatedMemory(std::size_t size, unsigned width,
                                                            std::optional<CellFault> fault, std::uint64_t contents,
                                                            std::uint64_t seed)
    : words_(size), width_(width), fault_(fault), random_(seed) {
  expect(size > 0 && width >= 1 && width <= 64, [&] {
    return "a simulated memory of " + std::to_string(size) + " words of " + std::to_string(width) +
           " bits was asked for; give at least one word of 1 to 64 bits";
  });
  if (fault_) {
    const bool of_words = class_of(fault_->kind) == "AF";
    const bool two = fault_->kind == CellFaultKind::other_cell || fault_->kind == CellFaultKind::several_cells ||
                     fault_->kind == CellFaultKind::coupling_inversion ||
                     fault_->kind == CellFaultKind::coupling_idempotent ||
                     fault_->kind == CellFaultKind::coupling_state;
    const std::size_t places = of_words ? size : size * width;
    expect(fault_->victim < places && (!two || (fault_->aggressor < places && fault_->aggressor != fault_->victim)),
           [&] {
             return "a fault names cells that are not there, or one cell twice; there are " + std::to_string(places);
           });
  }
  for (std::size_t number = 0; number < size * width && number < 64; ++number)
    set_cell(number, (contents >> number & 1) != 0);
  if (is(CellFaultKind::stuck_at)) set_cell(fault_->victim, fault_->value);
  hold_state();
}

ASSAY_DETAIL_HEADER_INLINE void SimulatedMemory::set_cell(std::size_t number, bool value) {
  std::uint64_t& word = words_[number / width_];
  const std::uint64_t bit = std::uint64_t{1} << number % width_;
  word = value ? word | bit : word & ~bit;
}

ASSAY_DETAIL_HEADER_INLINE void SimulatedMemory::hold_state() {
  if (is(CellFaultKind::coupling_state) && cell(fault_->aggressor) == fault_->rising)
    set_cell(fault_->victim, fault_->value);
}

ASSAY_DETAIL_HEADER_INLINE void SimulatedMemory::store(std::size_t index, std::uint64_t word) {
  const std::uint64_t mask = width_ >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_) - 1;
  if (!fault_ || class_of(fault_->kind) == "AF") {
    words_[index] = word & mask;
    return;
  }
  const bool own = fault_->victim / width_ == index;
  const bool before = cell(fault_->victim), aggressor_before = cell(fault_->aggressor);
  words_[index] = word & mask;
  if (own) {
    const bool wanted = cell(fault_->victim);
    switch (fault_->kind) {
      case CellFaultKind::stuck_at: set_cell(fault_->victim, fault_->value); break;
      case CellFaultKind::transition:
        if (before != wanted && wanted == fault_->rising) set_cell(fault_->victim, before);
        break;
      case CellFaultKind::stuck_open: set_cell(fault_->victim, before); break;
      case CellFaultKind::write_disturb:
        if (before == wanted && wanted == fault_->value) set_cell(fault_->victim, !wanted);
        break;
      default: break;
    }
  }
  const bool aggressor_after = cell(fault_->aggressor);
  if (aggressor_before != aggressor_after && aggressor_after == fault_->rising) {
    if (fault_->kind == CellFaultKind::coupling_inversion) set_cell(fault_->victim, !cell(fault_->victim));
    if (fault_->kind == CellFaultKind::coupling_idempotent) set_cell(fault_->victim, fault_->value);
  }
  hold_state();
}

ASSAY_DETAIL_HEADER_INLINE void SimulatedMemory::write(std::size_t index, std::uint64_t word) {
  if (is(CellFaultKind::no_cell) && index == fault_->victim) return;
  if (is(CellFaultKind::other_cell) && index == fault_->aggressor) return store(fault_->victim, word);
  store(index, word);
  if (is(CellFaultKind::several_cells) && index == fault_->aggressor) store(fault_->victim, word);
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t SimulatedMemory::load(std::size_t index) {
  if (!fault_) return words_[index];
  if (class_of(fault_->kind) == "AF") {
    if (fault_->kind == CellFaultKind::no_cell)
      return index != fault_->victim ? words_[index] : fault_->value ? ~std::uint64_t{0} : 0;
    if (index != fault_->aggressor) return words_[index];
    const std::uint64_t other = words_[fault_->victim];
    if (fault_->kind == CellFaultKind::other_cell) return other;
    return fault_->value ? words_[index] | other : words_[index] & other;
  }
  if (fault_->victim / width_ != index) return words_[index];
  const std::uint64_t bit = std::uint64_t{1} << fault_->victim % width_;
  const std::uint64_t word = words_[index];
  const bool held = cell(fault_->victim);
  switch (fault_->kind) {
    case CellFaultKind::stuck_open: return (word & ~bit) | (sensed_ & bit);
    case CellFaultKind::incorrect_read: return held == fault_->value ? word ^ bit : word;
    case CellFaultKind::read_destructive:
    case CellFaultKind::deceptive_read_destructive:
      if (held != fault_->value) return word;
      set_cell(fault_->victim, !held);
      return fault_->kind == CellFaultKind::read_destructive ? word ^ bit : word;
    case CellFaultKind::intermittent:
      return static_cast<double>(random_.next() >> 11) * 0x1p-53 < fault_->probability ? word ^ bit : word;
    default: return word;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::uint64_t SimulatedMemory::read(std::size_t index) {
  return sensed_ = load(index);
}

ASSAY_DETAIL_HEADER_INLINE void SimulatedMemory::pause() {
  if (is(CellFaultKind::retention)) set_cell(fault_->victim, fault_->value);
}

}  // namespace assay::inline v0
