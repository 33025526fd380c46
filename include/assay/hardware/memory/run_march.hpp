#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "assay/hardware/memory/background.hpp"
#include "assay/hardware/memory/march_test.hpp"
#include "assay/hardware/memory/memory_defect.hpp"

namespace assay::inline v0 {

/// Memory that is read and written word by word: a simulation, a window of a device. `size()` in words, 64 at most of
/// `width()` bits. `pause()` leaves cells alone for a while.
template <class M>
concept WordMemory = requires(M& memory, const M& constant, std::size_t index, std::uint64_t word) {
  { constant.size() } -> std::convertible_to<std::size_t>;
  { constant.width() } -> std::convertible_to<unsigned>;
  { memory.read(index) } -> std::convertible_to<std::uint64_t>;
  memory.write(index, word);
  memory.pause();
};

/// Runs a march test on one background, in the order that it asks for (`any` is ascending), and gives each wrong read
/// to `note(defect)`, which returns whether to go on. What the host engine does block by block, word by word: the form
/// by which simulations prove coverage. O(size × operations).
template <WordMemory Memory, class Note>
void run_march(Memory& memory, const MarchTest& test, const Background& background, const Note& note) {
  const std::uint64_t mask = memory.width() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << memory.width()) - 1;
  for (std::size_t e = 0; e < test.elements.size(); ++e) {
    const MarchElement& element = test.elements[e];
    if (element.pause()) memory.pause();
    for (std::size_t i = 0; i < (element.pause() ? 0 : memory.size()); ++i) {
      const std::size_t index = element.order == AddressOrder::descending ? memory.size() - 1 - i : i;
      for (std::size_t o = 0; o < element.operations.size(); ++o) {
        const MarchOperation& operation = element.operations[o];
        const std::uint64_t value = (operation.inverted ? ~background.at(index) : background.at(index)) & mask;
        if (operation.write) {
          memory.write(index, value);
          continue;
        }
        const std::uint64_t actual = memory.read(index) & mask;
        if (actual == value) continue;
        MemoryDefect defect;
        defect.offset = index * 8;
        defect.expected = value;
        defect.actual = actual;
        defect.reread = memory.read(index) & mask;
        defect.element = e;
        defect.operation = o;
        defect.test = test.name;
        defect.background = background.text();
        if (!note(defect)) return;
      }
    }
  }
}

}  // namespace assay::inline v0
