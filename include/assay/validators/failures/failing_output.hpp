#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/any_expectation.hpp"
#include "assay/compare/block_expectation.hpp"
#include "assay/compare/operand_chunk.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// An output that was refuted, element by element in row-major order, in host memory.
struct FailingOutput {
  std::string name;            ///< of the operand
  std::vector<Index> extents;  ///< outermost first
  ElementFormat format{};
  ChosenTolerance tolerance;
  std::vector<double> actual;          ///< what the kernel stored
  std::vector<double> expected;        ///< before it is rounded to the output's format
  std::vector<float> error;            ///< E: how far a right kernel's result may lie from it before it is rounded
  std::vector<std::uint8_t> violated;  ///< 1 for every element outside its interval
  std::size_t violations = 0;          ///< how many those are

  /// Number of elements.
  [[nodiscard]] std::size_t size() const { return actual.size(); }
  /// The last extent; 1 for a scalar.
  [[nodiscard]] std::size_t columns() const { return extents.empty() ? 1 : static_cast<std::size_t>(extents.back()); }
  /// Leading dimensions, flattened.
  [[nodiscard]] std::size_t rows() const { return columns() > 0 ? size() / columns() : 0; }
  /// What was acceptable for that element.
  [[nodiscard]] AcceptanceInterval accepted(std::size_t element) const {
    return detail::operand_interval(format, tolerance, {expected[element], static_cast<double>(error[element])});
  }
  /// The right answer of an element, or one of them.
  [[nodiscard]] double right(std::size_t element) const { return format.round(expected[element]); }
};

/// Looks at every element once, and again, as `RefinableExpectation` says, at up to 4096 that are accepted in doubt.
/// O(elements).
[[nodiscard]] FailingOutput failing_output(std::string name, const Operand& actual, const AnyExpectation& expectation,
                                           const ChosenTolerance& tolerance, Host host = Host());

/// Beside what is due, one by one, row-major. Precondition: as many as the output has elements.
[[nodiscard]] FailingOutput failing_output(std::string name, const Operand& actual,
                                           const std::vector<ExpectedElement>& due, const ChosenTolerance& tolerance);

/// Beside an answer that is known to be right, bit by bit: for outputs that have no interval an element.
[[nodiscard]] FailingOutput failing_output(std::string name, const Operand& actual, const Operand& right);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/failures/failing_output.ipp"
#endif
