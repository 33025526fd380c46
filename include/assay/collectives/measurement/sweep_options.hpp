#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Sizes that people speak of, in bytes.
inline constexpr double megabyte = 1e6, gigabyte = 1e9;
inline constexpr double named_sizes[] = {1 * megabyte, 100 * megabyte,
                                         1 * gigabyte};  ///< bytes at which reports name bandwidths

/// Reads a size in bytes: "8", "1K", "128M", "4G" as nccl-tests has them, powers of 1024, as are KiB, MiB and GiB;
/// "1kB", "100MB", "1GB" are powers of 1000. Error `invalid`.
[[nodiscard]] Result<double> parse_size(std::string_view text);

/// What a sweep measures. The same on every rank.
struct SweepOptions {
  std::vector<CollectiveOperation> operations{CollectiveOperation::all_reduce};
  std::vector<ElementType> types{ElementType::float32};
  std::vector<ReductionOperator> reductions{ReductionOperator::sum};  ///< for operations that reduce
  int root = 0;                                                       ///< of operations that have one
  double least_bytes = 8;                                             ///< sizes as of `size_bytes`: from this one …
  double most_bytes = 128 * 1048576.0;                                ///< … to this one …
  double step_factor = 2;     ///< … each so many times the one before; above 1
  std::vector<double> sizes;  ///< if not empty, instead of these
  bool out_of_place = true;   ///< measure with separate buffers
  bool in_place = true;       ///< measure with one buffer for both
  unsigned warm_up = 1;       ///< calls of each size before the clock starts
  unsigned iterations = 20;   ///< timed calls of each size
  /// of the timed calls; without, calls of operations with a root overlap: a root goes on before others end
  bool barrier_before_each = false;
  bool verify = true;  ///< the output of every timed call, off the clock
  double memory_bytes =
      512 * 1048576.0;  ///< of a rank's buffers, which rotate; at least three buffers are used, however large
  std::chrono::steady_clock::duration deadline = std::chrono::seconds(60);  ///< of each call
  std::uint64_t seed = 1;                                                   ///< of the data
};

/// Error `invalid`, naming the member.
[[nodiscard]] Result<void> check(const SweepOptions& options, int ranks);

/// The sizes in bytes, ascending. Precondition: `check`.
[[nodiscard]] std::vector<double> sizes_of(const SweepOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep_options.ipp"
#endif
