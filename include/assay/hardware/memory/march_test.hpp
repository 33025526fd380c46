#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/hardware/memory/background.hpp"

namespace assay::inline v0 {

/// The order in which an element visits addresses.
enum class AddressOrder {
  any,        ///< ⇕: it does not matter
  ascending,  ///< ⇑
  descending  ///< ⇓
};

/// One operation of a march element on a word: w0 and w1 write the background and its complement, r0 and r1 read it.
struct MarchOperation {
  bool write = false;
  bool inverted = false;  ///< of the complement of the background

  friend bool operator==(const MarchOperation&, const MarchOperation&) = default;
};

/// All operations on one word, then all on the next. An element without operations is a pause: cells are left alone.
struct MarchElement {
  AddressOrder order = AddressOrder::any;
  std::vector<MarchOperation> operations;

  /// Whether cells are left alone.
  [[nodiscard]] bool pause() const { return operations.empty(); }
  friend bool operator==(const MarchElement&, const MarchElement&) = default;
};

/// A march test, with the backgrounds on which it is run one after the other. The classic tests of memory are march
/// tests on backgrounds of their own: of addresses, of random words, of one bit that walks.
struct MarchTest {
  std::string name;  ///< fit for an id
  std::vector<MarchElement> elements;
  BackgroundSet backgrounds = BackgroundSet::by_width;

  /// Operations a word and background: 10 for March C-.
  [[nodiscard]] std::size_t operations_per_word() const;
  /// "{⇕(w0); ⇑(r0,w1); ⇓(r1,w0)}".
  [[nodiscard]] std::string text() const;
};

/// Reads "{⇕(w0); ⇑(r0,w1); ⇓(r1,w0); Del}"; `*`, `^` and `v` stand for the arrows on keyboards without, braces may be
/// left out. Errors: `malformed`, with what was found where. Refused besides: a first operation that reads, and a read
/// of what the word cannot hold by then.
[[nodiscard]] Result<MarchTest> parse_march(std::string name, std::string_view text);

/// MATS+, March X, Y, A, B, C-, SS, LR, and the classics: moving inversions in both polarities, checkerboard, walking
/// ones and zeros, own address, random words, bit fade. Sources: van de Goor, "Testing Semiconductor Memories", 1991;
/// van de Goor, Gaydadjiev, "March LR", VTS 1996; Hamdioui, van de Goor, Rodgers, "March SS", MTDT 2002; memtest86.
[[nodiscard]] const std::vector<MarchTest>& all_march_tests();

/// The test of that name. Error `not_found`, with the nearest name.
[[nodiscard]] Result<MarchTest> march_named(std::string_view name);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/memory/march_test.ipp"
#endif
