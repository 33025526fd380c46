#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/kernels/gather/problem.hpp"
#include "assay/tensor/tensor.hpp"

namespace assay::inline v0 {

/// Copies one row, as codes.
struct PortableGather {
  GatherProblem problem;
  Operand table, indices, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index position = static_cast<Index>(index), row = problem.row_of(static_cast<Index>(indices.load(position)));
    for (Index column = 0; column < problem.width; ++column)
      output.format.store_code(
          output.data, output.offset(position, column),
          row < 0 ? problem.format.encode(0) : table.format.load_code(table.data, table.offset(row, column)));
  }
};

/// Sums one column in the order of the indices, in single precision: no two pieces of work write one element.
struct PortableScatter {
  GatherProblem problem;
  Operand table, indices, source;
  float* sums;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index column = static_cast<Index>(index);
    float* const own = sums + column * problem.rows;
    const bool in_place = problem.kind == GatherKind::scatter_add;
    for (Index row = 0; row < problem.rows; ++row) own[row] = in_place ? static_cast<float>(table.at(row, column)) : 0;
    for (Index position = 0; position < problem.count; ++position) {
      const Index row = problem.row_of(static_cast<Index>(indices.load(position)));
      if (row >= 0 && row != problem.padding_row) own[row] += static_cast<float>(source.at(position, column));
    }
    for (Index row = 0; row < problem.rows; ++row) table.format.store(table.data, table.offset(row, column), own[row]);
  }
};

/// Counts indices that mean no row.
struct IndicesOutOfRange {
  GatherProblem problem;
  Operand indices;

  ASSAY_FUNCTION void operator()(std::size_t index, detail::Tally& tally) const {
    tally.count += problem.row_of(static_cast<Index>(indices.load(static_cast<Index>(index)))) < 0 ? 1 : 0;
  }
};

/// Gathers and scattered sums for any parallel backend and format, written to be read. Validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_gather(B& backend, typename B::Stream& stream, const GatherProblem& problem,
                                           const Operand& table, const Operand& indices, const Operand& source,
                                           const Operand& output) {
  if (problem.out_of_range == OutOfRange::refused) {
    const auto tally = parallel_reduce<detail::Tally>(backend, stream, static_cast<std::size_t>(problem.count),
                                                      IndicesOutOfRange{problem, indices});
    if (!tally) return tally.propagate();
    if (tally.value().count > 0)
      return failure(ErrorKind::invalid, std::to_string(tally.value().count) + " of " + std::to_string(problem.count) +
                                             " indices lie outside the table of " + std::to_string(problem.rows) +
                                             " rows");
  }
  if (problem.kind == GatherKind::gather)
    return backend.parallel_for(stream, static_cast<std::size_t>(problem.count),
                                PortableGather{problem, table, indices, output});
  auto sums = backend.template allocate<float>(static_cast<std::size_t>(problem.rows * problem.width) + 1);
  if (!sums) return sums.propagate();
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(problem.width),
                                      PortableScatter{problem, output, indices, source, sums.value().data()});
      !run)
    return run;
  return backend.synchronize(stream);
}

}  // namespace assay::inline v0
