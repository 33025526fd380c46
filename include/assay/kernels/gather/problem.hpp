#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What is done.
enum class GatherKind {
  gather,             ///< output[i, :] = table[index[i], :]; an embedding
  scatter_add,        ///< table[index[i], :] += source[i, :], in place, in any order
  embedding_gradient  ///< gradient_table[r, :] = Σ gradient[i, :] over index[i] = r, 0 for rows that nobody asked for
};

/// What an index outside the table means.
enum class OutOfRange {
  refused,  ///< the kernel must give an error: such indices are not among the data
  clamped,  ///< the nearest row
  zeros     ///< gathers a row of zeros; scatters nothing
};

/// What a negative index means.
enum class NegativeIndex {
  out_of_range,
  from_end  ///< −1 is the last row
};

/// Rows of a table by their indices.
struct GatherProblem {
  GatherKind kind = GatherKind::gather;
  Index rows = 1;   ///< of the table
  Index count = 1;  ///< indices
  Index width = 1;  ///< elements of a row
  OutOfRange out_of_range = OutOfRange::refused;
  NegativeIndex negative = NegativeIndex::out_of_range;
  Index padding_row = -1;  ///< embedding_gradient: this row's gradient is 0; −1: none
  ElementFormat format = element_format<float32>();
  ElementFormat index_format = element_format<std::int64_t>();  ///< integers

  /// The row that an index means, −1 for none.
  [[nodiscard]] ASSAY_FUNCTION Index row_of(Index index) const {
    if (negative == NegativeIndex::from_end && index < 0) index += rows;
    if (index >= 0 && index < rows) return index;
    return out_of_range == OutOfRange::clamped && rows > 0 ? (index < 0 ? 0 : rows - 1) : -1;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(GatherProblem& problem, Visit&& visit) {
  visit("kind", problem.kind, "rows", problem.rows, "count", problem.count, "width", problem.width, "out_of_range",
        problem.out_of_range, "negative", problem.negative, "padding_row", problem.padding_row, "format",
        problem.format, "index_format", problem.index_format);
}

/// `ErrorKind::invalid` names the field at fault.
[[nodiscard]] Result<void> check(const GatherProblem& problem);

/// "100x8-by64-clamped-from_end".
[[nodiscard]] std::string name_of(const GatherProblem& problem);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/gather/problem.ipp"
#endif
