#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/evidence.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Whether infinities are due wherever elements are wrong.
[[nodiscard]] inline bool only_infinities_fail(const FailingOutput& output) {
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && !is_infinite(output.right(i))) return false;
  return output.violations > 0;
}

/// The bits in which wrong elements differ from right ones, if they are the same for all: one or two, or more where
/// several elements are wrong.
[[nodiscard]] std::optional<std::uint64_t> flipped_bits(const FailingOutput& output);

/// Blocks of elements, in row-major order, that the work of one warp or multiprocessor fills.
struct FaultyBlocks {
  std::size_t size = 0;    ///< elements of a block
  std::size_t period = 0;  ///< in blocks; 0: there is one
};

/// How wrong elements recur with the lanes or warps of a machine rather than with the columns of the output; empty
/// where they do not.
[[nodiscard]] std::string machine_recurrence(const FailingOutput& output);

/// Whether whole blocks of as many elements as a warp or a multiprocessor has, which are no unit of the output's own,
/// hold the results of the block before, or behind; empty where they do not.
[[nodiscard]] std::string blocks_of_neighbors(const FailingOutput& output);

/// What is a matter of the machine: the same bits of a few elements, one lane, one multiprocessor.
[[nodiscard]] std::optional<Diagnosis> by_machine_pattern(const FailingOutput& output);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/machine_patterns.ipp"
#endif
