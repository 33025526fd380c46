#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "assay/faults/common_fault.hpp"

namespace assay::testing {

/// A kernel y = 2x on 10 rows of 70, which lie 72 apart, with room about them: to see what a fault makes of it.
struct Doubling {
  static constexpr Index rows = 10, columns = 70, pitch = 72, room = 16;
  std::vector<float> x = std::vector<float>(rows * pitch + 2 * room, 1000),
                     y = std::vector<float>(rows * pitch + 2 * room, -7);
  std::vector<OperandSpec> specs{{"x", OperandRole::input, element_format<float32>(), {rows, columns}, true},
                                 {"y", OperandRole::output, element_format<float32>(), {rows, columns}, true}};
  OperandArray operands;

  Doubling(const Doubling&) = delete;
  Doubling& operator=(const Doubling&) = delete;
  /// The launches of a kernel with one common fault, or of the right one.
  explicit Doubling(const std::string& fault = "", unsigned launches = 1) {
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column)
        x[static_cast<std::size_t>(room + row * pitch + column)] =
            1 + 0.01F * static_cast<float>(row * columns + column);
    operands.count = 2;
    operands[0] = contiguous_operand(x.data() + room, {rows, columns});
    operands[1] = contiguous_operand(y.data() + room, {rows, columns});
    operands[0].strides[0] = operands[1].strides[0] = pitch;
    if (fault.empty()) return;
    CommonFault own(fault);
    for (unsigned i = 0; i < launches; ++i) (void)own.launch(specs, operands, &kernel);
  }
  [[nodiscard]] static Result<void> kernel(const OperandArray& own) {
    for (Index e = 0; e < own[1].size(); ++e) own[1].store(e, 2 * own[0].load(e));
    return {};
  }
  [[nodiscard]] float right(Index element) const { return 2 * static_cast<float>(operands[0].load(element)); }
  [[nodiscard]] float at(Index element) const { return static_cast<float>(operands[1].load(element)); }
  [[nodiscard]] Index wrong() const {
    Index count = 0;
    for (Index e = 0; e < rows * columns; ++e) count += at(e) == right(e) ? 0 : 1;
    return count;
  }
  /// Elements that were left as they were.
  [[nodiscard]] Index unwritten() const {
    Index count = 0;
    for (Index e = 0; e < rows * columns; ++e) count += at(e) == -7 ? 1 : 0;
    return count;
  }
  /// What lies about the output and between its rows, as far as it was changed.
  [[nodiscard]] Index outside() const {
    Index count = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Index place = static_cast<Index>(i) - room;
      const bool inside = place >= 0 && place < rows * pitch && place % pitch < columns;
      count += !inside && y[i] != -7 ? 1 : 0;
    }
    return count;
  }
};

}  // namespace assay::testing
