#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "assay/core/index.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// An expectation of which the elements of a row share something that is found once: `row_of(row)` finds it, a `Row`,
/// and `rows[row]` is where elements look it up. Trivially copyable, as every expectation is, and its `row_of` may be
/// called from many threads at a time.
template <class Expected>
concept ExpectationByRows = std::is_trivially_copyable_v<Expected> && requires(Expected expected, Index row) {
  { std::as_const(expected).row_of(row) } -> std::same_as<typename Expected::Row>;
  { expected.rows } -> std::same_as<const typename Expected::Row*&>;
};

/// Finds what a row shares, see `reference_by_rows`.
template <ExpectationByRows Expected>
struct FindRow {
  Expected expected;
  typename Expected::Row* rows;

  ASSAY_FUNCTION void operator()(std::size_t row) const { rows[row] = expected.row_of(static_cast<Index>(row)); }
};

/// The reference of an operation whose rows share something: calls `expected.row_of` once for each of so many rows, in
/// parallel on the backend, and has `expected.rows` point to what it gave, in memory of the backend that the reference
/// owns. Time: that of `row_of`, a row. Errors: those of the backend.
template <ParallelBackend B, ExpectationByRows Expected>
[[nodiscard]] Result<OperationReference<Expected>> reference_by_rows(B& backend, typename B::Stream& stream,
                                                                     std::size_t rows, Expected expected) {
  using Row = typename Expected::Row;
  auto buffer = backend.template allocate<Row>(rows + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<Row>>(std::move(buffer).value());
  if (auto run = backend.parallel_for(stream, rows, FindRow<Expected>{expected, owned->data()}); !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  expected.rows = owned->data();
  return OperationReference<Expected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
