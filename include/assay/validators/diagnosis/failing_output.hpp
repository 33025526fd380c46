#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/any_expectation.hpp"
#include "assay/compare/block_expectation.hpp"
#include "assay/compare/detail/operand_chunk.hpp"
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

/// Looks at every element once, and again, as `RefinableExpectation` says, at up to 4096 that are accepted in doubt. O(elements).
[[nodiscard]] inline FailingOutput failing_output(std::string name, const Operand& actual, const AnyExpectation& expectation,
                                                  const ChosenTolerance& tolerance, Host host = Host()) {
  FailingOutput output;
  output.name = std::move(name);
  output.extents.assign(actual.extents, actual.extents + (actual.rank > 0 ? actual.rank : 0));
  output.format = actual.format;
  output.tolerance = tolerance;
  const auto size = static_cast<std::size_t>(actual.size());
  output.actual.resize(size);
  output.expected.resize(size);
  output.error.resize(size);
  output.violated.resize(size);
  if (size == 0) return output;
  const std::size_t columns = output.columns(), rows = output.rows();
  std::vector<std::size_t> violations(rows);
  const auto look_at_row = [&](std::size_t row) {
    std::vector<double> error(columns);
    for (std::size_t first = 0; first < columns; first += expected_block_columns)
      expectation.expected_block(static_cast<Index>(row), static_cast<Index>(first),
                                 std::min(expected_block_columns, static_cast<Index>(columns - first)),
                                 &output.expected[row * columns + first], &error[first]);
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t element = row * columns + column;
      output.actual[element] = actual.load(static_cast<Index>(element));
      output.error[element] = static_cast<float>(error[column] * (1 + 0x1p-20));
      const AcceptanceInterval accepted = detail::operand_interval(output.format, tolerance, {output.expected[element], error[column]});
      if (!accepted.contains(output.actual[element])) output.violated[element] = 1, ++violations[row];
    }
  };
  auto stream = host.make_stream();
  if (!stream || !host.parallel_for(stream.value(), rows, look_at_row))
    for (std::size_t row = 0; row < rows; ++row) violations[row] = 0, look_at_row(row);
  for (const std::size_t count : violations) output.violations += count;
  std::size_t refined = 0;
  for (std::size_t i = 0; expectation.refines() && i < size && refined < 4096; ++i) {
    if (output.violated[i] ||
        !(std::fabs(output.actual[i] - output.expected[i]) > expectation.doubt_ratio() * static_cast<double>(output.error[i])))
      continue;
    ++refined;
    output.error[i] =
        static_cast<float>(expectation.refine(static_cast<Index>(i / columns), static_cast<Index>(i % columns)).error * (1 + 0x1p-20));
    if (output.accepted(i).contains(output.actual[i])) continue;
    output.violated[i] = 1;
    ++output.violations;
  }
  return output;
}

/// Beside what is due, one by one, row-major. Precondition: as many as the output has elements.
[[nodiscard]] inline FailingOutput failing_output(std::string name, const Operand& actual, const std::vector<ExpectedElement>& due,
                                                  const ChosenTolerance& tolerance) {
  FailingOutput output;
  output.name = std::move(name);
  output.extents.assign(actual.extents, actual.extents + (actual.rank > 0 ? actual.rank : 0));
  output.format = actual.format;
  output.tolerance = tolerance;
  for (std::size_t i = 0; i < due.size(); ++i) {
    output.actual.push_back(actual.load(static_cast<Index>(i)));
    output.expected.push_back(due[i].value);
    output.error.push_back(static_cast<float>(due[i].error * (1 + 0x1p-20)));
    const bool wrong = !output.accepted(i).contains(output.actual[i]);
    output.violated.push_back(wrong ? 1 : 0);
    output.violations += wrong ? 1 : 0;
  }
  return output;
}

/// Beside an answer that is known to be right, bit by bit: for outputs that have no interval an element.
[[nodiscard]] inline FailingOutput failing_output(std::string name, const Operand& actual, const Operand& right) {
  FailingOutput output;
  output.name = std::move(name);
  output.extents.assign(actual.extents, actual.extents + (actual.rank > 0 ? actual.rank : 0));
  output.format = actual.format;
  for (Index element = 0; element < actual.size(); ++element) {
    output.actual.push_back(actual.load(element));
    output.expected.push_back(right.load(element));
    output.error.push_back(0);
    const bool differs =
        actual.format.load_code(actual.data, actual.offset_of(element)) != right.format.load_code(right.data, right.offset_of(element));
    output.violated.push_back(differs ? 1 : 0);
    output.violations += differs ? 1 : 0;
  }
  return output;
}

}  // namespace assay::inline v0
