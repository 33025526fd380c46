#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "assay/kernels/operation.hpp"

namespace assay::inline v0::detail {

/// What lies before and behind operands in memory: numbers of their own range, so that a kernel which reads them goes
/// on.
enum class Surroundings { small, large };

/// What `OperandTensor` poisons outputs with.
[[nodiscard]] std::uint64_t poison_code(const ElementFormat& format);

/// What outputs hold before a launch: what no launch writes, zeros, or numbers as large as half their format's largest.
enum class FormerOutputs { poison, zeros, large };

/// The code of that.
[[nodiscard]] std::uint64_t former_code(const ElementFormat& format, FormerOutputs former);

/// Copies of operands for one more launch: dense, each within margins; outputs hold nothing that a launch wrote.
class SurroundedOperands {
 public:
  SurroundedOperands(const std::vector<OperandSpec>& specs, const OperandArray& given, Surroundings surroundings,
                     FormerOutputs former = FormerOutputs::poison);
  [[nodiscard]] const OperandArray& array() const { return array_; }
  [[nodiscard]] OperandArray& array() { return array_; }

 private:
  static constexpr Index margin = 256, alignment = 64;  // elements, of which the margins keep the alignment; bytes

  void place(Operand& operand, bool is_output, Surroundings surroundings);

  [[nodiscard]] static double value_of(const Operand& operand, bool is_output, Surroundings surroundings);

  FormerOutputs former_;
  std::vector<std::vector<std::uint64_t>> storage_;
  OperandArray array_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/surrounded_operands.ipp"
#endif
