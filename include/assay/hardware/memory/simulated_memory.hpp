#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "assay/hardware/memory/cell_fault.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

/// Memory of `size` words of `width` bits with at most one fault: the subject by which tests of memory are tested.
/// Models `WordMemory`. Within a write all cells change at once, and couplings act after it.
class SimulatedMemory {
 public:
  /// Cells hold the bits of `contents`, from the least significant, and zeros beyond. Misuse: a size of 0, a width
  /// outside 1…64, a fault whose cells are not there or are the same.
  SimulatedMemory(std::size_t size, unsigned width, std::optional<CellFault> fault = std::nullopt,
                  std::uint64_t contents = 0, std::uint64_t seed = 1);

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] unsigned width() const noexcept { return width_; }
  /// The word of that index, as the fault lets it be read. Precondition: index < size().
  [[nodiscard]] std::uint64_t read(std::size_t index);
  /// Writes the word, as far as the fault lets it. Precondition: index < size().
  void write(std::size_t index, std::uint64_t word);
  void pause();

 private:
  [[nodiscard]] bool cell(std::size_t number) const { return words_[number / width_] >> number % width_ & 1; }
  void set_cell(std::size_t number, bool value);
  [[nodiscard]] bool is(CellFaultKind kind) const { return fault_ && fault_->kind == kind; }
  void store(std::size_t index, std::uint64_t word);
  void hold_state();
  [[nodiscard]] std::uint64_t load(std::size_t index);

  std::vector<std::uint64_t> words_;
  unsigned width_;
  std::optional<CellFault> fault_;
  detail::RandomSequence random_;
  std::uint64_t sensed_ = 0;  ///< the last word that was read
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/simulated_memory.ipp"
#endif
