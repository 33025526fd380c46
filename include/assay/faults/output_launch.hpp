#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/formats/format_traits.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// A launch of any kernel whose operands are data in host memory, as a fault sees it: its outputs, and what its first
/// output held before.
class OutputLaunch {
 public:
  /// Looks at the operands of a launch that is about to run; copies what its first output holds.
  OutputLaunch(const std::vector<OperandSpec>& specs, const OperandArray& operands)
      : specs_(specs), operands_(operands) {
    for (int i = static_cast<int>(specs.size()) - 1; i >= 0; --i) {
      const OperandSpec& spec = specs[static_cast<std::size_t>(i)];
      if (!spec.present || operands[i].size() == 0) continue;
      (spec.role == OperandRole::input ? input_ : output_) = i;
    }
    if (!has_output()) return;
    for (Index e = 0; e < size(); ++e) before_.push_back(code(e));
  }

  /// Whether any output is present.
  [[nodiscard]] bool has_output() const { return output_ >= 0; }
  /// Whether any input is present.
  [[nodiscard]] bool has_input() const { return input_ >= 0; }
  /// The first that has elements.
  [[nodiscard]] const Operand& output() const { return operands_[output_]; }
  /// The first input. Precondition: `has_input()`.
  [[nodiscard]] const Operand& input() const { return operands_[input_]; }
  /// Whether the first output holds floating-point numbers.
  [[nodiscard]] bool is_float() const { return output().format.is_float(); }

  /// Elements of the first output.
  [[nodiscard]] Index size() const { return output().size(); }
  /// The last extent of the first output; 1 for a scalar.
  [[nodiscard]] Index columns() const { return output().rank > 0 ? output().extents[output().rank - 1] : 1; }
  /// Leading dimensions of the first output, flattened.
  [[nodiscard]] Index rows() const { return size() / columns(); }

  /// Elements of the first output, by their position in row-major order.
  [[nodiscard]] std::uint64_t code(Index element) const {
    return output().format.load_code(output().data, output().offset_of(element));
  }
  /// Writes the code as the element with that row-major number.
  void write(Index element, std::uint64_t code) const {
    output().format.store_code(output().data, output().offset_of(element), code);
  }
  /// The codes of all elements, row-major.
  [[nodiscard]] std::vector<std::uint64_t> codes() const {
    std::vector<std::uint64_t> all;
    for (Index e = 0; e < size(); ++e) all.push_back(code(e));
    return all;
  }
  /// As if it had not been written.
  void leave(Index element) const { write(element, before_[static_cast<std::size_t>(element)]); }
  /// Gives elements for which `condition(element)` holds what they had before the launch.
  template <class Condition>
  void leave_where(Condition condition) const {
    for (Index e = 0; e < size(); ++e)
      if (condition(e)) leave(e);
  }
  /// Writes to each element what `source(element)` holds; a negative source leaves it as it was before the launch.
  template <class Source>
  void permute(Source source) const {
    const std::vector<std::uint64_t> right = codes();
    for (Index e = 0; e < size(); ++e) {
      const Index from = source(e);
      if (from < 0)
        leave(e);
      else
        write(e, right[static_cast<std::size_t>(from)]);
    }
  }

  /// A mask of the bit so many places below the highest of the fraction; of an integer, of a low bit.
  [[nodiscard]] std::uint64_t fraction_bit(int below_highest) const {
    const int place = is_float() ? output().format.layout.fraction_bits - 1 - below_highest : 1 - below_highest;
    return std::uint64_t{1} << (place > 0 ? place : 0);
  }

  /// Applies `change(operand, element)` to everything that was written.
  template <class Change>
  void each_written(Change change) const {
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (specs_[i].role != OperandRole::input && specs_[i].present)
        for (Index e = 0; e < operands_[static_cast<int>(i)].size(); ++e) change(operands_[static_cast<int>(i)], e);
  }
  /// The same, of floating-point outputs: `change(value)` is what is written for a value.
  template <class Change>
  void each_float(Change change) const {
    each_written([&](const Operand& operand, Index e) {
      if (!operand.format.is_float()) return;
      const double value = operand.load(e), changed = change(value, operand.format);
      if (!same_double(value, changed)) operand.store(e, changed);
    });
  }

 private:
  static bool same_double(double a, double b) {
    return FormatTraits<float64>::to_bits(a) == FormatTraits<float64>::to_bits(b);
  }

  const std::vector<OperandSpec>& specs_;
  const OperandArray& operands_;
  int input_ = -1, output_ = -1;
  std::vector<std::uint64_t> before_;
};

}  // namespace assay::inline v0
