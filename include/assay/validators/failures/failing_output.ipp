#pragma once

#include "assay/validators/failures/failing_output.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE FailingOutput failing_output(std::string name, const Operand& actual,
                                                        const AnyExpectation& expectation,
                                                        const ChosenTolerance& tolerance, Host host) {
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
      const AcceptanceInterval accepted =
          detail::operand_interval(output.format, tolerance, {output.expected[element], error[column]});
      if (!accepted.contains(output.actual[element])) output.violated[element] = 1, ++violations[row];
    }
  };
  auto stream = host.make_stream();
  if (!stream || !host.parallel_for(stream.value(), rows, look_at_row))
    for (std::size_t row = 0; row < rows; ++row) violations[row] = 0, look_at_row(row);
  for (const std::size_t count : violations) output.violations += count;
  std::size_t refined = 0;
  for (std::size_t i = 0; expectation.refines() && i < size && refined < 4096; ++i) {
    if (output.violated[i] || !(std::fabs(output.actual[i] - output.expected[i]) >
                                expectation.doubt_ratio() * static_cast<double>(output.error[i])))
      continue;
    ++refined;
    output.error[i] = static_cast<float>(
        expectation.refine(static_cast<Index>(i / columns), static_cast<Index>(i % columns)).error * (1 + 0x1p-20));
    if (output.accepted(i).contains(output.actual[i])) continue;
    output.violated[i] = 1;
    ++output.violations;
  }
  return output;
}

ASSAY_DETAIL_HEADER_INLINE FailingOutput failing_output(std::string name, const Operand& actual,
                                                        const std::vector<ExpectedElement>& due,
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

ASSAY_DETAIL_HEADER_INLINE FailingOutput failing_output(std::string name, const Operand& actual, const Operand& right) {
  FailingOutput output;
  output.name = std::move(name);
  output.extents.assign(actual.extents, actual.extents + (actual.rank > 0 ? actual.rank : 0));
  output.format = actual.format;
  for (Index element = 0; element < actual.size(); ++element) {
    output.actual.push_back(actual.load(element));
    output.expected.push_back(right.load(element));
    output.error.push_back(0);
    const bool differs = actual.format.load_code(actual.data, actual.offset_of(element)) !=
                         right.format.load_code(right.data, right.offset_of(element));
    output.violated.push_back(differs ? 1 : 0);
    output.violations += differs ? 1 : 0;
  }
  return output;
}

}  // namespace assay::inline v0
